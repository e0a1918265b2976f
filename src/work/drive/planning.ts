// Takes what a planner has handed in: makes the jobs of its plan, or says why that cannot be.
import type { Attention, Planning } from '../../crew/api.ts';
import { CrewError } from '../../model/errors.ts';
import { isPlanning, type Plan, unjudged } from '../../model/task.ts';
import type { Facts } from '../judge/facts.ts';
import { jobsIn } from '../judge/hand-in.ts';
import { acceptedWith, endedWithout, type PlanningChange, reachedWith, refusedWith } from '../judge/planning.ts';
import { jobTasks, startOfJob } from './job-tasks.ts';
import { notePlan, type PlanNoting } from './note-plan.ts';

interface PlanJudging {
  readonly crew: PlanNoting['crew'] & Pick<Planning, 'asksAhead'> & Pick<Attention, 'deniesEditing'>;
  readonly facts: () => Facts;
}

export async function judgeAndNote(judging: PlanJudging & PlanNoting, plan: Plan): Promise<void> {
  // It may have handed in before it ended.
  await judging.book.catchUp();
  const change = await judgePlanning(judging, plan.id);
  if (change !== undefined) await notePlan(judging, plan, { set: change.plan, ...change });
}

/** Undefined where nothing is to be noted. Throws what is no fault of the hand-in. */
async function judgePlanning({ crew, facts }: PlanJudging, id: string): Promise<PlanningChange | undefined> {
  const before = facts();
  const plan = before.book.plans.get(id);
  if (plan === undefined || !isPlanning(plan)) return undefined;
  const handIn = unjudged(plan);
  if (handIn === undefined) return endedWithout(before, plan);
  const reached = reachedWith(before, plan, handIn);
  if (reached !== undefined) return reached;
  try {
    const jobs = jobsIn(handIn, plan);
    await crew.asksAhead({ project: plan.project, starts: jobs.map(startOfJob) });
    const { project, crew: name } = plan;
    const tasks = await jobTasks(crew, jobs, { planId: id, project, crew: name, at: before.now, known: new Map() });
    return acceptedWith(plan, handIn, tasks);
  } catch (thrown) {
    if (!(thrown instanceof CrewError) || thrown.code === 'internal') throw thrown;
    return refusedWith(facts(), plan, handIn, thrown);
  }
}
