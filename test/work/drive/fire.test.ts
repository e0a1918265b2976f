import { expect, it } from 'vitest';
import type { CheckOutcome } from '../../../src/crew/landing/check.ts';
import { CrewError, type ErrorCode } from '../../../src/model/errors.ts';
import type { Schedule } from '../../../src/model/schedule.ts';
import { emptyBook } from '../../../src/model/task.ts';
import { type Entering, fire } from '../../../src/work/drive/fire.ts';

const due = Date.UTC(2026, 2, 3, 3);
const schedule: Schedule = {
  ...{ id: 's', crew: 'crew', project: '/p', cron: '0 3 * * *', timezone: 'UTC', enters: 'plan', order: {} },
  ...{ isEnabled: true, isRemoved: false, at: 0, since: due - 1, missed: 0, failures: 2, check: 'test' },
};

interface Given {
  readonly enter?: (entering: Entering) => Promise<void>;
  readonly check?: () => Promise<CheckOutcome>;
  readonly after?: Partial<Schedule>;
  readonly lateMs?: number;
}

const well = async () => ({ exitCode: 0, timedOut: false, output: '' });
const fired = ({ enter = async () => undefined, check = well, after = {}, lateMs = 0 }: Given) =>
  fire(
    {
      ...{ crew: { check }, enter: (_, entering) => enter(entering), now: () => due + lateMs },
      book: () => ({ ...emptyBook, schedules: new Map([['s', { ...schedule, ...after }]]) }),
      run: { signal: new AbortController().signal, tell: () => undefined },
    },
    { do: 'fire', schedule, occurrence: { at: due, older: 0 } },
  );

it('each try for an occurrence enters the same id, and another occurrence another', async () => {
  const entered: Entering[] = [];
  const enter = async (entering: Entering) => void entered.push(entering);
  expect(await fired({ enter })).toBe('fired');
  expect(await fired({ enter, lateMs: 200 * 60_000 })).toBe('fired');
  const [first, second] = entered;
  expect(first?.id).toMatch(/^e[0-9a-f]{7}$/);
  expect(first?.noted).toMatchObject({ id: 's', since: due, openRun: first?.id, lastRun: { planId: first?.id } });
  expect(first?.noted.lastRun).not.toHaveProperty('reason');
  expect(second).toMatchObject({ id: first?.id, noted: { lastRun: { reason: 'made up 3 hours late' } } });
});

it.each(['invalid_argument', 'not_a_repository', 'base_not_found'] as const)(
  'an order that is refused with %s is a failure, and the third pauses it',
  async (code: ErrorCode) => {
    const enter = () => Promise.reject(new CrewError(code, 'No role is called x.', ''));
    expect(await fired({ enter })).toMatchObject({
      tell: 'schedule_paused',
      set: {
        failures: 3,
        isEnabled: false,
        lastRun: { outcome: 'missed', reason: 'it was refused: No role is called x.' },
      },
    });
  },
);

it('what may pass defers it', async () => {
  const enter = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  const passed = await fired({ enter });
  expect(passed).toMatchObject({ set: { notBefore: due + 60_000, lastRun: { at: due, outcome: 'deferred' } } });
  expect(passed).not.toHaveProperty('set.since');
});

it.each<[string, CheckOutcome]>([
  ['took too long: still at it', { timedOut: true, output: 'x\nstill at it\n' }],
  ['ended with 2', { exitCode: 2, timedOut: false, output: '' }],
  ['ended with a signal', { timedOut: false, output: '' }],
  ['could not run: npm ci failed', { timedOut: false, isUnrun: true, output: 'npm ci failed' }],
])('a check that %s leaves nothing to do', async (words, outcome) => {
  expect(await fired({ check: async () => outcome })).toMatchObject({
    set: { since: due, lastRun: { outcome: 'nothing_to_do', reason: `its check ${words}` } },
  });
});

it.each([{ isEnabled: false }, { isRemoved: true }])('what changed while the check ran counts: %o', async (after) => {
  const enter = () => Promise.reject(new Error('entered'));
  expect(await fired({ after, enter })).toBeUndefined();
});
