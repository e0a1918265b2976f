// What becomes of a plan whose jobs have all landed: its branch lands on the base, or is proposed.
import type { Crew, LandOutcome, Lane, Run } from '../crew/api.ts';
import { defined } from '../model/defined.ts';
import { asCrewError } from '../model/errors.ts';
import type { Plan } from '../model/task.ts';
import type { PlanPatch } from '../store/job-book.ts';
import { some } from './plan-graph.ts';
import { redHoldWords, redOrder, redWords } from './red-tests.ts';
import { inTheWayWords } from './words.ts';

export type PlanChange = Omit<PlanPatch, 'id'>;

export interface Finishing {
  readonly crew: Pick<Crew, 'land' | 'propose'>;
  readonly run: Run;
  readonly now: () => number;
}

export const laneOf = ({ id, name, project, crew, branch, base }: Plan): Lane => ({
  id,
  name,
  repoPath: project,
  crew,
  branch,
  base,
});

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
    worker: laneOf(plan),
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

/** No remote and no gh: the plan is complete all the same, and says what is left to do. */
async function propose({ crew, run, now }: Finishing, plan: Plan): Promise<PlanChange> {
  const { success, url, reason, hint } = await crew.propose(
    { worker: laneOf(plan), draft: false, title: plan.name },
    run,
  );
  const words = success ? null : `no pull request was opened: ${reason ?? ''} ${hint ?? ''}`.trim();
  return { state: 'completed', endedAt: now(), reason: words, ...(url !== undefined && { url }) };
}
