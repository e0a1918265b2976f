// Real tmux keeps the contract: over the kept client all of it, and with a process for each command what is typed.
import { describe } from 'vitest';
import { tmuxOf } from '../terminal-bench.ts';
import { contract, terminalContract } from '../terminal-contract.ts';

describe('over the kept client', () => {
  terminalContract(tmuxOf);
});

// The drills play the rest of it: the commands are the same, and only how they reach tmux is another.
describe('with a process for each command', () => {
  terminalContract(
    (sandbox) => tmuxOf(sandbox, { transport: 'one-shot' }),
    contract.filter(([room]) => room === 'the keyboard'),
  );
});
