import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPlace, realPath, writePlace } from '../../src/store/place.ts';
import { addRemembered, rememberedFor } from '../../src/store/remembered.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let dir: string;
beforeEach(() => {
  sandbox = makeSandbox();
  dir = sandbox.dir('worker');
});
afterEach(() => sandbox.dispose());

const place = { root: '/place/tree', userHome: '/home/ada', stateHome: '/state' };

describe('the place of a worker', () => {
  it.each([place, { ...place, branch: 'ada', role: 'tester' }])('is read as it was written: %j', async (written) => {
    await writePlace(dir, written);
    expect(readPlace(dir)).toEqual(written);
  });

  it.each([
    ['nothing', undefined],
    ['torn', '{"v":1,"root":'],
    ['of another version', JSON.stringify({ v: 2, ...place })],
    ['without a root', JSON.stringify({ v: 1, userHome: '/', stateHome: '/' })],
    ['null', 'null'],
  ])('that is %s is none', (_, text) => {
    if (text !== undefined) writeFileSync(join(dir, 'place.json'), text);
    expect(readPlace(dir)).toBeUndefined();
  });
});

it('the last answer about an input counts, each scope for itself', async () => {
  const answer = { tool: 'Bash', input: '{"command":"ls"}', decision: 'allow' } as const;
  await addRemembered(dir, 'worker:a', answer);
  await addRemembered(dir, 'role:b', answer);
  await addRemembered(dir, 'worker:a', { ...answer, decision: 'deny' });
  expect(rememberedFor(dir, 'worker:a')).toEqual([{ ...answer, decision: 'deny' }]);
  expect(rememberedFor(dir, 'role:b')).toEqual([answer]);
  writeFileSync(join(dir, 'remembered.json'), '{"scopes":{"worker:a":[1,{"tool":1}]}');
  expect(rememberedFor(dir, 'worker:a')).toEqual([]);
});

describe('a path', () => {
  it('leads where the system would go: through links, also in front of "..", and past what is not there', () => {
    const base = realPath(sandbox.root);
    mkdirSync(join(base, 'far/away/deep'), { recursive: true });
    mkdirSync(join(base, 'tree'));
    symlinkSync('../far/away/deep', join(base, 'tree/link'));
    symlinkSync(join(base, 'far'), join(base, 'tree/whole'));
    symlinkSync('loop', join(base, 'tree/loop'));
    const at = (path: string) => realPath(join(base, 'tree') + path);
    expect(at('/link')).toBe(join(base, 'far/away/deep'));
    expect(at('/link/../x')).toBe(join(base, 'far/away/x'));
    expect(at('/whole/new/file')).toBe(join(base, 'far/new/file'));
    expect(at('/new/../../tree/./link')).toBe(join(base, 'far/away/deep'));
    expect(at('/../../../../../../../../../../..')).toBe('/');
    expect(at('/loop/x').startsWith('/')).toBe(true);
  });

  it('is followed as far as it can be seen', () => {
    const hidden = sandbox.dir('hidden');
    mkdirSync(join(hidden, 'in'));
    chmodSync(hidden, 0o000);
    expect(realPath(join(hidden, 'in/x')).endsWith('/in/x')).toBe(true);
    chmodSync(hidden, 0o700);
  });
});
