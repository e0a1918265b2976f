// Which workers will ask about everyday work, known before their start.
import { expect, it } from 'vitest';
import { asksAbout } from '../../../src/crew/lifecycle/asking-ahead.ts';
import { programIn } from '../../../src/crew/lifecycle/facts-ahead.ts';

const usual = { mode: 'acceptEdits', isNamed: false, hasWorktree: true, isSandboxed: true, runsAll: false };

it.each([
  ['a worker as it comes asks nothing', {}, undefined],
  ['nor does one in auto or dontAsk', { mode: 'dontAsk', isNamed: true, isSandboxed: false }, undefined],
  ['the configured mode asks before edits', { mode: 'manual', isNamed: true }, /^asks about edits \(/],
  ['so does a shared checkout', { mode: 'manual', hasWorktree: false }, /^asks about edits \(/],
  ['the mode of a preset asks about nothing that its work is', { mode: 'manual' }, undefined],
  ['without a sandbox commands ask', { isSandboxed: false }, /^asks about commands \(no sandbox\)/],
  ['unless a rule allows all', { isSandboxed: false, runsAll: true }, undefined],
  [
    'both can be so',
    { mode: 'manual', isNamed: true, isSandboxed: false },
    /edits and commands \(.*manual.*no sandbox/,
  ],
  ['a plan waits for approval', { mode: 'plan', isNamed: true }, /approval/],
])('%s', (_, at, words) => {
  const said = asksAbout({ ...usual, ...at });
  if (words === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(words);
});

it.each([
  ['npm test', 'npm'],
  ['  make', 'make'],
  ['cargo test; echo done', 'cargo'],
  ['cd web && npm test', undefined],
  ['CI=1 npm test', undefined],
  ['./check.sh', undefined],
  ['[ -f x ]', undefined],
  ['test -f x', undefined],
  ['', undefined],
])('the program of %j is %s', (line, program) => {
  expect(programIn(line)).toBe(program);
});
