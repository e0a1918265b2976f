// Plans as callers see them: briefly, whole, and at a glance.
import { isoTime } from '../../model/clock.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import { type Book, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { hasEnded, isSettled } from '../../model/task-state.ts';
import type { BriefPlan, JobView, PlanStatusResult, WholePlan } from '../../wire/plans.ts';
import { inward } from '../../wire/spoken.ts';
import type { TaskView } from '../../wire/tasks.ts';
import { type UsageView, usage as usageShape } from '../../wire/usage.ts';
import type { JobsSummary } from '../api.ts';
import { type Works, worksIn } from '../drive/job-books.ts';
import { checkpointView, eachOnce, planCallsOf } from '../judge/calls.ts';
import { checkpointsOf, shownState } from '../judge/checkpoint.ts';
import { jobsOf, tasksOfPlan } from '../judge/facts.ts';
import { planPauseWords } from '../judge/pause.ts';
import { criticalPath, wavesOf } from '../judge/plan-graph.ts';
import { mermaidOf } from '../judge/plan-mermaid.ts';
import { warningsOf } from '../judge/touch-overlaps.ts';
import { scheduleLines } from './board.ts';
import { restingIn } from './digest-schedules.ts';
import { loopLines } from './loop-lines.ts';
import { pauseHere } from './pause.ts';
import { planningWorker } from './planner.ts';
import { graphOf } from './plans.ts';
import { findPlan, type TasksReader, viewOf, type WarnsAhead } from './tasks-context.ts';

const headOf = (book: Book, plan: Plan) => {
  const [open] = checkpointsOf(book, plan);
  return {
    planId: plan.id,
    name: plan.name,
    state: shownState(book, plan),
    mode: plan.mode,
    ...defined({ reason: planPauseWords(book, plan) ?? plan.reason, checkpoint: open && checkpointView(plan, open) }),
  };
};

const endOf = ({ endedAt }: Plan) => defined({ endedAt: endedAt === undefined ? undefined : isoTime(endedAt) });

export function briefPlan(book: Book, plan: Plan): BriefPlan {
  const jobs: Record<string, number> = {};
  for (const state of jobsOf(book, plan).map(stateOf)) jobs[state] = (jobs[state] ?? 0) + 1;
  return {
    ...headOf(book, plan),
    jobs,
    nextCalls: planCallsOf(book, plan),
    createdAt: isoTime(plan.at),
    ...endOf(plan),
  };
}

type Conflicts = WholePlan['conflicts'];

interface PlanLook {
  readonly plan: Plan;
  readonly conflicts: Conflicts;
  readonly usage: UsageView | undefined;
  readonly warnings: readonly string[];
}

function wholePlan(book: Book, works: Works, { plan, conflicts, usage, warnings }: PlanLook): WholePlan {
  const jobs = jobsOf(book, plan);
  const graph = graphOf(jobs);
  const views = jobs.map((job) => viewOf(book, works, job));
  const head = headOf(book, plan);
  const lists = [head.checkpoint?.calls ?? [], planCallsOf(book, plan), ...views.map(({ nextCalls }) => nextCalls)];
  const [pointCalls = [], ownCalls = [], ...calls] = eachOnce(lists);
  return {
    ...head,
    ...(head.checkpoint && { checkpoint: { ...head.checkpoint, calls: pointCalls } }),
    ...{ base: plan.base, integrationBranch: plan.branch, waves: wavesOf(graph), criticalPath: criticalPath(graph) },
    jobs: views.map((view, at) =>
      jobView(view, {
        calls: calls[at] ?? [],
        log: jobs[at]?.tests?.path,
        isTold: head.checkpoint?.at === 'on_error' && head.checkpoint.job === view.name,
      }),
    ),
    conflicts: [...jobs.flatMap(clashesOf), ...conflicts],
    tests: jobs.flatMap(testOf),
    mermaid: mermaidOf(
      jobs.map((job, index) => ({
        isSkipped: job.isSkipped,
        name: job.title,
        dependsOn: graph[index]?.dependsOn ?? [],
        state: stateOf(job),
      })),
    ),
    ...defined({
      nextCalls: unlessEmpty(ownCalls),
      warnings: unlessEmpty([...(plan.state === 'proposed' ? warningsOf(graph) : []), ...warnings]),
      planner: planningWorker(book, plan),
      goal: plan.goal,
      url: plan.url,
      usage: usage && inward(usageShape, usage),
    }),
    ...endOf(plan),
  };
}

const usualPriority = 5;

interface Around {
  readonly calls: readonly string[];
  readonly log: string | undefined;
  /** The checkpoint says why it stands. */
  readonly isTold: boolean;
}

/** What `conflicts` and `tests` say, and what shows only in the end, is left to them and to `list_tasks`. */
function jobView(view: TaskView, { calls, log, isTold }: Around): JobView {
  const { kind, projectPath, planId, branch, createdAt, startedAt, endedAt, touchSet, ...job } = view;
  const { brings, priority, dependsOn, evidence, reason, artefacts = [], nextCalls: _, ...rest } = job;
  return {
    ...rest,
    ...defined({
      evidence: hasEvidence(view) ? shortEvidence(evidence) : undefined,
      reason: isTold ? undefined : reason,
      brings: brings === 'commit' ? undefined : brings,
      priority: priority === usualPriority ? undefined : priority,
      dependsOn: unlessEmpty(dependsOn),
      artefacts: unlessEmpty(artefacts.filter((path) => path !== log)),
      nextCalls: unlessEmpty(calls),
    }),
  };
}

const shaChars = 12;

const hasEvidence = ({ state, evidence }: TaskView): boolean =>
  state !== 'failed' && (evidence.claimed || evidence.commits.length > 0);

const shortEvidence = ({ commits, landedAt, ...evidence }: TaskView['evidence']): TaskView['evidence'] => ({
  ...evidence,
  commits: commits.map((commit) => commit.slice(0, shaChars)),
  ...defined({ landedAt: landedAt?.slice(0, shaChars) }),
});
const mostFiles = 20;

const clashesOf = (job: Task): Conflicts =>
  isSettled(job)
    ? []
    : (job.clashes ?? []).map(({ with: other, files }) => ({
        job: job.title,
        with: other,
        files: files.slice(0, mostFiles),
      }));

function testOf({ title, tests }: Task): WholePlan['tests'] {
  if (tests === undefined) return [];
  const { isOld, commit, ...shown } = tests;
  // What has passed has nothing to tell.
  return [{ job: title, ...shown, ...(tests.status === 'passed' && { output: '' }) }];
}

/** `ahead`: where there is a crew to ask. */
export async function planStatus(
  room: TasksReader,
  id: string | undefined,
  ahead: WarnsAhead = async () => [],
): Promise<PlanStatusResult> {
  if (id === undefined) {
    const books = room.jobBooks.opened();
    await Promise.all(books.map((book) => book.catchUp()));
    const plans = books.flatMap((book) => {
      const now = book.now();
      return [...now.plans.values()].map((plan) => briefPlan(now, plan));
    });
    return { plans: plans.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)) };
  }
  const { book, plan } = await findPlan(room, id);
  const now = book.now();
  const jobs = jobsOf(now, plan);
  const works = worksIn(room, [book], jobs);
  const [conflicts, usage, warnings] = await Promise.all([
    clashes(room, works, jobs),
    room.crew.usageOf({ tasks: new Set(tasksOfPlan(plan)) }),
    ahead(plan, jobs),
  ]);
  return wholePlan(now, works, { plan, conflicts, usage, warnings });
}

/** Of its jobs that are at work now. */
async function clashes({ crew }: TasksReader, works: Works, jobs: readonly Task[]): Promise<Conflicts> {
  const live = jobs.flatMap(({ worker, title }) => {
    const work = worker && works.get(worker.id);
    return work === undefined || work.status === 'closed' || work.status === 'dead'
      ? []
      : [{ id: work.id, name: work.name, title }];
  });
  if (live.length < 2) return [];
  const titles = new Map(live.flatMap(({ id, name, title }) => [[id, title] as const, [name, title] as const]));
  const { pairs } = await crew.conflicts({ workers: live.map(({ id }) => id) });
  return pairs.flatMap(({ a, b, conflicts }) =>
    conflicts.length === 0
      ? []
      : [{ job: titles.get(a) ?? a, with: titles.get(b) ?? b, files: conflicts.slice(0, mostFiles) }],
  );
}

const glancedMs = 3_600_000;
const mostEnded = 10;

/** All that has not ended, and what ended within the hour; what other processes wrote is read first. */
export async function summarizeJobs(
  { crew, jobBooks, clock, limit }: Omit<TasksReader, 'drives'>,
  here?: string,
): Promise<JobsSummary> {
  const books = jobBooks.opened();
  await Promise.all(books.map((book) => book.catchUp()));
  const since = clock.now() - glancedMs;
  const isRecent = ({ endedAt }: { readonly endedAt?: number }) => (endedAt ?? 0) >= since;
  const plans = books.flatMap((book) => {
    const now = book.now();
    return [...now.plans.values()]
      .filter((plan) => !planHasEnded(plan) || isRecent(plan))
      .map((plan) => ({ now, plan }));
  });
  const tasks = books.flatMap((book) => {
    const now = book.now();
    return [...now.tasks.values()].filter(({ planId }) => planId === undefined).map((task) => ({ now, task }));
  });
  const works = worksIn(
    { crew },
    books,
    tasks.map(({ task }) => task).filter((task) => !hasEnded(task)),
  );
  const ended = tasks.filter(({ task }) => hasEnded(task) && isRecent(task)).slice(-mostEnded);
  return {
    plans: plans.map(({ now, plan }) => briefPlan(now, plan)),
    tasks: [...tasks.filter(({ task }) => !hasEnded(task)), ...ended].map(({ now, task }) => viewOf(now, works, task)),
    running: jobBooks.active(),
    limit: limit(),
    checkpoints: plans.flatMap(({ now, plan }) => checkpointsOf(now, plan).map((point) => checkpointView(plan, point))),
    loops: books.flatMap((book) => loopLines(book.now())),
    schedules: books.flatMap((book) => scheduleLines(book.now())),
    scheduleCalls: books.flatMap((book) => restingIn(book.now()).flatMap(({ nextCalls }) => nextCalls)),
    ...(await pauseHere({ crew, jobBooks }, here)),
  };
}
