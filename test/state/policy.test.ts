import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groundOf, policyPath, readPolicy, realPath, strictPath } from '../../src/state/policy.ts';
import { writePolicy } from '../../src/state/policy-files.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let dir: string;
beforeEach(() => {
  sandbox = makeSandbox();
  dir = sandbox.dir('worker');
});
afterEach(() => sandbox.dispose());

const file = {
  root: '/place/tree',
  userHome: '/home/ada',
  stateHome: '/state',
  layers: [{ scope: 'default', allow: ['Bash(npm test *)'], confirm: [], deny: ['Edit'], inside: true, blind: true }],
};

describe('the rules of a worker on disk', () => {
  it('are read as they were written, by their owner alone', async () => {
    await writePolicy(dir, file, true);
    expect(readPolicy(dir)).toEqual({ v: 1, ...file });
    expect([policyPath(dir), strictPath(dir)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('are strict only while the mark is there', async () => {
    await writePolicy(dir, file, true);
    await writePolicy(dir, file, true);
    expect(existsSync(strictPath(dir))).toBe(true);
    await writePolicy(dir, file, false);
    await writePolicy(dir, file, false);
    expect(existsSync(strictPath(dir))).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['torn', '{"v":1,"root":'],
    ['of another version', JSON.stringify({ v: 2, ...file })],
    ['without a place', JSON.stringify({ v: 1, layers: [] })],
    [
      'with a list that is none',
      JSON.stringify({ v: 1, ...file, layers: [{ scope: 'x', allow: '*', confirm: [], deny: [] }] }),
    ],
    [
      'with a rule that is no text',
      JSON.stringify({ v: 1, ...file, layers: [{ scope: 'x', allow: [1], confirm: [], deny: [] }] }),
    ],
    ['no object', '[]'],
    ['null', 'null'],
  ])('that are %s are no rules at all', (_, text) => {
    if (text !== undefined) writeFileSync(policyPath(dir), text);
    expect(readPolicy(dir)).toBeUndefined();
  });
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

  it('is judged on the ground of the file', () => {
    expect(groundOf(file)).toMatchObject({ root: '/place/tree', userHome: '/home/ada', stateHome: '/state' });
  });
});
