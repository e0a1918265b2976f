// The contract of a terminal where each command of tmux is a process of its own.
import { expect } from 'vitest';
import { messageOf } from '../../src/model/errors.ts';
import { tmuxOf, withTerminal } from '../backends/terminal-bench.ts';
import { contract } from '../backends/terminal-contract.ts';
import { drill } from './drill.ts';

/** Rounds that follow one another play all of it. */
const parts = 3;

drill('real tmux keeps the contract with a process for each command', async (luck) => {
  const cases = contract.flatMap(([, some]) => some).filter((_, at) => at % parts === luck.seed % parts);
  expect(cases.length).toBeGreaterThan(0);
  for (const { title, keep } of cases) {
    try {
      await withTerminal((sandbox) => tmuxOf(sandbox, { transport: 'one-shot' }), keep);
    } catch (error) {
      throw new Error(`${title}: ${messageOf(error)}`, { cause: error });
    }
  }
});
