import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readGit } from '../../../src/worktree/git/repo.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = makeSandbox();
});
afterAll(() => box.dispose());

/** What a server does that parses a long transcript meanwhile. */
function stall(): () => void {
  let isOn = true;
  const again = () => {
    if (!isOn) return;
    const until = performance.now() + 80;
    while (performance.now() < until);
    setTimeout(again, 0);
  };
  setTimeout(again, 0);
  return () => {
    isOn = false;
  };
}

it('nothing of what git prints is lost by a process that is busy while git ends', async () => {
  const path = box.repo('app');
  const text = `${'x'.repeat(99)}\n`.repeat(20_000);
  writeFileSync(join(path, 'large'), text);
  box.git(path, 'add', '.');
  const stop = stall();
  try {
    for (let n = 0; n < 5; n++) {
      const printed = await readGit({ path, env: box.env }, ['cat-file', 'blob', ':large']);
      expect(printed.length).toBe(text.length);
    }
  } finally {
    stop();
  }
});
