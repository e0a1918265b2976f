// What the planner of a loop is told of the iterations before its own. Pure.
import { label } from '../../model/attributed-note.ts';
import type { Loop } from '../../model/loop.ts';
import type { Book, Plan } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { jobsOf, plansIn } from './facts.ts';
import { type HandedOn, handedOnText } from './handed-on.ts';
import { landedIn } from './loop.ts';

const mostShown = 10;

/** The reports are those of the iteration before. Empty for the first. */
export function soFarText(book: Book, { plans, reason }: Loop, reports: readonly HandedOn[]): readonly string[] {
  const made = plansIn(book, plans);
  if (made.length === 0) return [];
  const first = Math.max(0, made.length - mostShown);
  const older = first === 0 ? [] : [`- iterations 1 to ${first}: see the commits`];
  const lines = made.slice(first).map((plan, at) => `- iteration ${first + at + 1}: ${lineOf(book, plan)}`);
  return [
    ['What was done so far:', ...older, ...lines].join('\n'),
    ...(reason === undefined ? [] : [`The loop was paused: ${label(reason)}`]),
    handedOnText(reports),
  ];
}

function lineOf(book: Book, plan: Plan): string {
  const landed = landedIn(book, plan);
  const jobs = jobsOf(book, plan).filter(({ id }) => !landed.some((job) => job.id === id));
  const others = jobs.map((job) => `${job.title} is ${job.isSkipped ? 'left out' : stateOf(job)}`);
  const named = landed.map(({ title, tests }) => `${title} (tests: ${tests?.status ?? 'none'})`);
  const why = plan.reason === undefined ? '' : `; ${label(plan.reason)}`;
  if (jobs.length + landed.length === 0) return `${plan.state} without jobs${why}`;
  return [`landed: ${named.join(', ') || 'nothing'}`, ...others].join('; ').concat(why);
}
