import { expect, it } from 'vitest';
import { comesBackLate, type LeftCrash } from '../../../src/crew/lifecycle/left-crash.ts';

const minute = 60_000;
const now = 10_000 * minute;
const crash = { at: now - minute, detail: 'ended by signal SIGKILL' };
const left: LeftCrash = {
  record: { phase: 'dead', lostTurn: crash },
  auto: 'crash',
  isOthers: false,
  verdict: { is: 'ended', detail: '', exit: { by: 'SIGKILL' } },
  now,
};

it('a crashed worker that an ended server has left comes back', () => {
  expect(comesBackLate(left)).toBe(true);
});

it.each<[what: string, differs: Partial<LeftCrash>]>([
  ['whose settings say never', { auto: 'never' }],
  ['of a server that lives', { isOthers: true }],
  ['that lost no turn', { record: { phase: 'dead' } }],
  ['that has come back since and knows', { record: { phase: 'dead', lostTurn: { ...crash, told: true } } }],
  ['that a server could not bring back', { record: { phase: 'dead', lostTurn: { ...crash, left: true } } }],
  ['that somebody closed', { record: { phase: 'closed', lostTurn: crash } }],
  ['that lives again', { record: { phase: 'live', lostTurn: crash } }],
  ['that crashed a day ago', { record: { phase: 'dead', lostTurn: { ...crash, at: now - 24 * 60 * minute } } }],
  ['whose pane is gone', { verdict: { is: 'ended', detail: 'its pane is gone' } }],
  ['whose pane shows a clean end', { verdict: { is: 'ended', detail: '', exit: { code: 0 } } }],
  ['whose pane runs a program', { verdict: { is: 'alive' } }],
  ['whose pane nobody can look at', { verdict: { is: 'unknown', detail: 'lost server' } }],
])('one %s stays', (_, differs) => {
  expect(comesBackLate({ ...left, ...differs })).toBe(false);
});

it('one that crashed a minute less than a day ago comes back', () => {
  const lostTurn = { ...crash, at: now - (24 * 60 - 1) * minute };
  expect(comesBackLate({ ...left, record: { phase: 'dead', lostTurn } })).toBe(true);
});
