import { expect, it } from 'vitest';
import { firstFolder, watchRoots } from '../../src/mcp/roots.ts';

it.each([
  [['file:///a/b%20c', 'file:///d'], '/a/b c'],
  [['https://example.invalid/', 'file://elsewhere/share', 'file:///d'], '/d'],
  [['nonsense'], undefined],
  [[], undefined],
])('of %j the folder is %j', (uris, folder) => {
  expect(firstFolder(uris)).toBe(folder);
});

it('what was known stays when a later question fails', async () => {
  const answers = [Promise.resolve(['file:///a']), Promise.reject(new Error('gone'))];
  const roots = watchRoots(() => answers.shift() ?? Promise.resolve([]));
  expect(await roots.first()).toBeUndefined();
  roots.refresh();
  expect(await roots.first()).toBe('/a');
  roots.refresh();
  expect(await roots.first()).toBe('/a');
  roots.refresh();
  expect(await roots.first()).toBeUndefined();
});
