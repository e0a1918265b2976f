// Begins the next plan of a loop, and writes down what became of one.
import type { Feed, Planning, Queries } from '../../crew/api.ts';
import type { Clock } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError, type ErrorCode } from '../../model/errors.ts';
import { nameOfGoal } from '../../model/goal-name.ts';
import { newNonce } from '../../model/ids.ts';
import { type Loop, loopBranchName } from '../../model/loop.ts';
import type { Book, Plan } from '../../model/task.ts';
import type { OpenBook } from '../../store/job-book.ts';
import { loopEvent, planEvent } from '../judge/events.ts';
import { jobsOf, plansIn } from '../judge/facts.ts';
import { type LoopNote, pausedWith } from '../judge/loop.ts';
import { soFarText } from '../judge/loop-words.ts';
import { reported } from './handed-on.ts';
import { costWords } from './loop-cost.ts';
import { plannerTask } from './planner-task.ts';

export interface Iterating {
  readonly crew: Pick<Planning, 'openPlanBranch'> & Pick<Queries, 'reports' | 'usageOf'> & Pick<Feed, 'tell'>;
  readonly book: Pick<OpenBook, 'now' | 'write' | 'catchUp'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The event of what it says is told when it is on disk. */
export async function noteLoop(
  { book, crew }: Pick<Iterating, 'book' | 'crew'>,
  { loop: { id }, set, tell }: Omit<LoopNote, 'do'>,
): Promise<void> {
  await book.write({ loops: [{ id, ...set }] });
  const now = book.now().loops.get(id);
  if (tell !== undefined && now !== undefined) await crew.tell([loopEvent(now, tell)]);
}

/** One line of the book has the plan and that it is the loop's: a server that is killed leaves both or neither. */
export async function iterate(iterating: Iterating, { id }: Loop): Promise<void> {
  const { book, crew, clock } = iterating;
  await book.catchUp();
  const loop = book.now().loops.get(id);
  if (loop === undefined || !mayPlan(book.now(), loop)) return;
  const bound = await costWords(crew, book.now(), loop);
  if (bound !== undefined) return noteLoop(iterating, pausedWith(loop, bound.words));
  const base = await tipOf(crew, loop);
  if ('failed' in base)
    return noteLoop(iterating, {
      loop,
      set: { state: 'failed', reason: base.failed, endedAt: clock.now() },
      tell: 'loop_ended',
    });
  const plan = nextPlan(loop, base, clock.now());
  const [last] = plansIn(book.now(), loop.plans.slice(-1));
  const reports = await reported(crew, book.now(), last === undefined ? [] : jobsOf(book.now(), last));
  const planner = plannerTask(plan.planner, plan, soFarText(book.now(), loop, reports));
  const counted = { iteration: loop.iteration + 1, plans: [...loop.plans, plan.id], openPlan: plan.id };
  await book.write({ plans: [plan], tasks: [planner], loops: [{ id, ...counted, state: 'planning', reason: null }] });
  await crew.tell([planEvent(plan, 'plan_created')]);
}

/** Somebody may have stopped it, or paused the project, since it was looked at. */
const mayPlan = ({ pausedAt }: Book, { state, isStopping, openPlan }: Loop): boolean =>
  pausedAt === undefined && !isStopping && openPlan === undefined && (state === 'planning' || state === 'running');

/** These are about the branch itself, and a later try would meet them again. */
const refusals: ReadonlySet<ErrorCode> = new Set(['base_not_found', 'not_a_repository', 'branch_exists']);

async function tipOf(
  crew: Iterating['crew'],
  { id, project, branch: base, base: ref }: Loop,
): Promise<Plan['base'] | { readonly failed: string }> {
  try {
    const lane = await crew.openPlanBranch({ id, name: loopBranchName, project, base });
    return { ref, sha: lane.base.sha };
  } catch (thrown) {
    if (thrown instanceof CrewError && refusals.has(thrown.code)) return { failed: thrown.message };
    throw thrown;
  }
}

/** It starts where the loop's branch stands, and its jobs land there. */
function nextPlan(loop: Loop, base: Plan['base'], at: number): Plan & { readonly planner: string } {
  const { id, goal, mode, project, crew, branch, iteration, testCommand } = loop;
  return {
    ...{ id: newNonce(), name: `${nameOfGoal(goal)} (${iteration + 1})`, goal, mode, project, crew, base, branch, at },
    ...{ planner: newNonce(), loop: id, onComplete: 'none', jobs: [], state: 'proposed', isCancelled: false },
    ...{ decisions: {}, round: 0 },
    ...defined({ testCommand }),
  };
}
