// The verbs of plans: make, approve, cancel.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { type Book, type Decision, isPlanning, type Plan, planIsClosed, type Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { errorKey, isDecidable, isSettled } from '../../model/task-state.ts';
import type { OpenBook } from '../../store/job-book.ts';
import type {
  ApprovePlanRequest,
  CreatePlanRequest,
  CreatePlanResult,
  JobRequest,
  PlanChanged,
} from '../../wire/plans.ts';
import { commitWarnings } from '../drive/brings.ts';
import { type Entering, notedBy } from '../drive/fire.ts';
import { jobsBring, jobTasks, startOfJob } from '../drive/job-tasks.ts';
import { plannerAhead, plannerTask } from '../drive/planner-task.ts';
import { checkpointView, planCallsOf } from '../judge/calls.ts';
import { actionsAt, type Checkpoint, checkpointsOf, shownState } from '../judge/checkpoint.ts';
import { jobsOf, mergeKey } from '../judge/facts.ts';
import { criticalPath, refuseBadPlan, wavesOf } from '../judge/plan-graph.ts';
import { warningsOf } from '../judge/touch-overlaps.ts';
import { knownTemplates } from '../templates/known.ts';
import { lookAhead, planAhead } from './ahead.ts';
import { plannerStarted, plannerWarnings, planningWorker } from './planner.ts';
import { findPlan, type TasksContext } from './tasks-context.ts';
import { wholeOrder } from './whole-order.ts';

export const nodesOf = (jobs: readonly JobRequest[]) =>
  jobs.map(({ name, dependsOn, touchSet }) => ({ name, dependsOn, touchSet }));

/** The jobs of a plan by their names, as a graph. */
export function graphOf(jobs: readonly Task[]) {
  const names = new Map(jobs.map(({ id, title }) => [id, title]));
  return jobs.map(({ title, dependsOn, touchSet, brings }) => ({
    name: title,
    dependsOn: dependsOn.flatMap((id) => names.get(id) ?? []),
    touchSet,
    ...defined({ brings }),
  }));
}

export async function createPlan(
  room: TasksContext,
  order: CreatePlanRequest & { readonly here?: string },
  entering?: Entering,
): Promise<CreatePlanResult> {
  const { mode, projectPath: project, here, base, strategy, testCommand, maxParallel, onComplete, goal } = order;
  const { place, name, jobs, from, warnings, isPlanned } = await checkPlan(room, order);
  const id = entering?.id ?? newNonce();
  const lane = await room.crew.openPlanBranch({ id, name, project, ...defined({ here, base }) });
  const book = await room.drive(place.crew);
  const at = room.clock.now();
  const made = { planId: id, project: lane.repoPath, crew: lane.crew, at, known: new Map() };
  const tasks = await jobTasks(room.crew, jobs, made);
  const plan: Plan = {
    ...{ id, name, mode, project: lane.repoPath, crew: lane.crew, base: lane.base, branch: lane.branch },
    ...{ onComplete, jobs: tasks.map((task) => task.id), at, isCancelled: false, decisions: {}, round: 0 },
    state: mode === 'copilot' || isPlanned ? 'proposed' : 'running',
    ...defined({ goal, strategy, testCommand, maxParallel, planner: isPlanned ? newNonce() : undefined }),
    ...from,
  };
  const planner = plan.planner === undefined ? [] : [plannerTask(plan.planner, plan)];
  await book.write({ plans: [plan], tasks: [...tasks, ...planner], ...notedBy(entering) });
  await tellPlan(room, plan, 'plan_created', { jobs: tasks.length });
  // Nobody waits for what a schedule has entered.
  if (isPlanned && entering === undefined) await plannerStarted(room, book, id);
  return created(room, book, { plan, told: [...warnings.template, ...warningsOf(graphOf(tasks)), ...warnings.asking] });
}

/** A planner that is quick may have handed in already. */
function created(
  room: TasksContext,
  book: OpenBook,
  { plan: { id }, told }: { readonly plan: Plan; readonly told: readonly string[] },
): CreatePlanResult {
  const now = book.now();
  const {
    mode: _,
    reason: __,
    ...plan
  } = changed(book, { id }, [...plannerWarnings(room, now, planIn(now, id)), ...told]);
  return { ...plan, ...defined({ planner: planningWorker(now, planIn(now, id)) }) };
}

/** Throws what a plan is refused for but for its base, and makes nothing. */
export async function checkPlan(room: TasksContext, order: CreatePlanRequest & { readonly here?: string }) {
  const { projectPath: project, here } = order;
  const place = await room.crew.place({ project, ...defined({ here }) });
  const { warnings: template, ...whole } = await wholeOrder(order, async () =>
    knownTemplates(await room.templates(place.project)),
  );
  refuseBadPlan(nodesOf(whole.jobs), []);
  const { jobs, isPlanned } = whole;
  const asking = await lookAhead(room, {
    ...{ project: place.project, crew: place.crew, starts: isPlanned ? [plannerAhead] : jobs.map(startOfJob) },
    setupCommands: jobs.flatMap(({ setupCommands = [] }) => setupCommands),
    lands: async () => isPlanned === true || (await jobsBring(room.crew, place.project, jobs)).includes('commit'),
    ...defined({ testCommand: order.testCommand }),
  });
  const idle = await commitWarnings(room.crew, place.project, jobs);
  return { place, ...whole, warnings: { template, asking: [...asking, ...idle] } };
}

export const tellPlan = (
  room: TasksContext,
  { id, name, crew }: Plan,
  type: 'plan_created' | 'plan_changed',
  data: object,
): Promise<void> => room.crew.tell([{ type, subject: id, crew, data: { plan_id: id, name, ...data } }]);

/** One decision for each moment it is about: the open one, or one of each job that is named. All of them, or none. */
export async function approvePlan(room: TasksContext, order: ApprovePlanRequest): Promise<PlanChanged> {
  const { book, plan } = await findPlan(room, order.planId);
  const { job: asked = [], ...rest } = order;
  const names = [...new Set(typeof asked === 'string' ? [asked] : asked)];
  const moments =
    names.length === 0 ? [momentOf(book, plan, rest)] : names.map((job) => momentOf(book, plan, { ...rest, job }));
  const decision: Decision = { action: order.action, at: room.clock.now(), ...defined({ prompt: order.prompt }) };
  const patches = moments.map(({ key, job }) => ({ id: job?.id, decisions: { [key]: decision } }));
  await room.drive(book.crew);
  await book.write({
    plans: patches.flatMap((patch) => (patch.id === undefined ? [{ ...patch, id: plan.id }] : [])),
    tasks: patches.flatMap(({ id, decisions }) => (id === undefined ? [] : [{ id, decisions }])),
  });
  for (const { job } of moments)
    await tellPlan(room, plan, 'plan_changed', { decision: order.action, ...(job && { job: job.title }) });
  const starts = moments.some(({ at }) => at === 'start') && order.action === 'continue';
  return changed(book, plan, starts ? await planAhead(room, plan, jobsOf(book.now(), plan)) : []);
}

interface Asked extends Omit<ApprovePlanRequest, 'job'> {
  readonly job?: string;
}

/** Throws where nothing is open that the order could be about. */
function momentOf(
  book: OpenBook,
  plan: Plan,
  order: Asked,
): Pick<Checkpoint, 'key' | 'job'> & Partial<Pick<Checkpoint, 'at'>> {
  const now = book.now();
  if (plan.isCancelled) throw notThere(plan, 'waits for no decision', book);
  const open = checkpointsOf(now, plan);
  const fits = ({ at, job }: Checkpoint) =>
    (order.checkpoint === undefined || order.checkpoint === at) &&
    (order.job === undefined || order.job === job?.title);
  const point = open.find(fits);
  if (point !== undefined) return refuseSenseless(point, order);
  const job = jobsOf(now, plan).find(({ title }) => title === order.job);
  if (order.job !== undefined && job === undefined) throw notThere(plan, `has no job called ${order.job}`, book);
  if (job !== undefined && order.action !== 'continue' && order.action !== 'accept' && !isSettled(job)) {
    if (isDecidable(job)) return { key: errorKey(job), job };
    if (stateOf(job) === 'landing') return { key: mergeKey(job), job };
  }
  if (isPlanning(plan)) throw notThere(plan, 'has no jobs yet: its planner is at work', book);
  const what =
    order.checkpoint === undefined ? 'waits for no decision' : `waits for no decision at ${order.checkpoint}`;
  throw notThere(plan, order.job === undefined ? what : `${what} about ${order.job}`, book);
}

/** Throws an action that decides nothing there. */
function refuseSenseless(point: Checkpoint, { action, prompt }: Asked): Checkpoint {
  const wrong = (words: string, hint: string) => new CrewError('invalid_argument', words, hint);
  const good = actionsAt(point);
  if (!good.includes(action))
    throw wrong(
      `${action} decides nothing at this checkpoint, ${point.at}: ${point.why.slice(0, 200).replace(/\.$/, '')}.`,
      `Use ${good.join(' or ')}.`,
    );
  if (point.isPlanned && action === 'relaunch') {
    if (prompt !== undefined) return point;
    throw wrong('The planner is to be sent back, and nothing says why.', 'Pass prompt: what is wrong with its jobs.');
  }
  if (point.job === undefined && prompt !== undefined)
    throw wrong('A prompt is for a job, and this checkpoint is about the plan itself.', 'Leave prompt out.');
  return point;
}

function notThere(plan: Plan, words: string, book: OpenBook): CrewError {
  const open = checkpointsOf(book.now(), plan);
  const names = open.map(({ at, job }) => (job === undefined ? at : `${at} of ${job.title}`));
  const hint =
    names.length === 0
      ? 'plan_status shows where it is.'
      : `It waits at ${names.join(', ')}; plan_status has the exact calls.`;
  return new CrewError('invalid_argument', `The plan ${plan.name} is ${plan.state} and ${words}.`, hint);
}

export async function cancelPlan(room: TasksContext, id: string): Promise<PlanChanged> {
  const { book, plan } = await findPlan(room, id);
  if (planIsClosed(plan))
    throw new CrewError('invalid_argument', `The plan ${plan.name} is ${plan.state}.`, 'Nothing is left to cancel.');
  await room.drive(book.crew);
  await book.write({ plans: [{ id: plan.id, isCancelled: true }] });
  await tellPlan(room, plan, 'plan_changed', { decision: 'cancel' });
  const branches = jobsOf(book.now(), plan).flatMap(({ branch }) => branch ?? []);
  return { ...changed(book, plan, []), branches: [plan.branch, ...branches] };
}

function planIn(book: Book, id: string): Plan {
  const plan = book.plans.get(id);
  if (plan !== undefined) return plan;
  throw new CrewError('internal', `A bug in crewmux: the plan ${id} is gone.`, 'Please report it.');
}

export function changed(book: OpenBook, { id }: Pick<Plan, 'id'>, warnings: readonly string[]): PlanChanged {
  const now = book.now();
  const plan = planIn(now, id);
  const graph = graphOf(jobsOf(now, plan));
  const [open] = checkpointsOf(now, plan);
  return {
    ...{ planId: id, name: plan.name, state: shownState(now, plan), mode: plan.mode, integrationBranch: plan.branch },
    ...{ waves: wavesOf(graph), criticalPath: criticalPath(graph), warnings },
    ...(open && { checkpoint: checkpointView(plan, open) }),
    nextCalls: planCallsOf(now, plan),
  };
}
