// From a goal to the jobs of a plan: what holds of a hand-in, and what becomes of the planning.
import { describe, expect, it } from 'vitest';
import { CrewError } from '../../../src/model/errors.ts';
import { nameOfGoal } from '../../../src/model/goal-name.ts';
import type { HandedIn, HandIn, Plan, PlannedJob } from '../../../src/model/task.ts';
import { callsAt, planCallsOf } from '../../../src/work/judge/calls.ts';
import { checkpointsOf } from '../../../src/work/judge/checkpoint.ts';
import { jobsIn } from '../../../src/work/judge/hand-in.ts';
import { planIsPast, planStep } from '../../../src/work/judge/plan-step.ts';
import { plannerPrompt } from '../../../src/work/judge/planner-words.ts';
import { acceptedWith, endedWithout, reachedWith, refusedWith } from '../../../src/work/judge/planning.ts';
import { ended, facts, type Given, job, plan, task, work, worker } from '../parts.ts';

const planned = (name: string, given: Partial<PlannedJob> = {}): PlannedJob => ({
  ...{ name, prompt: `Build ${name}.`, dependsOn: [], touchSet: [`src/${name}/`], priority: 5 },
  acceptanceCriteria: 'Its tests pass.',
  ...given,
});
const many = (count: number) => Array.from({ length: count }, (_, at) => planned(`job-${at}`));
const handIn = (given: HandedIn, id = 'h'): HandIn => ({ ...given, id, at: 15 });
const jobsOf = (...jobs: readonly PlannedJob[]) => handIn({ is: 'jobs', jobs });

describe('a hand-in', () => {
  it.each([2, 8])('of %i jobs holds', (count) => {
    expect(jobsIn(jobsOf(...many(count)), plan([]))).toHaveLength(count);
  });

  it('needs no touch set for a job that brings words', () => {
    expect(jobsIn(jobsOf(planned('a'), planned('b', { touchSet: [], brings: 'report' })), plan([]))).toHaveLength(2);
  });

  it.each<[string, HandIn, string]>([
    ...[0, 1, 9, 200].map((count): [string, HandIn, string] => [
      `of ${count} jobs`,
      jobsOf(...many(count)),
      `A plan has 2 to 8 jobs, and this one has ${count}.`,
    ]),
    [
      'without a touch set for what brings a commit, and without criteria, all of it at once',
      jobsOf(planned('a', { touchSet: [] }), planned('b', { acceptanceCriteria: ' ' })),
      'acceptance_criteria say nothing: b. Without a touch_set, and not with brings "report": a. Name the paths that each changes.',
    ],
    [
      'with a job that nobody named',
      jobsOf(planned('a', { dependsOn: ['bb'] }), planned('b')),
      'The job "a" depends on "bb", and no job has that name.',
    ],
    [
      'in a circle',
      jobsOf(planned('a', { dependsOn: ['b'] }), planned('b', { dependsOn: ['a'] })),
      'The jobs depend on each other in a circle: a -> b -> a.',
    ],
    [
      'that the goal is reached, outside of a loop',
      handIn({ is: 'reached', why: 'All is done.' }),
      'reached is for the planner of a loop, and this plan is part of none.',
    ],
    ['without the shape of one', handIn({ is: 'unfit', words: 'jobs is missing.' }), 'jobs is missing.'],
  ])('%s is refused', (_, given, message) => {
    expect(() => jobsIn(given, plan([]))).toThrow(message);
  });

  it('of one job holds in a loop, and one that says why the goal is reached', () => {
    const one = planning({ loop: 'l', planner: 'm' });
    const reached = handIn({ is: 'reached', why: 'All is there.' });
    expect(jobsIn(jobsOf(...many(1)), one)).toHaveLength(1);
    expect(() => jobsIn(jobsOf(), one)).toThrow('A plan has 1 to 8 jobs, and this one has 0.');
    expect(reachedWith(facts({ tasks: [] }), one, reached)).toEqual({
      plan: { state: 'completed', verdict: { of: 'h', refused: 0 }, endedAt: 1_000, reason: null },
      tasks: [{ id: 'm', keepWorker: false }],
      tell: 'plan_ended',
    });
    const silent = handIn({ is: 'reached', why: ' ' });
    expect(reachedWith(facts({ tasks: [] }), planning(), reached)).toBeUndefined();
    expect(reachedWith(facts({ tasks: [] }), one, silent)).toBeUndefined();
    expect(() => jobsIn(silent, one)).toThrow('why is empty.');
  });

  it('takes no place of jobs that somebody may be reading', () => {
    expect(() => jobsIn(jobsOf(...many(2)), plan(['a']))).toThrow('The jobs of cart are with your manager already.');
  });
});

const planning = (given: Partial<Plan> = {}): Plan => plan([], { state: 'proposed', planner: 'm', ...given });
const planner = task({ id: 'm', state: 'running', worker, plansFor: 'p', keepWorker: true });
const step = (one: Plan, given: Partial<Given> = {}) => {
  const all = facts({ tasks: [planner], plans: [one], ...given });
  return planStep(all, one);
};
const given = jobsOf(...many(2));
const jobs = [job({ id: 'a' }), job({ id: 'b' })];
const proposed = { ...planning({ verdict: { of: 'h', refused: 0 } }), jobs: ['a', 'b'], handIn: given };
const bad = new CrewError('invalid_argument', 'Too few.', 'Hand in more.');

describe('a plan that is being made', () => {
  it.each<[string, Plan, Partial<Given>, object | undefined]>([
    ['waits for its planner', planning(), {}, undefined],
    ['judges what is handed in', planning({ handIn: given }), {}, { do: 'judge' }],
    ['judges it once', planning({ handIn: given, verdict: { of: 'h', refused: 1 } }), {}, undefined],
    ['judges a planner that has ended', planning(), { tasks: [{ ...planner, state: 'done' }] }, { do: 'judge' }],
    [
      'is cancelled with its planner',
      planning({ isCancelled: true }),
      {},
      {
        set: { state: 'cancelled' },
        tasks: [{ id: 'm', isCancelled: true, keepWorker: false }],
      },
    ],
    [
      'is made again by a planner that goes on',
      planning({ state: 'failed', handIn: given, verdict: { of: 'h', refused: 3 } }),
      {},
      {
        set: { state: 'proposed', endedAt: null, verdict: { of: 'h', refused: 0 } },
      },
    ],
    [
      'stays failed with its planner',
      planning({ state: 'failed' }),
      { tasks: [{ ...planner, state: 'failed' }] },
      undefined,
    ],
  ])('%s', (_, one, around, expected) => {
    if (expected === undefined) expect(step(one, around)).toBeUndefined();
    else expect(step(one, around)).toMatchObject(expected);
  });

  it.each(['autopilot', 'copilot', 'supervisor'] as const)('waits at its start in mode %s', (mode) => {
    const one = { ...proposed, mode };
    const [point] = checkpointsOf(facts({ tasks: [planner, ...jobs] }).book, one);
    expect(point).toMatchObject({ at: 'start', isPlanned: true });
    expect(point && callsAt(one, point).map((call) => call.split(' ')[0])).toEqual(['approve_plan', 'cancel_plan']);
    expect(step(one, { tasks: [planner, ...jobs] })).toBeUndefined();
  });

  it.each(['autopilot', 'copilot', 'supervisor'] as const)(
    'in a loop waits there unless it runs on autopilot: %s',
    (mode) => {
      const one = { ...proposed, mode, loop: 'l' };
      const starts = { set: { state: 'running' }, tell: 'plan_started', tasks: [{ id: 'm', keepWorker: false }] };
      const isFree = mode === 'autopilot';
      expect(step(one, { tasks: [planner, ...jobs] }) ?? {}).toMatchObject(isFree ? starts : {});
      expect(checkpointsOf(facts({ tasks: [planner, ...jobs] }).book, one)).toHaveLength(isFree ? 0 : 1);
      expect(acceptedWith(planning({ mode, loop: 'l' }), given, jobs).tell).toBe(
        isFree ? undefined : 'plan_checkpoint',
      );
    },
  );

  it('starts once it is approved, and lets its planner go', () => {
    const one = { ...proposed, decisions: { 'start:0': { action: 'continue', at: 0 } as const } };
    expect(step(one, { tasks: [planner, ...jobs] })).toMatchObject({
      set: { state: 'running', reason: null },
      tell: 'plan_started',
      tasks: [{ id: 'm', keepWorker: false }],
    });
  });

  it('is made anew with what is wrong, once the turn of its planner is over', () => {
    const one = {
      ...proposed,
      decisions: { 'start:0': { action: 'relaunch', prompt: 'Too coarse.', at: 0 } as const },
    };
    expect(step(one, { tasks: [planner, ...jobs] })).toBeUndefined();
    const over = { ...planner, state: 'done' } as const;
    expect(step(one, { tasks: [over, ...jobs], works: [work()] })).toMatchObject({
      set: { jobs: [], round: 1, verdict: { of: 'h', refused: 0 } },
      tasks: [
        { id: 'a', isSkipped: true, progress: { is: 'ended', how: 'cancelled' } },
        { id: 'b', isSkipped: true },
        { id: 'm', progress: { is: 'queued', next: { message: { text: expect.stringContaining('Too coarse.') } } } },
      ],
    });
    expect(step(one, { tasks: [over, ...jobs] })).toMatchObject({
      tasks: [{}, {}, { worker: null, prompt: expect.stringMatching(/^do m\n[\s\S]*Too coarse\./) }],
    });
  });

  it('has its jobs in one line with the word that they hold, and tells that it waits', () => {
    expect(acceptedWith(planning(), given, jobs)).toMatchObject({
      plan: { jobs: ['a', 'b'], verdict: { of: 'h', refused: 0 }, reason: expect.stringContaining('2 jobs') },
      tasks: jobs,
      tell: 'plan_checkpoint',
    });
  });

  const inTurn = { tasks: [planner], works: [work({ turn: { id: 'w:1', startedAt: 10 }, lastWords: 'I  am lost.' })] };
  const afterTurn = { tasks: [planner], works: [work({ turn: ended() })] };

  it('sends a hand-in that does not hold back by the call alone, and as a message where that is over', () => {
    expect(refusedWith(facts(inTurn), planning(), given, bad)).toEqual({
      plan: { verdict: { of: 'h', refused: 1, words: 'Too few. Hand in more.' } },
      tasks: [],
    });
    expect(refusedWith(facts(afterTurn), planning(), given, bad).tasks).toMatchObject([
      { id: 'm', progress: { is: 'running', message: { text: expect.stringContaining('Too few.') } } },
    ]);
  });

  it('fails at the third that does not hold, with the words of both', () => {
    const one = planning({ verdict: { of: 'g', refused: 2 } });
    expect(refusedWith(facts(inTurn), one, given, bad)).toMatchObject({
      plan: {
        state: 'failed',
        verdict: { of: 'h', refused: 3 },
        reason:
          'Its planner handed in 3 plans that do not hold; the last: Too few. Hand in more. Its last words: I am lost.',
      },
      tasks: [{ id: 'm', progress: { is: 'ended', how: 'failed' } }],
      tell: 'plan_ended',
    });
  });

  it.each<[string, Partial<Given>, Partial<Plan>, string]>([
    [
      'ends its turn',
      { works: [work({ lastWords: 'Done!' })] },
      {},
      'Its planner ended its turn without a plan that holds. Its last words: Done!',
    ],
    [
      'ends its turn after one that does not hold',
      { works: [] },
      { verdict: { of: 'h', refused: 1, words: 'Too few.' } },
      'Its planner ended its turn without a plan that holds. What it handed in before does not hold: Too few.',
    ],
    [
      'has failed',
      { tasks: [{ ...planner, state: 'failed', reason: 'no terminal' }] },
      {},
      'Its planner failed: no terminal.',
    ],
    ['was cancelled', { tasks: [{ ...planner, state: 'cancelled' }] }, {}, 'Its planner was cancelled.'],
  ])('fails where its planner %s', (_, around, its, reason) => {
    const all = facts({ tasks: [{ ...planner, state: 'done' }], ...around });
    expect(endedWithout(all, planning(its))?.plan).toMatchObject({ state: 'failed', reason, endedAt: 1_000 });
  });

  it('that failed names the call that has its planner try again, and is past until then', () => {
    const one = planning({ state: 'failed' });
    const { book } = facts({ tasks: [{ ...planner, state: 'failed' }], plans: [one] });
    expect(planCallsOf(book, one)).toEqual([
      'update_task {"task_id":"m","action":"retry"}',
      'cancel_plan {"plan_id":"p"}',
    ]);
    expect(planIsPast(book, one)).toBe(true);
    expect(planIsPast(facts({ tasks: [planner] }).book, one)).toBe(false);
  });
});

it.each([
  ['Sell a cart.', 'Sell a cart.'],
  [
    '  Add\n coupons to the cart, and show them in the receipt that is sent',
    'Add coupons to the cart, and show them in the',
  ],
  ['x'.repeat(90), 'x'.repeat(50)],
])('the name of a plan is the first words of its goal: %j', (goal, name) => {
  expect(nameOfGoal(goal)).toBe(name);
});

it('a planner is told the goal, what counts, and what makes a plan fast', () => {
  const told = plannerPrompt({ goal: 'Sell a cart.', testCommand: 'make test' });
  for (const words of [
    'Sell a cart.',
    '2 to 8 jobs with submit_plan',
    'longest chain',
    'never own one file',
    '`make test`',
  ])
    expect(told).toContain(words);
});
