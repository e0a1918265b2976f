// Tasks and plans in a few lines, for people. Pure.

import { decisionMark, pausedLine } from '../../draw/board-text.ts';
import { isoTime } from '../../model/clock.ts';
import { counted } from '../../model/plural.ts';
import { nameIn, type Schedule, schedulesIn } from '../../model/schedule.ts';
import { type Book, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { hasEnded, isSettled } from '../../model/task-state.ts';
import { aheadMs } from '../../model/time-zone.ts';
import { checkpointsOf } from '../judge/checkpoint.ts';
import { jobsOf } from '../judge/facts.ts';
import { openLoop } from '../judge/loop.ts';
import { dueAt } from '../rhythm/owed.ts';
import { loopLines, wordsOfPause } from './loop-lines.ts';

const wide = 14;
const padded = (task: Task): string => stateOf(task).padEnd(wide);

/** Each plan with its jobs, then the single tasks; what has ended well is only counted. */
export function boardLines(book: Book): readonly string[] {
  const plans = [...book.plans.values()].filter((plan) => !planHasEnded(plan));
  const single = [...book.tasks.values()].filter((task) => task.planId === undefined && !hasEnded(task));
  return [
    ...(book.pausedAt === undefined ? [] : [pausedLine(isoTime(book.pausedAt))]),
    ...boardLoop(book),
    ...plans.flatMap((plan) => planLines(book, plan)),
    ...single.map((task) => `${padded(task)} ${task.title}${by(task)}${why(task)}`),
    ...scheduleLines(book).map((line) => `schedule: ${line}`),
  ];
}

/** Those that are paused, each with its id, and of all others the one that runs next. */
export function scheduleLines(book: Pick<Book, 'schedules'>): readonly string[] {
  const all = schedulesIn(book);
  const [next] = all.filter(({ isEnabled }) => isEnabled).toSorted((a, b) => dueAt(a) - dueAt(b));
  return [
    ...all.flatMap((one) =>
      one.pausedBecause === undefined ? [] : [`${scheduleName(one)} (${one.id}) is paused: ${one.pausedBecause}`],
    ),
    ...(next === undefined ? [] : [`next run ${shownTime(next)}: ${scheduleName(next)}`]),
  ];
}

export const scheduleName = ({ order, id }: Schedule): string => nameIn(order) ?? id;

/** As the clocks of its zone show it. */
function shownTime(schedule: Schedule): string {
  const { timezone } = schedule;
  const at = dueAt(schedule);
  return `${isoTime(at + aheadMs(at, timezone))
    .slice(0, 16)
    .replace('T', ' ')} ${timezone}`;
}

function boardLoop(book: Book): readonly string[] {
  const loop = openLoop(book);
  const lines = loopLines(book).map(({ says }) => says);
  return loop?.state === 'paused' ? [...lines, `${decisionMark}${wordsOfPause(loop)}`] : lines;
}

function planLines(book: Book, plan: Plan): readonly string[] {
  const jobs = jobsOf(book, plan);
  const [open] = checkpointsOf(book, plan);
  const done = jobs.filter(isSettled).length;
  return [
    `plan ${plan.name}: ${plan.state}, ${done} of ${counted(jobs.length, 'job')} done`,
    ...(open === undefined ? [] : [`${decisionMark}${open.why}`]),
    ...jobs.filter((job) => !isSettled(job)).map((job) => `  ${padded(job)} ${job.title}${by(job)}${why(job)}`),
  ];
}

const by = ({ worker }: Task): string => (worker === undefined ? '' : ` (${worker.name})`);
const why = (task: Task): string =>
  task.reason === undefined || stateOf(task) === 'running' ? '' : `: ${task.reason.split('\n')[0]?.slice(0, 120)}`;
