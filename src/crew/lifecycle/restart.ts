// Brings ended workers back one after the other, for as long as the brakes allow it.
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { pause } from '../../system/clock.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { RestartPlan, SpawnFailure, SpawnResult } from '../../wire/starting.ts';
import type { Run } from '../orders.ts';
import { accountKey } from '../workers/accounts.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { agentEnvironment } from '../workers/private-options.ts';
import { awaitFact } from '../workers/timing.ts';
import { type Birth, brakesAfter, noBrakes, pauseBefore, whyNotTried } from './restart-brakes.ts';
import { endedOf, type Returned, restartOne } from './restart-one.ts';
import { type HowAsked, plannedRestart, restartCall } from './restart-plan.ts';
import { failureOf, type Spawned, spawnResult } from './spawn.ts';

export interface RestartOrder extends Partial<HowAsked> {
  readonly workers: readonly string[];
}

/** A caller that says nothing of it names its workers and goes on with what they had. */
const askedIn = ({ fresh = false, orAnew = false, isNamed = true }: RestartOrder): HowAsked => ({
  fresh,
  orAnew,
  isNamed,
});

const recordsOf = ({ roster }: CrewContext, { workers }: RestartOrder): readonly WorkerRecord[] => [
  ...new Map(workers.map((ref) => roster.present(roster.resolve(ref))).map((record) => [record.id, record])).values(),
];

/** What a restart would do now. Changes nothing. */
export async function planRestart(context: CrewContext, order: RestartOrder): Promise<RestartPlan> {
  const ended = await Promise.all(recordsOf(context, order).map((record) => endedOf(context, record)));
  const plan = ended.map((one) => plannedRestart(one, askedIn(order)));
  return plan.map(({ id, name, action, reason, hint }) => ({
    ...{ session_id: id, name, action },
    reason: hint === undefined ? reason : `${reason}. ${hint}`,
  }));
}

export async function restartWorkers(context: CrewContext, order: RestartOrder, run: Run): Promise<SpawnResult> {
  const asked = { ...askedIn(order), run };
  const records = recordsOf(context, order);
  const done: Spawned[] = [];
  let brakes = noBrakes;
  for (const [index, record] of records.entries()) {
    const account = await accountNow(context, record);
    const why = run.signal.aborted ? 'it was called off' : whyNotTried(brakes, account);
    if (why !== undefined) {
      done.push({ failure: notTried(record, why) });
      continue;
    }
    await pause(pauseBefore(brakes, context.clock.now(), Math.random()), run.signal);
    const one = await restartOne(context, record, asked);
    done.push(one);
    if (index === records.length - 1) break;
    const birth = await birthOf(context, one);
    brakes = brakesAfter(brakes, birth, { name: record.name, account, at: context.clock.now() });
  }
  return spawnResult(context, done, { layout: 'auto' });
}

const signCeilingMs = 30_000;
/** An agent shows beside its first prompt that nobody is logged in. */
const loginShowsWithinMs = 1_000;

/** Resolves once its agent has given a sign of its own, or none within its time. */
async function birthOf(context: CrewContext, one: Returned): Promise<Birth> {
  if ('failure' in one) return one.step === 'start' ? 'dead' : 'refused';
  const following = context.roster.following(one.record.id);
  if (following === undefined) return 'silent';
  const until = (ceilingMs: number, holds: (state: TurnState) => boolean) =>
    awaitFact(following, { clock: context.clock, ceilingMs }, () => (holds(following.state) ? true : undefined));
  await until(signCeilingMs, ({ is }) => is !== 'starting');
  await until(loginShowsWithinMs, ({ is }) => is !== 'idle');
  return birthShownBy(following.state);
}

/** Pure. */
export function birthShownBy({ is, waitingFor }: Pick<TurnState, 'is' | 'waitingFor'>): Birth {
  if (is === 'starting') return 'silent';
  if (is === 'gone') return 'dead';
  return waitingFor === 'login' ? 'logged_out' : 'born';
}

const notTried = ({ id, name }: WorkerRecord, why: string): SpawnFailure =>
  failureOf(
    name,
    'not tried',
    new CrewError('start_blocked', `${name} stays as it was: ${why}.`, `${restartCall([id])} tries it.`),
  );

/** The account that it would work on now. */
async function accountNow(context: CrewContext, record: WorkerRecord): Promise<string> {
  return accountKey(context.agents.of(record), await agentEnvironment(context, record));
}
