// Following must not keep a process from ending.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Children, childrenOf } from '../store/child.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let children: Children;
beforeEach(() => {
  sandbox = makeSandbox();
  children = childrenOf(sandbox);
});
afterEach(async () => {
  await children.endAll();
  sandbox.dispose();
});

test.each(['closed', 'stay-open'])(
  'a process whose followers are %s ends by itself when its work is done',
  async (how) => {
    const file = join(sandbox.root, 'not-yet', 'a.jsonl');
    const child = children.start('follower.ts', file, join(sandbox.root, 'nor-this'), how);
    await eventually('the child has started', () => child.output().includes('following'));
    sandbox.dir('not-yet');
    appendFileSync(file, 'hello\n');
    expect(await child.ended).toBe(0);
    expect(child.output()).toContain('line hello');
  },
);
