// The verb that changes a plan while it runs.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { type Plan, planIsClosed, type Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { errorKey, hasEnded, holdOf, isActive, isSettled } from '../../model/task-state.ts';
import type { TaskWish } from '../../store/job-book.ts';
import type { EditPlanRequest, PlanChanged } from '../../wire/plans.ts';
import { jobTasks, startOfJob } from '../drive/job-tasks.ts';
import { jobsOf } from '../judge/facts.ts';
import { refuseBadPlan } from '../judge/plan-graph.ts';
import { isRed } from '../judge/red-tests.ts';
import { warningsOf } from '../judge/touch-overlaps.ts';
import { changed, graphOf, nodesOf, tellPlan } from './plans.ts';
import { findPlan, type TasksContext } from './tasks-context.ts';

export async function editPlan(room: TasksContext, order: EditPlanRequest): Promise<PlanChanged> {
  const { book, plan } = await findPlan(room, order.planId);
  if (planIsClosed(plan))
    throw new CrewError(
      'invalid_argument',
      `The plan ${plan.name} is ${plan.state}.`,
      'Make another with create_plan.',
    );
  const jobs = jobsOf(book.now(), plan);
  refuseUnplanned(plan);
  const { add = [], skip = [], reorder = [], edit = [], testCommand } = order;
  const tests = testCommand === undefined ? { plan: {}, jobs: [] } : testsPatch(plan, jobs, testCommand);
  const named = (name: string): Task => {
    const job = jobs.find(({ title }) => title === name);
    if (job !== undefined) return job;
    throw new CrewError(
      'invalid_argument',
      `The plan ${plan.name} has no job called ${name}.`,
      `Its jobs: ${jobs.map(({ title }) => title).join(', ')}.`,
    );
  };
  const edits = edit.map((one) => editPatch(named(one.name), one, named));
  const known = new Map(jobs.map(({ title, id }) => [title, id]));
  const added = await jobTasks(room.crew, add, {
    planId: plan.id,
    project: plan.project,
    crew: plan.crew,
    at: plan.at,
    known,
  });
  refuseBadPlan(
    nodesOf(add),
    jobs.map(({ title }) => title),
  );
  // What was accepted is there by the names of files, whatever they are.
  const after = [...jobs.map((job) => ({ ...job, touchSet: [], ...patchedGraph(edits, job) })), ...added];
  refuseBadPlan(graphOf(after), []);
  const skips = skip.map((name) => skipPatch(named(name)));
  const ids = [...plan.jobs, ...added.map(({ id }) => id)];
  const first = reorder.map((name) => added.find(({ title }) => title === name)?.id ?? named(name).id);
  const order_ = [...first, ...ids.filter((id) => !first.includes(id))];
  const asking = await room.crew.asksAhead({ project: plan.project, starts: add.map(startOfJob) });
  await room.drive(book.crew);
  await book.write({
    plans: [{ ...tests.plan, id: plan.id, jobs: order_ }],
    tasks: [...added, ...tests.jobs, ...edits, ...skips],
  });
  for (const [what, names] of Object.entries({
    added: add.map(({ name }) => name),
    skipped: skip,
    reordered: reorder,
    edited: edit.map(({ name }) => name),
    changed: testCommand === undefined ? [] : ['test_command'],
  })) {
    if (names.length > 0) await tellPlan(room, plan, 'plan_changed', { [what]: names });
  }
  const clashes = warningsOf(graphOf(jobsOf(book.now(), plan).filter((job) => !hasEnded(job))));
  return changed(book, plan, [...clashes, ...asking]);
}

function refuseUnplanned({ name, state, jobs, planner }: Plan): void {
  if (jobs.length > 0 || planner === undefined) return;
  throw new CrewError(
    'invalid_argument',
    `The plan ${name} is ${state}, and its planner has handed in no jobs yet.`,
    'Wait for them with wait_tasks, or tell the planner with message_workers.',
  );
}

const patchedGraph = (patches: readonly TaskWish[], { id }: Task) => {
  const { dependsOn, touchSet } = patches.find((one) => one.id === id) ?? {};
  return { ...(dependsOn && { dependsOn }), ...(touchSet && { touchSet }) };
};

type JobEdit = NonNullable<EditPlanRequest['edit']>[number];

/** Throws what can no longer change. Pure. */
export function editPatch(
  job: Task,
  { prompt, dependsOn, touchSet, priority }: JobEdit,
  named: (name: string) => Task,
): TaskWish {
  if (hasEnded(job))
    throw new CrewError(
      'invalid_argument',
      `${job.title} has ended: ${stateOf(job)}.`,
      'approve_plan with action relaunch sends it again.',
    );
  if (isActive(job) && (prompt !== undefined || dependsOn !== undefined)) {
    throw new CrewError(
      'invalid_argument',
      `${job.title} is ${stateOf(job)}, so its prompt is with its worker.`,
      'Tell the worker with message_workers; priority and touch_set can still be changed.',
    );
  }
  return {
    id: job.id,
    // The landing judges it anew.
    ...(touchSet !== undefined && holdOf(job)?.why === 'touch_set' && { lifted: errorKey(job) }),
    ...defined({ prompt, touchSet, priority, dependsOn: dependsOn?.map((name) => named(name).id) }),
  };
}

/** Whatever its old tests have held up is judged by the new ones. Pure. */
export function testsPatch({ hold, round }: Plan, jobs: readonly Task[], testCommand: string) {
  return {
    plan: { testCommand, landsRed: null, ...(isRed(hold) && { hold: null, round: round + 1 }) },
    jobs: jobs.filter((job) => isRed(holdOf(job))).map((job) => ({ id: job.id, lifted: errorKey(job) })),
  };
}

function skipPatch(job: Task): TaskWish {
  if (isSettled(job))
    throw new CrewError('invalid_argument', `${job.title} is ${stateOf(job)} already.`, 'Leave it out of skip.');
  return { id: job.id, isSkipped: true, isCancelled: true };
}
