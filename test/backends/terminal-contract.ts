// What every terminal must keep, whatever it is made of.
import { describe, test } from 'vitest';
import { board } from './board-contract.ts';
import { ending } from './ending-contract.ts';
import { keyboard } from './keyboard-contract.ts';
import { opening } from './opening-contract.ts';
import { screen } from './screen-contract.ts';
import { type ContractCase, type MakeTerminal, withTerminal } from './terminal-bench.ts';

type Room = readonly [name: string, cases: readonly ContractCase[]];

export const contract: readonly Room[] = [
  ['opening', opening],
  ['the end of a pane', ending],
  ['the keyboard', keyboard],
  ['the screen', screen],
  ['the board', board],
];

/** Declares the tests; each one gets a terminal, a socket and a home of its own. */
export function terminalContract(make: MakeTerminal, rooms = contract): void {
  describe.each([...rooms])('%s', (_, cases) => {
    test.each(cases)('$title', ({ keep }) => withTerminal(make, keep));
  });
}
