// What an outcome makes of a task. Pure.

import type { LandOutcome, Work } from '../../crew/api.ts';
import { unlessEmpty } from '../../model/defined.ts';
import { counted } from '../../model/plural.ts';
import { bringsOf, type Task, type TaskClash } from '../../model/task.ts';
import {
  atWork,
  ended,
  landing,
  overAtOf,
  type ProgressAt,
  type Progressing,
  queued,
} from '../../model/task-progress.ts';
import { holdOf, isActive, planOf } from '../../model/task-state.ts';
import { alarmTitle } from '../../model/worker.ts';
import type { TaskPatch } from '../../store/job-book.ts';
import { type Facts, jobsOf, lands, mostBounces, workOf } from './facts.ts';
import { some } from './plan-graph.ts';
import { redHoldWords, redWords, testsOf } from './red-tests.ts';
import { againText, bounceText, failedTurnText, nothingText, parts } from './words.ts';

type Set = Omit<TaskPatch, 'id'>;

export const gone = ({ status }: Pick<Work, 'status'>): boolean => status === 'dead' || status === 'closed';

/**
 * A turn of its worker goes on, or ended after this time. Only time tells: a driver that was killed may have sent a
 * message and noted nothing, and a server that comes later may count the turns differently.
 */
export const hasTurnAfter = (at: number, { turn }: Pick<Work, 'turn'>): boolean =>
  turn !== undefined && (turn.endedAt === undefined || turn.endedAt > at);

/** What was checked is not all that would land, so it is watched and checked again. */
export const watchedAgain = { progress: atWork, reason: null } as const;

export const seenTo = ({ progress }: Progressing) =>
  progress.is === 'ended' ? { progress: { ...progress, isSeenTo: true } } : {};

/** What held it is seen to. The failure makes a later hold another moment. */
export const landsAsItIs = (task: Task) =>
  ({ progress: landing(task), failures: task.failures + 1, reason: null }) as const;

/** Undefined where nothing is held that could land. */
export function landsAgain(task: Task) {
  const hold = holdOf(task);
  const isFit = task.progress.is === 'landing' && hold !== undefined && hold.why !== 'touch_set';
  return isFit ? landsAsItIs(task) : undefined;
}

/** As a try more. */
export function retriedLanding(task: Task) {
  const set = landsAgain(task);
  return set && { ...set, ...repeated(task) };
}

/** Of the words why a task waits. */
export const mostReason = 500;

const retryMs = 1_000;
const longestRetryMs = 60_000;

/** A second after the first failure, then ever later. */
const notBefore = (now: number, failures: number): number =>
  now + Math.min(longestRetryMs, retryMs * 2 ** (failures - 1));

/** It is tried again where retries are left. */
export function failedWith(
  facts: Pick<Facts, 'now' | 'works'>,
  task: Task,
  reason: string,
  isFinal = false,
): Set & Progressing {
  const { now } = facts;
  const failures = task.failures + 1;
  if (isFinal || failures > task.maxRetries) return { progress: ended('failed'), reason, failures, endedAt: now };
  const again = { failures, reason, notBefore: notBefore(now, failures) };
  const work = workOf(facts, task);
  if (work === undefined || work.isUnborn) return { ...again, progress: queued, worker: null };
  return { ...again, ...toldAgain(facts, { ...task, failures }, failedTurnText(task, reason)) };
}

/** The worker of the task as it then is gets this text, at most once, and whatever it does after it counts. */
export const told = (facts: Pick<Facts, 'now'>, task: Task, text: string): ProgressAt<'running'> => ({
  ...atWork,
  ...telling(facts, task, text),
});

const telling = ({ now }: Pick<Facts, 'now'>, { id, round, failures, bounces }: Task, text: string) => ({
  message: { id: `${id}-${round}-${failures}-${bounces}`, text },
  toldAt: now,
});

/** As a try more, by the same worker. */
const toldAgain = (facts: Pick<Facts, 'now'>, task: Task, text: string) => ({
  progress: told(facts, task, text),
  ...repeated(task),
});

const repeated = ({ repeats = 0 }: Pick<Task, 'repeats'>) => ({ repeats: repeats + 1 }) as const;

/** By a person or a manager, with a prompt of theirs or the reason. What has ended waits for room again. */
export function askedAgain(
  facts: Pick<Facts, 'now' | 'works'>,
  task: Task,
  prompt: string | undefined,
  otherwise = againText(task),
): Set {
  const failures = task.failures + 1;
  const set = {
    isCancelled: false,
    isSkipped: false,
    reason: null,
    notBefore: null,
    startedAt: null,
    endedAt: null,
    failures,
    bounces: 0,
    artefacts: [],
    evidence: { ...task.evidence, claimed: false },
  };
  const work = workOf(facts, task);
  if (work === undefined || work.isUnborn)
    return { ...set, progress: queued, worker: null, ...(prompt !== undefined && { prompt }) };
  const next = telling(facts, { ...task, failures, bounces: 0 }, prompt ?? otherwise);
  return { ...set, ...repeated(task), progress: isActive(task) ? { ...atWork, ...next } : { ...queued, next } };
}

/** Its worker gets this text; one that is started for it anew, all that was asked before as well. */
export function sentBack(facts: Pick<Facts, 'now' | 'works'>, task: Task, text: string): Set {
  const set = askedAgain(facts, task, undefined, text);
  return set.worker === null ? { ...set, prompt: parts([task.prompt, text]) } : set;
}

/** It has said so in its newest turn, or after it. */
export const claims = ({ said, turn }: Pick<Work, 'said' | 'turn'>, as: readonly string[]): boolean =>
  said !== undefined && turn !== undefined && said.at >= turn.startedAt && as.includes(said.as);

/** Why nothing goes on after its last word, where that calls for somebody. */
export const alarmWords = ({ name, alarm }: Pick<Work, 'name' | 'alarm'>): string | undefined =>
  alarm && `${alarmTitle(name, alarm)}: ${alarm.message}`;

export interface Looked {
  readonly commits: readonly string[];
  readonly dirtyFiles: number;
  /** Where its branch has no commit more than this one, and has gained some since it was begun. */
  readonly heldBy?: string | undefined;
}

const mostLastWords = 200;

/** It was to bring a commit. A job of a plan has no retries: somebody decides. */
function leftNothing(facts: Facts, task: Task, lastWords: string): Set & Progressing {
  const said = lastWords.replace(/\s+/g, ' ').trim();
  const words = said.length > mostLastWords ? `${said.slice(0, mostLastWords)}…` : said;
  const reason = `left nothing: ${words === '' ? 'it said nothing' : words}`;
  const failed = failedWith(facts, task, reason);
  const { progress } = failed;
  if (progress.is === 'ended') {
    const hold = { why: 'nothing', words: reason, files: [] } as const;
    return { ...failed, progress: { ...progress, hold, overAt: overAtOf(task) } };
  }
  if (progress.is !== 'running' || progress.message === undefined) return failed;
  return { ...failed, progress: { ...progress, message: { ...progress.message, text: nothingText(task) } } };
}

/** After a look at what its finished turn has left. */
export function checkedWith(facts: Facts, task: Task, looked: Looked): Set & Progressing {
  const { commits, dirtyFiles, heldBy } = looked;
  const work = workOf(facts, task);
  // What it said last may be read after the end of its turn.
  const alarm = work && alarmWords(work);
  if (alarm !== undefined) return { progress: { ...atWork, as: 'waiting' }, reason: alarm.slice(0, mostReason) };
  const claimed = task.evidence.claimed || (work !== undefined && claims(work, ['completed', 'report']));
  const evidence = { ...task.evidence, claimed, commits };
  const hasWork = commits.length > 0 || dirtyFiles > 0;
  const hasTarget = task.branch !== undefined && lands(task);
  if (hasWork && hasTarget) return { progress: landing(task), evidence };
  if (heldBy !== undefined)
    return {
      progress: ended('done'),
      evidence,
      reason: `${heldBy} holds all of its commits already`,
      endedAt: facts.now,
    };
  const { lastWords = '' } = work ?? {};
  // Of a worker without a branch nobody can tell what it has committed.
  if (!hasWork && task.branch !== undefined && bringsOf(task) === 'commit')
    return { ...leftNothing(facts, task, lastWords), evidence };
  if (!hasWork && !claimed && lastWords === '')
    return { ...failedWith(facts, task, 'its turn ended, and it has changed nothing and said nothing'), evidence };
  const left =
    dirtyFiles === 0 || hasTarget
      ? null
      : `${dirtyFiles} ${dirtyFiles === 1 ? 'file in its worktree is' : 'files in its worktree are'} in no commit`;
  return { progress: ended('done'), evidence, reason: left, endedAt: facts.now };
}

/** After its landing, whichever way that ended. */
export function landedWith(facts: Facts, task: Task, result: LandOutcome): Set & Progressing {
  const { outcome, target, tests, to_commit, reason = '' } = result;
  const over = { endedAt: facts.now };
  const passed = tests.status === 'passed' ? { checkedAt: to_commit } : {};
  const evidence = { ...task.evidence, ...passed, landedAt: to_commit };
  switch (outcome) {
    case 'landed':
    case 'dry_run':
      return { ...over, progress: ended('landed'), evidence, reason: null };
    case 'nothing':
      return { ...over, progress: ended('done'), reason };
    case 'outside':
      return {
        progress: landing(task, { why: 'touch_set', words: reason, files: [...(result.outside ?? [])] }),
        reason,
      };
    case 'target_moved':
      return { progress: landing(task), notBefore: facts.now + retryMs, reason };
    case 'conflict':
      break;
    case 'checks_failed':
      if (result.redTarget !== undefined) return redWith(facts, task, result);
      break;
  }
  const log = tests.path === undefined ? {} : { artefacts: [tests.path] };
  const words =
    outcome === 'conflict'
      ? conflictWords(result)
      : `the tests ${tests.status === 'timed_out' ? 'did not end in time' : 'failed'} on ${target}`;
  // Of a plan's job plan_status has it.
  const where = tests.path === undefined || task.planId !== undefined ? '' : `; the output is in ${tests.path}`;
  if (task.bounces >= mostBounces || workOf(facts, task) === undefined) {
    const times = `also after it was sent back ${counted(task.bounces, 'time')}`;
    return { ...failedWith(facts, task, `${words}, ${times}${where}`, true), ...log };
  }
  const bounces = task.bounces + 1;
  return {
    ...repeated(task),
    progress: { ...told(facts, { ...task, bounces }, bounceText(task, result)), as: 'bounced' },
    bounces,
    reason: `${words}${where}`,
    ...log,
  };
}

function conflictWords({ target, conflicts }: LandOutcome): string {
  const files = conflicts.length === 0 ? '' : ` in ${some(conflicts.map(({ file }) => file))}`;
  return `its work conflicts with ${target}${files}`;
}

/** Its tests fail without it too, so there is nothing for its worker to mend. */
function redWith(facts: Facts, task: Task, result: LandOutcome): Set & Progressing {
  const plan = planOf(facts, task);
  const words = redWords(result, plan);
  const paths = [result.redTarget?.path, result.tests.path].filter((path) => path !== undefined);
  const log = paths.length === 0 ? {} : { artefacts: paths };
  if (plan === undefined) return { ...failedWith(facts, task, words, true), ...log };
  const hold = { why: 'red_tests', words: redHoldWords(words), files: [] } as const;
  return { progress: landing(task, hold), reason: words.slice(0, mostReason), ...log };
}

/** What plan_status tells of its latest try, which may have come to no tests. */
export function triedWith(facts: Pick<Facts, 'book'>, task: Task, result: LandOutcome): Set {
  const { outcome } = result;
  const isBeforeTests = outcome === 'conflict' || outcome === 'outside';
  const tests = testsOf(result) ?? (isBeforeTests ? null : undefined);
  return { clashes: unlessEmpty(clashesOf(facts, task, result)) ?? null, ...(tests !== undefined && { tests }) };
}

const mostClashing = 100;

/** By the job that landed its file last, in the order of the files. */
function clashesOf(
  { book }: Pick<Facts, 'book'>,
  task: Task,
  { target, conflicts }: LandOutcome,
): readonly TaskClash[] {
  const plan = planOf({ book }, task);
  const jobs = plan === undefined ? [] : jobsOf(book, plan);
  const jobOf = (owner: string | undefined) => owner && jobs.find(({ worker }) => worker?.name === owner)?.title;
  const files = new Map<string, string[]>();
  for (const { file, theirs } of conflicts.slice(0, mostClashing)) {
    const other = theirs.map(({ owner }) => jobOf(owner)).find((title) => title !== undefined) ?? target;
    files.set(other, [...(files.get(other) ?? []), file]);
  }
  return [...files].map(([other, among]) => ({ with: other, files: among }));
}
