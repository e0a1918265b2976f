import { afterAll, expect, it } from 'vitest';
import type { Crew, Work } from '../../../src/crew/api.ts';
import type { LandingResult } from '../../../src/wire/landing.ts';
import { performTask } from '../../../src/work/drive/perform.ts';
import { makeSandbox } from '../../support/sandbox.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { ended, facts, job, plan, work, worker } from '../parts.ts';
import { landing } from '../world.ts';

const sandbox = makeSandbox();
afterAll(() => sandbox.dispose());

const run = { signal: new AbortController().signal, tell: () => undefined };
const branch = (...commits: string[]) => ({ branch: 'ada', commits, behind: 0, dirtyFiles: 0 });
const one = job({ worker, branch: 'ada', attempt: 1, round: 1, overAt: 30 });

function act(what: 'stop' | 'collect' | 'check' | 'land', given: TaskGiven, crew: Partial<Crew>) {
  const now = job({ ...one, ...given });
  const works: readonly Work[] = [work({ turn: ended() })];
  const acting = {
    crew: { ...stubCrew(() => undefined), ...crew },
    ...{ folder: sandbox.root, run, claimed: new Set<string>() },
    facts: () => facts({ tasks: [now], works, plans: [plan(['t'])] }),
  };
  return performTask(acting, what, now);
}

const nothing = { screen: () => Promise.reject(new Error('no')), diff: () => Promise.reject(new Error('no')) };

it('what is stopped or has failed tells the commits that it leaves', async () => {
  const branchOf = async () => branch('a one');
  const cancelled = await act('stop', { state: 'running', isCancelled: true }, { branchOf });
  expect(cancelled).toMatchObject({ progress: { is: 'ended', how: 'cancelled' }, evidence: { commits: ['a one'] } });
  const over = await act('stop', { state: 'running', reason: 'its 1 minutes are over' }, { branchOf });
  expect(over).toMatchObject({ progress: { is: 'ended', how: 'failed' }, evidence: { commits: ['a one'] } });
  const failed = await act('collect', { state: 'failed' }, { branchOf, ...nothing });
  expect(failed).toMatchObject({ progress: { isSeenTo: true }, evidence: { commits: ['a one'] } });
});

it('what is stopped keeps what was known of its commits where git cannot tell', async () => {
  const branchOf = () => Promise.reject(new Error('git is gone'));
  const evidence = { claimed: true, commits: ['a one'] };
  const cancelled = await act('stop', { state: 'running', isCancelled: true, evidence }, { branchOf });
  expect(cancelled).toMatchObject({ progress: { is: 'ended', how: 'cancelled' }, evidence });
});

it('the commits of a job are those that the branch of its plan lacks', async () => {
  const asked: unknown[] = [];
  const branchOf: Crew['branchOf'] = async ({ base }) => {
    asked.push(base);
    return branch('a one');
  };
  await act('check', { state: 'checking' }, { branchOf });
  await act('land', { state: 'landing', evidence: { claimed: true, commits: ['a one'] } }, { branchOf });
  expect(asked).toEqual(['lane', 'lane']);
});

it.each<[string, Partial<LandingResult>, readonly string[], object]>([
  ['landed', {}, ['a Commit the rest'], { progress: { how: 'landed' }, evidence: { commits: ['a Commit the rest'] } }],
  ['landed with its very commits', {}, [], { progress: { how: 'landed' }, evidence: { commits: ['b'] } }],
  [
    'was held',
    { outcome: 'outside', outside: ['b.ts'] },
    ['a'],
    { progress: { is: 'landing' }, evidence: { commits: ['a'] } },
  ],
])('work in no commit that %s tells the commit that crewmux made of it', async (_, end, left, expected) => {
  let looks = 0;
  const crew: Partial<Crew> = {
    branchOf: async () => branch(...(looks++ === 0 ? [] : left)),
    land: async () => landing({ outcome: 'landed', target: 'lane', leftovers_committed: 2, ...end }),
  };
  expect(await act('land', { state: 'landing' }, crew)).toMatchObject(expected);
});
