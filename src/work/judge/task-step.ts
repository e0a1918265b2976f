// The next step of one task. Pure: everything it weighs stands in the facts.
import type { Work } from '../../crew/api.ts';
import type { Book, Decision, Task } from '../../model/task.ts';
import { type ProgressAt as At, atWork, ended, never, queued, stateOf } from '../../model/task-progress.ts';
import {
  blockerOf,
  careOf,
  decisionOf,
  hasEnded,
  holdOf,
  isActive,
  isDecidable,
  isSettled,
  planOf,
  startsByCall,
} from '../../model/task-state.ts';
import { waitWords } from './agent-choice.ts';
import { checkpointsOf, stopsAll } from './checkpoint.ts';
import { type Facts, jobsOf, mergeKey, type TaskStep, workOf } from './facts.ts';
import { handedIn, lostTurnSince } from './handed-in.ts';
import {
  alarmWords,
  askedAgain,
  claims,
  failedWith,
  gone,
  hasTurnAfter,
  landsAgain,
  landsAsItIs,
  mostReason,
  retriedLanding,
  seenTo,
  watchedAgain,
} from './outcomes.ts';
import { overLimit, promptsSpent } from './over-limit.ts';
import { isRed } from './red-tests.ts';
import { relaunchText } from './words.ts';

/** Undefined where there is nothing to do for it now. */
export function taskStep(facts: Facts, task: Task): TaskStep | undefined {
  if (facts.busy.has(task.id)) return undefined;
  const plan = planOf(facts, task);
  if ((task.isCancelled || plan?.isCancelled) && !hasEnded(task)) return cancelStep(facts, task);
  if (careOf(facts.book, task) === 'give-up') return note(task, givenUp(facts, task), 'task_ended');
  const decided = plan?.isCancelled ? undefined : decidedStep(facts, task);
  if (decided !== undefined) return decided;
  const { progress } = task;
  if (progress.is === 'ended') return afterEnd(facts, task);
  // It was refused, or has failed, and is to be tried later.
  if ((task.notBefore ?? 0) > facts.now) return undefined;
  switch (progress.is) {
    case 'queued':
      return startStep(facts, task, progress);
    case 'starting':
      return bornStep(facts, task);
    case 'running':
      return watchStep(facts, task, progress);
    case 'landing':
      return progress.isUnchecked ? { do: 'check', task } : landStep(facts, task, progress);
  }
}

const note = (
  task: Task,
  set: Extract<TaskStep, { do: 'note' }>['set'],
  tell?: 'task_started' | 'task_waiting' | 'task_ended',
): TaskStep => ({
  do: 'note',
  task,
  set,
  ...(tell && { tell }),
});

const cancelStep = ({ now }: Facts, task: Task): TaskStep =>
  task.worker === undefined && task.progress.is !== 'starting'
    ? note(task, { progress: ended('cancelled'), reason: 'cancelled before it began', endedAt: now }, 'task_ended')
    : { do: 'stop', task };

/** What somebody has decided about a failure or finished work. */
function decidedStep(facts: Facts, task: Task): TaskStep | undefined {
  if (isDecidable(task)) {
    const decision = decisionOf(task);
    return decision && decide(facts, task, decision);
  }
  const { progress } = task;
  const isToLand = progress.is === 'landing' && !progress.isUnchecked;
  const decision = isToLand ? task.decisions[mergeKey(task)] : undefined;
  return decision === undefined || decision.action === 'continue' || decision.action === 'accept'
    ? undefined
    : decide(facts, task, decision);
}

function decide(facts: Facts, task: Task, { action, prompt }: Decision): TaskStep | undefined {
  switch (action) {
    case 'skip':
      return note(task, givenUp(facts, { ...task, isSkipped: true }), 'task_ended');
    case 'retry':
      return note(task, {
        ...(retriedLanding(task) ?? askedAgain(facts, task, prompt)),
        ...(task.tests?.isOld && { testedSince: facts.now }),
      });
    case 'relaunch':
      return note(task, askedAgain(facts, task, prompt, relaunchText(task, planOf(facts, task))));
    case 'accept':
      return acceptStep(facts, task);
    case 'continue': {
      const set = landsAgain(task);
      return set && note(task, set);
    }
  }
}

/** What was held lands as it is. What has left nothing is done, unless its worker has gone on since. */
function acceptStep(facts: Facts, task: Task): TaskStep | undefined {
  const { progress } = task;
  const hold = holdOf(task);
  if (hold === undefined) return undefined;
  // Those files and no others: what it changes after a bounce is judged again.
  if (progress.is !== 'ended') return note(task, { ...landsAsItIs(task), touchSet: [...task.touchSet, ...hold.files] });
  const work = workOf(facts, task);
  if (work !== undefined && hasTurnAfter(progress.overAt ?? never, work))
    return note(task, { ...watchedAgain, endedAt: null });
  const reason = 'accepted, though it left nothing';
  return note(task, { progress: ended('done'), reason, endedAt: facts.now }, 'task_ended');
}

/** What tells of a failure may be kept already, and its worker is to be closed all the same. */
const givenUp = ({ now }: Facts, { isSkipped, reason }: Task) => ({
  progress: ended('cancelled'),
  isSkipped,
  reason: isSkipped ? 'left out of its plan' : (reason ?? null),
  endedAt: now,
});

/** A worker that was started for it goes once all is well; a failure leaves what tells why. */
function afterEnd(facts: Facts, task: Task): TaskStep | undefined {
  const care = careOf(facts.book, task);
  if (care === undefined || care === 'give-up') return undefined;
  const work = workOf(facts, task);
  if (work?.isOthers) return undefined;
  if (work === undefined || (care === 'close' && work.status === 'closed')) return note(task, seenTo(task));
  return { do: care, task };
}

function startStep(facts: Facts, task: Task, progress: At<'queued'>): TaskStep | undefined {
  const { isBlocked, next } = progress;
  const block = blockOf(facts, task);
  if (block !== undefined)
    return isBlocked && task.reason === block
      ? undefined
      : note(task, { progress: { ...progress, isBlocked: true }, reason: block }, 'task_waiting');
  if (isBlocked) return note(task, { progress: { ...progress, isBlocked: false }, reason: null });
  if (!mayStart(facts, task)) return undefined;
  const wait = waitWords(facts, task);
  if (wait !== undefined) return task.reason === wait ? undefined : note(task, { reason: wait }, 'task_waiting');
  if (next !== undefined) return note(task, { progress: { ...atWork, ...next }, reason: null });
  return note(task, { progress: { is: 'starting' }, attempt: task.attempt + 1, reason: null, worker: null });
}

/** The dependency that has ended badly, or that such a one holds up itself, in words. */
function blockOf({ book }: Facts, task: Task): string | undefined {
  const bad = blockerOf(book, task);
  if (bad === undefined) return undefined;
  const state = stateOf(bad);
  const what = state === 'blocked' ? 'is blocked' : state === 'failed' ? 'has failed' : 'has been cancelled';
  return `${bad.title} ${what}, and this depends on it`;
}

function mayStart(facts: Facts, task: Task): boolean {
  const plan = planOf(facts, task);
  const { book, works, room, startsSubtasks } = facts;
  if (room <= 0) return false;
  if (startsByCall(task, startsSubtasks)) return false;
  if (needsOf(book, task).some((one) => one === undefined || !isSettled(one))) return false;
  const from = task.afterFrom && task.from !== undefined ? works.get(task.from.id) : undefined;
  if (from !== undefined && !from.isIdle && from.status !== 'dead' && from.status !== 'closed') return false;
  if (task.planId === undefined) return true;
  if (plan === undefined || (plan.state !== 'running' && plan.state !== 'paused')) return false;
  if (checkpointsOf(book, plan).some((one) => stopsAll(plan, one))) return false;
  const active = jobsOf(book, plan).filter(isActive).length;
  return plan.maxParallel === undefined || active < plan.maxParallel;
}

const needsOf = ({ tasks }: Book, { dependsOn }: Task) => dependsOn.map((id) => tasks.get(id));

/** A server that was killed may have started it, or have begun to: what a whole start has come to is noted. */
function bornStep(facts: Facts, task: Task): TaskStep | undefined {
  const work = workOf(facts, task);
  if (work === undefined) return { do: 'start', task };
  if (work.isOthers || work.status === 'starting') return undefined;
  if (work.isUnborn) return note(task, { progress: queued });
  return note(task, { ...startedWith(facts, work), isReused: false }, 'task_started');
}

export const startedWith = (
  { now }: Pick<Facts, 'now'>,
  { id, name, branch }: Pick<Work, 'id' | 'name' | 'branch'>,
) => ({
  progress: atWork,
  worker: { id, name },
  branch: branch ?? null,
  startedAt: now,
  reason: null,
});

function landStep(facts: Facts, task: Task, { overAt, hold }: At<'landing'>): TaskStep | undefined {
  const plan = planOf(facts, task);
  const work = workOf(facts, task);
  if (work?.isOthers) return undefined;
  if (work !== undefined && hasTurnAfter(overAt, work)) return note(task, watchedAgain);
  if (hold !== undefined) return holdOf(task) === undefined ? note(task, landsAsItIs(task)) : undefined;
  if (task.planId === undefined) return { do: task.onComplete === 'pr' ? 'propose' : 'land', task };
  if (plan === undefined) return undefined;
  const open = checkpointsOf(facts.book, plan);
  if (open.some((one) => stopsAll(plan, one) || one.job?.id === task.id)) return undefined;
  // In the order in which their work ended: one lands at a time, and those that wait for a word hold up nobody.
  const others = jobsOf(facts.book, plan).filter(({ id }) => id !== task.id);
  const isLanding = others.some((one) => facts.busy.has(one.id) && stateOf(one) === 'landing');
  // What holds one up there would hold up each of them.
  const isRedThere = others.some((one) => isRed(holdOf(one)));
  return isLanding || isRedThere ? undefined : { do: 'land', task };
}

/** Its worker is at it, or was sent back to it. */
function watchStep(facts: Facts, task: Task, progress: At<'running'>): TaskStep | undefined {
  const { message, toldAt } = progress;
  const work = workOf(facts, task);
  if (work === undefined) return failing(facts, task, 'its worker is not known any more');
  if (work.isOthers && (message !== undefined || !gone(work))) return undefined;
  if (work.isReturning) return undefined;
  const hasDied = gone(work) && hasTurnAfter(toldAt, work);
  if (message !== undefined && !hasDied) {
    // A turn since then is that of this very prompt, from before a driver was killed.
    const spent = hasTurnAfter(toldAt, work) ? undefined : promptsSpent(task, work);
    if (spent !== undefined) return { do: 'stop', task: { ...task, reason: spent } };
    return sendStep(task, { ...progress, message }, work);
  }
  if (gone(work)) return failing(facts, task, `its agent ended: ${work.endDetail ?? work.status}`);
  const limit = overLimit(facts, task, work);
  if (limit !== undefined) return { do: 'stop', task: { ...task, reason: limit } };
  return turnStep(facts, task, { work, progress });
}

const again = '-again';

/** An agent that has ended may have got it: under its id it would not be told again, and would do nothing. */
function sendStep(
  task: Task,
  progress: At<'running'> & Required<Pick<At<'running'>, 'message'>>,
  work: Work,
): TaskStep {
  const { id, text } = progress.message;
  if (!gone(work) || id.endsWith(again)) return { do: 'send', task };
  return note(task, { progress: { ...progress, message: { id: `${id}${again}`, text } } });
}

const failing = (facts: Facts, task: Task, words: string): TaskStep => {
  const set = failedWith(facts, task, words);
  return set.progress.is === 'ended' ? note(task, set, 'task_ended') : note(task, set);
};

function turnStep(
  facts: Facts,
  task: Task,
  { work, progress }: { readonly work: Work; readonly progress: At<'running'> },
): TaskStep | undefined {
  const { turn, status } = work;
  const waits = (words: string) => waiting(task, progress, words);
  if (status === 'waiting') {
    const [need] = work.attention;
    // What it asked is answered, and it has not gone on yet.
    return need && waits(need.title);
  }
  const lostTurn = lostTurnSince(progress.toldAt, work);
  const alarm = alarmWords(work);
  if (lostTurn !== undefined)
    return alarm === undefined ? note(task, handedIn(facts, task, { work, overAt: lostTurn })) : waits(alarm);
  const isLater = hasTurnAfter(progress.toldAt, work);
  const isOver =
    isLater && turn?.endedAt !== undefined && (work.isIdle || (status !== 'working' && claims(work, ['completed'])));
  if (!isOver)
    return progress.as === 'running' || status === 'starting' || !isLater
      ? undefined
      : note(task, { progress: { ...progress, as: 'running' }, reason: null });
  if (turn.endedBy === 'error' || turn.endedBy === 'limit')
    return failing(facts, task, `its turn ended with ${work.lastError ?? 'an error'}`);
  if (turn.endedBy === 'interrupted') return waits(`${work.name} was interrupted, and waits for a message`);
  return alarm === undefined ? note(task, handedIn(facts, task, { work, overAt: turn.endedAt })) : waits(alarm);
}

function waiting(task: Task, progress: At<'running'>, words: string): TaskStep | undefined {
  const reason = words.slice(0, mostReason);
  return progress.as === 'waiting' && task.reason === reason
    ? undefined
    : note(task, { progress: { ...progress, as: 'waiting' }, reason }, 'task_waiting');
}
