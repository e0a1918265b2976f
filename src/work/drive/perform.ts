// Takes one step for a task: asks the crew for one act, and returns what has become of the task.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comparing, Landing, Lifecycle, Messages, Proposing, Queries, Work } from '../../crew/api.ts';
import { defined } from '../../model/defined.ts';
import { asCrewError, type CrewError } from '../../model/errors.ts';
import type { Task } from '../../model/task.ts';
import { atWork, ended, stateOf, type TaskHold } from '../../model/task-progress.ts';
import { hasEnded, planOf } from '../../model/task-state.ts';
import type { TaskPatch } from '../../store/job-book.ts';
import { type Facts, type TaskStep, workOf } from '../judge/facts.ts';
import { failedWith, gone, hasTurnAfter, landedWith, seenTo, triedWith } from '../judge/outcomes.ts';
import { redOrder } from '../judge/red-tests.ts';
import { inTheWayWords } from '../judge/words.ts';
import { type BranchLooking, checkBranch, evidenceLanded, evidenceLeft, unchecked, workerOf } from './branch-look.ts';
import { tellAuthor } from './reviews.ts';
import { type Starting, startTask } from './start.ts';

export type TaskChange = Omit<TaskPatch, 'id'>;

export interface Acting extends BranchLooking, Starting {
  readonly crew: BranchLooking['crew'] &
    Starting['crew'] &
    Pick<Lifecycle, 'restart' | 'close'> &
    Messages &
    Pick<Landing, 'land'> &
    Proposing &
    Pick<Comparing, 'diff'> &
    Pick<Queries, 'screen' | 'work'>;
  /** The folder for what tells of failures. */
  readonly folder: string;
}

type Act = Exclude<TaskStep['do'], 'note'>;

/** Undefined where nothing is to be noted: it was called off. */
export async function performTask(acting: Acting, act: Act, task: Task): Promise<TaskChange | undefined> {
  try {
    return await acts[act](acting, task);
  } catch (thrown) {
    if (acting.run.signal.aborted) return undefined;
    return refusedWith(acting.facts(), task, asCrewError(thrown));
  }
}

const acts: Readonly<Record<Act, (acting: Acting, task: Task) => Promise<TaskChange>>> = {
  start: startTask,
  send,
  check: checkBranch,
  land,
  propose,
  stop,
  close,
  collect,
};

const soonMs = 1_000;
const laterMs = 5_000;

/** After an act that was refused. Pure. */
export function refusedWith(facts: Facts, task: Task, { code, message, hint }: CrewError): TaskChange {
  // Its work is what counts, not what was to be done after it.
  if (hasEnded(task)) return seenTo(task);
  const words = `${message} ${hint}`;
  const { progress } = task;
  const held = (hold: TaskHold) => ({
    ...(progress.is === 'landing' && { progress: { ...progress, hold } }),
    reason: hold.words,
  });
  switch (code) {
    case 'checkout_in_the_way':
      return held({ why: code, words: inTheWayWords({ message }), files: [] });
    case 'target_moved':
      return held({ why: 'other', words, files: [] });
    case 'worker_busy': {
      const again = progress.is === 'running' ? progress : atWork;
      return { progress: { ...again, as: 'running' }, reason: null, notBefore: facts.now + soonMs };
    }
    case 'state_locked':
      return { notBefore: facts.now + soonMs };
    case 'limit_reached':
      return { notBefore: facts.now + laterMs, reason: words };
    default:
      return failedWith(facts, task, `${code}: ${words}`, true);
  }
}

async function send({ crew, facts, run }: Acting, task: Task): Promise<TaskChange> {
  const worker = workerOf(task);
  if (task.progress.is !== 'running' || task.progress.message === undefined) return {};
  const { message, ...progress } = task.progress;
  const work = workOf(facts(), task);
  if (work !== undefined && gone(work)) {
    // It ended in the turn of this message: another message is due, if any.
    if (hasTurnAfter(progress.toldAt, work)) return {};
    // It may have ended before a line of its conversation was written.
    const { failed } = await crew.restart({ workers: [worker], orAnew: true }, run);
    const [refusal] = failed;
    if (refusal !== undefined)
      return failedWith(facts(), task, `its worker could not be started again: ${refusal.error} ${refusal.hint}`, true);
  }
  const outcomes = await crew.send({
    workers: [worker],
    text: message.text,
    delivery: 'queue',
    asCommand: false,
    keep: true,
    id: message.id,
  });
  const outcome = outcomes[worker];
  const sent = { progress, notBefore: null, endedAt: null };
  if (outcome === undefined || outcome.success)
    return { ...sent, ...(task.startedAt === undefined && { startedAt: facts().now }) };
  const reason = `what it was told is ${outcome.verdict} (${outcome.evidence.detail}). ${outcome.hint ?? ''}`.trim();
  return { ...sent, progress: { ...progress, as: 'waiting' }, reason };
}

async function land(acting: Acting, task: Task): Promise<TaskChange> {
  const { crew, facts, run } = acting;
  const anew = await unchecked(acting, task);
  if (anew !== undefined) return anew;
  const plan = planOf(facts(), task);
  const { strategy = plan?.strategy, testCommand = plan?.testCommand, touchSet } = task;
  const order = {
    worker: workerOf(task),
    dryRun: false,
    isAgain: true,
    touchSet,
    ...defined({ target: plan?.branch, strategy, testCommand }),
    ...redOrder(task, plan),
  };
  const result = await crew.land(order, run);
  const { touchSet: now = touchSet } = facts().book.tasks.get(task.id) ?? {};
  // Somebody has changed it since this landing began.
  if (result.outcome === 'outside' && now.join('\n') !== touchSet.join('\n')) return {};
  if (result.outcome === 'checks_failed' && planOf(facts(), task)?.testCommand !== plan?.testCommand) return {};
  const evidence = await evidenceLanded(acting, task, result);
  return { evidence, ...triedWith(facts(), task, result), ...landedWith(facts(), { ...task, evidence }, result) };
}

async function propose(acting: Acting, task: Task): Promise<TaskChange> {
  const { crew, facts, run } = acting;
  const anew = await unchecked(acting, task);
  if (anew !== undefined) return anew;
  const { success, url, reason, hint, existing } = await crew.propose(
    { worker: workerOf(task), draft: false, title: task.title },
    run,
  );
  const words = success
    ? `${existing ? 'already proposed' : 'proposed'}: ${url ?? 'no address is known'}`
    : `not proposed: ${reason ?? ''} ${hint ?? ''}`.trim();
  return { progress: ended('done'), reason: words, endedAt: facts().now };
}

/** Ends the turn of its worker, if one runs. */
async function halt({ crew, run }: Acting, work: Work | undefined) {
  const mayRun = work !== undefined && !gone(work) && !work.isOthers && !work.isIdle;
  return mayRun ? (await crew.interrupt({ workers: [work.id] }, run))[work.id] : undefined;
}

/** It was cancelled, or has reached a bound. */
async function stop(acting: Acting, task: Task): Promise<TaskChange> {
  const { facts } = acting;
  const work = workOf(facts(), task);
  const interrupted = await halt(acting, work);
  const still = interrupted?.success === false ? `; ${work?.name} may still be at work: ${interrupted.detail}` : '';
  const evidence = await evidenceLeft(acting, task, work?.id);
  const known =
    work === undefined
      ? {}
      : { worker: { id: work.id, name: work.name }, evidence, ...defined({ branch: work.branch }) };
  const isCancelled = task.isCancelled || planOf(facts(), task)?.isCancelled === true;
  if (isCancelled) return { ...known, progress: ended('cancelled'), reason: `cancelled${still}`, endedAt: facts().now };
  return { ...known, ...failedWith(facts(), task, `${task.reason ?? 'it was stopped'}${still}`, true) };
}

/** A server that was killed in the midst of a start has left a worktree, and the start after it made another. */
const unbornOf = ({ works }: Facts, { id, worker }: Task): readonly string[] =>
  [...works.values()]
    .filter((work) => work.task?.id === id && work.id !== worker?.id && work.isUnborn)
    .filter(({ status, isOthers }) => status === 'dead' && !isOthers)
    .map((work) => work.id);

async function close(acting: Acting, task: Task): Promise<TaskChange> {
  const { crew, facts, run } = acting;
  const worker = workerOf(task);
  // It may have failed long ago, and somebody may have talked to its worker since.
  if (stateOf(task) === 'cancelled') await halt(acting, workOf(facts(), task));
  await tellAuthor(crew, task);
  const workers = [worker, ...unbornOf(facts(), task)];
  const { [worker]: outcome } = await crew.close({ workers, force: false }, run);
  const { success = true, warning = '' } = outcome ?? {};
  return { ...seenTo(task), ...(!success && { reason: `its worker was not closed: ${warning}` }) };
}

const mostChars = 40_000;

/** What tells of a failure, in files. What cannot be had is left out. */
async function collect(acting: Acting, task: Task): Promise<TaskChange> {
  const { crew, folder } = acting;
  const worker = workerOf(task);
  const screen = await crew.screen({ worker }).catch(() => undefined);
  const diff = await crew.diff({ worker, stat: false, maxChars: mostChars }).catch(() => undefined);
  const dir = join(folder, task.id);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const keep = async (name: string, text: string | undefined): Promise<readonly string[]> => {
    if (text === undefined || text === '') return [];
    const path = join(dir, name);
    await writeFile(path, text, { mode: 0o600 });
    return [path];
  };
  const kept = [
    ...(await keep('screen.txt', screen?.screen)),
    // A long one is whole in a file already.
    ...(diff?.path === undefined ? await keep('work.diff', diff?.diff) : [diff.path]),
  ];
  const evidence = await evidenceLeft(acting, task, worker);
  return { ...seenTo(task), evidence, artefacts: [...task.artefacts, ...kept] };
}
