// What becomes of a plan whose jobs have all landed: its branch lands on the base, or is proposed.
import type { Landing, LandOutcome, PlanBranch, ProposedPlan, Proposing, Queries, Run } from '../../crew/api.ts';
import { harmless } from '../../model/attributed-note.ts';
import { defined } from '../../model/defined.ts';
import { asCrewError } from '../../model/errors.ts';
import { type Book, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { hasEnded } from '../../model/task-state.ts';
import type { PlanPatch } from '../../store/job-book.ts';
import { shownState } from '../judge/checkpoint.ts';
import { jobsOf } from '../judge/facts.ts';
import { some } from '../judge/plan-graph.ts';
import { redHoldWords, redOrder, redWords } from '../judge/red-tests.ts';
import { inTheWayWords } from '../judge/words.ts';
import { reportsOn } from './handed-on.ts';

export type PlanChange = Omit<PlanPatch, 'id'>;

export interface Finishing {
  readonly crew: Pick<Landing, 'land'> & Proposing & Pick<Queries, 'reports'>;
  readonly book: () => Book;
  readonly run: Run;
  readonly now: () => number;
}

export const planBranchOf = ({ id, name, project, crew, branch, base }: Plan): PlanBranch => ({
  id,
  name,
  repoPath: project,
  crew,
  branch,
  base,
});

/** That may still land something. Those that a failed job blocks do not. Pure. */
export const unendedIn = (book: Book, plan: Plan): readonly Task[] =>
  planHasEnded({ state: shownState(book, plan) }) ? [] : jobsOf(book, plan).filter((job) => !hasEnded(job));

/** Undefined where nothing is to be noted: it was called off. */
export async function finishPlan(finishing: Finishing, plan: Plan): Promise<PlanChange | undefined> {
  try {
    return plan.onComplete === 'pr' ? await propose(finishing, plan) : await land(finishing, plan);
  } catch (thrown) {
    if (finishing.run.signal.aborted) return undefined;
    const { code, message, hint } = asCrewError(thrown);
    if (code === 'checkout_in_the_way') return { hold: { why: code, words: inTheWayWords({ message }), files: [] } };
    return { hold: { why: 'other', words: `${message} ${hint}`, files: [] } };
  }
}

async function land({ crew, run, now }: Finishing, plan: Plan): Promise<PlanChange> {
  // Its commits stay as they are: a commit for each job.
  const strategy = plan.strategy === 'merge' ? 'merge' : 'ff-only';
  const order = {
    worker: planBranchOf(plan),
    target: plan.base.ref,
    strategy,
    dryRun: false,
    ...defined({ testCommand: plan.testCommand }),
    ...redOrder(plan, plan),
  } as const;
  return plannedWith(await crew.land(order, run), now(), plan);
}

/** After the landing of its branch. Pure. */
export function plannedWith(result: LandOutcome, now: number, plan: Pick<Plan, 'base'>): PlanChange {
  const { outcome, redTarget, reason = outcome } = result;
  if (outcome === 'landed' || outcome === 'nothing') return { state: 'completed', endedAt: now, reason: null };
  if (outcome === 'checks_failed' && redTarget !== undefined)
    return { hold: { why: 'red_tests', words: redHoldWords(redWords(result, plan)), files: [] } };
  const files = result.conflicts.map(({ file }) => file);
  const named = files.length === 0 ? '' : ` The files: ${some(files)}.`;
  const output = outcome === 'checks_failed' ? ` ${outputWords(result.tests)}` : '';
  return { hold: { why: 'other', words: `${reason}${named}${output}`, files } };
}

function outputWords({ output, path }: LandOutcome['tests']): string {
  const end = output.slice(-2_000);
  return path === undefined ? end : `The whole output is in ${path}, and its end is: ${end}`;
}

/** What its pull request tells of it: how its jobs stand, and what their workers have left open. */
export async function proposedPlan(crew: Pick<Queries, 'reports'>, book: Book, plan: Plan): Promise<ProposedPlan> {
  const reported = async (task: Task) => (await reportsOn(crew, book, task)).find(({ kind }) => kind === 'report');
  const proposed = async (task: Task) => {
    const { title, isSkipped, evidence, tests } = task;
    const { what_open, what_untested } = (await reported(task)) ?? {};
    return {
      name: title,
      state: isSkipped ? 'left out' : stateOf(task),
      commits: evidence.commits.length,
      tests: tests?.status.replace('_', ' ') ?? 'none',
      report: defined({ what_open: saidIn(what_open), what_untested: saidIn(what_untested) }),
    };
  };
  const jobs = jobsOf(book, plan);
  const writer = jobs.find(({ title, brings, isSkipped }) => title === writerName && brings === 'report' && !isSkipped);
  return {
    ...defined({ goal: plan.goal }),
    ...(writer !== undefined && written(await reported(writer))),
    jobs: await Promise.all(jobs.map(proposed)),
  };
}

/** A job of this name that brings a report writes title and text of what its plan proposes. */
const writerName = 'pull-request';
const longestTitle = 200;

/** The title is the first line, without a mark of a heading. Pure. */
function written(report: { readonly what_done?: string | undefined } = {}) {
  const text = harmless(report.what_done ?? '');
  const [first = ''] = text.split('\n');
  const title = [...first.replace(/^#+\s+/, '').trim()].slice(0, longestTitle).join('');
  return text === '' || title === '' ? {} : { title, text };
}

/** Undefined for a part that says that there is nothing. */
const saidIn = (part: string | undefined): string | undefined =>
  part === undefined || /^(none|nothing|no|n\/a|-)?[.!]?$/i.test(part.trim()) ? undefined : part;

/** No remote and no gh: the plan is complete all the same, and says what is left to do. */
async function propose({ crew, run, now, book }: Finishing, plan: Plan): Promise<PlanChange> {
  const proposed = await proposedPlan(crew, book(), plan);
  const { success, url, reason, hint } = await crew.propose(
    { worker: planBranchOf(plan), plan: proposed, draft: false, title: proposed.title ?? plan.name },
    run,
  );
  const words = success ? null : `no pull request was opened: ${reason ?? ''} ${hint ?? ''}`.trim();
  return { state: 'completed', endedAt: now(), reason: words, ...(url !== undefined && { url }) };
}
