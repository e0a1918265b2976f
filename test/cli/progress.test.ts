import { expect, it } from 'vitest';
import { dueLines, noSteps, type StepsSaid, withProgress } from '../../src/cli/progress.ts';

const said = (change: Partial<StepsSaid>): StepsSaid => ({ ...noSteps, ...change });

it.each<[string, StepsSaid, number, readonly string[]]>([
  ['what is over at once shows no step', said({ waiting: ['Ada is up'] }), 999, []],
  [
    'steps that are told show once the act is long',
    said({ waiting: ['staging', 'testing'] }),
    1_000,
    ['1 s: staging', '1 s: testing'],
  ],
  ['a step shows its seconds, in one line', said({ waiting: ['Ada\u001b[2J is\nup'] }), 75_900, ['75 s: Ada[2J is up']],
  ['nothing is said again within ten seconds', said({ last: 'testing', shownAtMs: 3_000 }), 12_999, []],
  ['a step that lasts is said again', said({ last: 'testing', shownAtMs: 3_000 }), 13_000, ['13 s: testing']],
  ['an act that tells nothing is under way', noSteps, 10_000, ['10 s: under way']],
])('%s', (_title, progress, elapsedMs, lines) => {
  const due = dueLines(progress, elapsedMs);
  expect(due.lines).toEqual(lines);
  expect(dueLines(due.progress, elapsedMs).lines).toEqual([]);
});

it('where no terminal is, an act tells nobody', async () => {
  const said: string[] = [];
  const complain = (text: string) => said.push(text);
  expect(await withProgress({ complain }, async (tell) => String(tell('a step')))).toBe('undefined');
  expect(said).toEqual([]);
});
