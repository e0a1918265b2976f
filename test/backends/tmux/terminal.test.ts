// Real tmux keeps the contract, over the kept client and with a process for each command.
import { describe } from 'vitest';
import { openTmux } from '../../../src/backends/tmux/tmux.ts';
import { systemClock } from '../../../src/clock.ts';
import { terminalContract } from '../terminal-contract.ts';

describe('over the kept client', () => {
  terminalContract((sandbox) => openTmux({ socket: sandbox.socket, env: sandbox.env, clock: systemClock }));
});

describe('with a process for each command', () => {
  terminalContract((sandbox) =>
    openTmux({ socket: sandbox.socket, env: sandbox.env, clock: systemClock, transport: 'one-shot' }),
  );
});
