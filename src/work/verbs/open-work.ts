// What is open of a project's plans and tasks, for a manager that knows nothing of them any more.
import { counted } from '../../model/plural.ts';
import { type Book, isPlanning, type Plan, type PlanState } from '../../model/task.ts';
import { hasEnded, isSettled } from '../../model/task-state.ts';
import { crewsWithBooks, readBook } from '../../store/job-book.ts';
import { callsAt } from '../judge/calls.ts';
import { checkpointsOf, shownState } from '../judge/checkpoint.ts';
import { jobsOf } from '../judge/facts.ts';

export interface OpenPlan {
  readonly name: string;
  /** In words, as the end of a sentence about it. */
  readonly state: string;
  /** What it waits for a decision about, and the plainest call that decides. */
  readonly asks?: { readonly why: string; readonly call: string };
}

export interface OpenWork {
  /** Those that wait for a decision first, then the newest. */
  readonly plans: readonly OpenPlan[];
  /** Tasks of no plan that have not ended. */
  readonly tasks: number;
}

/** Of the projects that `isHere` accepts, in whatever book they stand. */
export async function readOpenWork(home: string, isHere: (project: string) => boolean): Promise<OpenWork> {
  const books = await Promise.all((await crewsWithBooks(home)).map((crew) => readBook({ home, crew })));
  return openWorkIn(books, isHere);
}

/** Pure. */
export function openWorkIn(books: readonly Book[], isHere: (project: string) => boolean): OpenWork {
  const plans = books.flatMap((book) =>
    [...book.plans.values()].flatMap((plan) => {
      const words = stateWords[shownState(book, plan)];
      return words === undefined || !isHere(plan.project) ? [] : [{ at: plan.at, ...openPlan(book, plan, words) }];
    }),
  );
  const tasks = books
    .flatMap((book) => [...book.tasks.values()])
    .filter((task) => task.planId === undefined && !hasEnded(task) && isHere(task.project));
  const rank = ({ asks }: OpenPlan) => (asks === undefined ? 1 : 0);
  return {
    plans: plans.toSorted((a, b) => rank(a) - rank(b) || b.at - a.at).map(({ at: _, ...plan }) => plan),
    tasks: tasks.length,
  };
}

/** One that has ended has none. */
const stateWords: Readonly<Partial<Record<PlanState, string>>> = {
  proposed: 'has not begun',
  running: 'is running',
  paused: 'waits for a decision',
  landing: 'is landing',
};

function openPlan(book: Book, plan: Plan, words: string): OpenPlan {
  const jobs = jobsOf(book, plan);
  const state = isPlanning(plan)
    ? 'is being planned'
    : `${words}, ${jobs.filter(isSettled).length} of ${counted(jobs.length, 'job')} done`;
  const [point] = checkpointsOf(book, plan);
  const [call] = point === undefined ? [] : callsAt(plan, point);
  const asks = point === undefined || call === undefined ? {} : { asks: { why: point.why, call } };
  return { name: plan.name, state, ...asks };
}
