import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { isIgnored } from '../src/graph.ts';
import { makeSandbox } from './support/sandbox.ts';

const sandbox = makeSandbox();
afterEach(() => sandbox.dispose());

it('git leaves out of commits what its lists name, and everything outside of a repository', async () => {
  const repo = sandbox.repo('project');
  writeFileSync(join(repo, '.gitignore'), '/left-out\n');
  const asked = ['left-out', 'kept'].map((name) => isIgnored(sandbox.env, repo, join(repo, name)));
  const plain = sandbox.dir('plain');
  expect(await Promise.all([...asked, isIgnored(sandbox.env, plain, join(plain, 'kept'))])).toEqual([
    true,
    false,
    true,
  ]);
});
