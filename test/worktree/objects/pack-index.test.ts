import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgedAmong, idsIn } from '../../../src/worktree/objects/pack-index.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = makeSandbox();
});
afterAll(() => box.dispose());

it.each([
  { format: 'sha1', idBytes: 20 },
  { format: 'sha256', idBytes: 32 },
])('the ids of an index are those that git reads from it, in $format', ({ format, idBytes }) => {
  const path = box.dir(format);
  box.git(path, 'init', '-q', '-b', 'main', `--object-format=${format}`);
  for (const subject of ['one', 'two', 'three']) box.git(path, 'commit', '-q', '--allow-empty', '-m', subject);
  box.git(path, 'repack', '-q', '-a', '-d');
  const folder = join(path, '.git/objects/pack');
  const index = readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.idx')) ?? ''));
  const shown = execFileSync('git', ['show-index', `--object-format=${format}`], { input: index, encoding: 'utf8' });
  const ids = shown.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
  expect(ids).toHaveLength(4);
  expect(idsIn(index, idBytes)).toEqual(ids);
  expect(() => idsIn(index.subarray(0, -200), idBytes)).toThrow('no index');
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['another version', Buffer.concat([Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 3]), Buffer.alloc(2000)])],
])('%s is taken for no index', (_, bytes) => {
  expect(() => idsIn(bytes, 20)).toThrow('no index');
});

it.each([
  { asked: [], computed: [], forged: [] },
  { asked: ['a', 'b'], computed: ['b', 'a'], forged: [] },
  { asked: ['a', 'b', 'c'], computed: ['a', 'x', 'c'], forged: ['b'] },
  { asked: ['a', 'b'], computed: ['a'], forged: ['b'] },
  { asked: ['a'], computed: ['a', 'x'], forged: [] },
])('of $asked, with content of $computed, $forged are forged', ({ asked, computed, forged }) => {
  expect(forgedAmong(asked, computed)).toEqual(forged);
});
