// Tasks and plans in a few lines, for people. Pure.

import { decisionMark } from '../../draw/board-text.ts';
import { counted } from '../../model/plural.ts';
import { type Book, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { hasEnded, isSettled } from '../../model/task-state.ts';
import { checkpointsOf } from '../judge/checkpoint.ts';
import { jobsOf } from '../judge/facts.ts';

const wide = 14;
const stateOf = (state: string): string => state.padEnd(wide);

/** Each plan with its jobs, then the single tasks; what has ended well is only counted. */
export function boardLines(book: Book): readonly string[] {
  const plans = [...book.plans.values()].filter((plan) => !planHasEnded(plan));
  const single = [...book.tasks.values()].filter((task) => task.planId === undefined && !hasEnded(task));
  return [
    ...plans.flatMap((plan) => planLines(book, plan)),
    ...single.map((task) => `${stateOf(task.state)} ${task.title}${by(task)}${why(task)}`),
  ];
}

function planLines(book: Book, plan: Plan): readonly string[] {
  const jobs = jobsOf(book, plan);
  const [open] = checkpointsOf(book, plan);
  const done = jobs.filter(isSettled).length;
  return [
    `plan ${plan.name}: ${plan.state}, ${done} of ${counted(jobs.length, 'job')} done`,
    ...(open === undefined ? [] : [`${decisionMark}${open.why}`]),
    ...jobs.filter((job) => !isSettled(job)).map((job) => `  ${stateOf(job.state)} ${job.title}${by(job)}${why(job)}`),
  ];
}

const by = ({ worker }: Task): string => (worker === undefined ? '' : ` (${worker.name})`);
const why = ({ reason, state }: Task): string =>
  reason === undefined || state === 'running' ? '' : `: ${reason.split('\n')[0]?.slice(0, 120)}`;
