// How a task gets its worker: an idle one that was kept for its role, or a new one.
import type { Attention, Comparing, Lifecycle, Queries, Run } from '../../crew/api.ts';
import { defined } from '../../model/defined.ts';
import type { Plan, Task } from '../../model/task.ts';
import { hasEnded, planOf } from '../../model/task-state.ts';
import { anyAgent } from '../../model/worker.ts';
import type { TaskPatch } from '../../store/job-book.ts';
import { agentFor } from '../judge/agent-choice.ts';
import { type Facts, lands } from '../judge/facts.ts';
import { type HandedOn, handedOnText } from '../judge/handed-on.ts';
import { failedWith, told } from '../judge/outcomes.ts';
import { startedWith } from '../judge/task-step.ts';
import { parts, taskPrompt } from '../judge/words.ts';
import { bringsBy } from './brings.ts';
import { reported } from './handed-on.ts';
import { leftOut, reviewRules } from './reviews.ts';

export interface Starting {
  readonly crew: Pick<Lifecycle, 'start'> &
    Pick<Comparing, 'branchOf'> &
    Pick<Attention, 'deniesEditing'> &
    Pick<Queries, 'reports'>;
  readonly facts: () => Facts;
  readonly run: Run;
  /** Workers that an act under way has taken for its task, by id. */
  readonly claimed: Set<string>;
}

type Change = Omit<TaskPatch, 'id'>;

export async function startTask(starting: Starting, task: Task): Promise<Change> {
  const brings = await bringsBy(starting.crew, task);
  return { ...(await startWith(starting, { ...task, brings })), brings };
}

/** One that a limit holds is started all the same: its prompt is kept until that is over. */
function withAgent({ accounts, roles }: Facts, task: Task): Task {
  const known = accounts.get(task.project);
  if (task.agentType !== anyAgent || known === undefined) return task;
  const choice = agentFor(task, roles.get(task.id) ?? {}, known);
  const { agentType: _, ...unnamed } = task;
  // The agent of its role, or the usual one.
  const isUsual = 'until' in choice || choice.agentType === known.usual;
  return isUsual ? unnamed : { ...task, agentType: choice.agentType };
}

async function startWith(starting: Starting, wanted: Task): Promise<Change> {
  const facts = starting.facts();
  const task = withAgent(facts, wanted);
  const plan = planOf(facts, task);
  const before = handedOnText(await handedOn(starting, task));
  const idle = plan === undefined && task.attempt === 1 ? await idleWorker(starting, task) : undefined;
  if (idle !== undefined) {
    const { id, name } = idle;
    return {
      ...startedWith(facts, idle),
      worker: { id, name },
      isReused: true,
      progress: told(facts, task, parts([taskPrompt(task, plan), before])),
    };
  }
  const prompt = parts([taskPrompt(task, plan), await leftOut(starting.crew, task), before]);
  const order = { ...startOrder(task, plan), prompt, ...(task.kind !== 'review' && { fillsSlot: true as const }) };
  const { sessions, failed } = await starting.crew.start({ workers: [order] }, starting.run);
  const [session] = sessions;
  if (session === undefined)
    return failedWith(
      starting.facts(),
      task,
      `its worker could not be started: ${failed.map(({ error, hint }) => `${error} ${hint}`).join(' ')}`,
    );
  return {
    ...startedWith(starting.facts(), {
      id: session.session_id,
      name: session.name,
      ...defined({ branch: session.branch }),
    }),
    isReused: false,
  };
}

/** Of the tasks that come first. */
const handedOn = ({ crew, facts }: Starting, { dependsOn }: Task): Promise<readonly HandedOn[]> =>
  reported(
    crew,
    facts().book,
    dependsOn.flatMap((id) => facts().book.tasks.get(id) ?? []),
  );

const longestLabel = 80;
const longestPlan = 39;

const firstOf = (planName: string): string => [...planName].slice(0, longestPlan).join('').trimEnd();

function startOrder(task: Task, plan: Plan | undefined) {
  const { project, maxTurns, maxCostUsd, id, attempt, dependsOn } = task;
  // Roots begin where the plan began; whoever depends on others begins where those have landed.
  const base = plan === undefined ? task.base : dependsOn.length > 0 ? plan.branch : plan.base.sha;
  // The name of a job is what tells it from the others.
  const label = plan === undefined ? task.title : `${firstOf(plan.name)} ${task.title}`;
  return {
    project,
    annotation: label.slice(0, longestLabel),
    ...dispatchOf(task),
    ...reviewRules(task),
    ...defined({ maxTurns, maxCostUsd, worktree: base === undefined ? undefined : { base } }),
    // Whatever the configuration says: only a branch can land.
    ...(lands(task) && { useWorktree: true }),
    task: { id, attempt, ...(task.plansFor !== undefined && { plans: true as const }) },
  };
}

/** What its worker is started with, as a start takes it. Pure. */
export const dispatchOf = ({ agentType, model, role, maxCostUsd, ...task }: Task) => ({
  ...defined({ agentType, model, role, maxCostUsd, ...ownParts(task) }),
  ...{ copyFiles: task.copyFiles, symlinkDirs: task.symlinkDirs, setupCommands: task.setupCommands },
});

/** What a worker that is there already cannot be given. */
const ownParts = (task: Omit<Task, 'agentType' | 'model' | 'role' | 'maxCostUsd'>) => {
  const { preset, permissionMode, sandbox, skipPermissions, env, mcpConfig, appendSystemPrompt, bead } = task;
  return { preset, permissionMode, sandbox, skipPermissions, env, mcpServers: mcpConfig, appendSystemPrompt, bead };
};

const asksForOwn = (task: Task): boolean =>
  [...Object.values(ownParts(task)), task.maxTurns, task.maxCostUsd].some((part) => part !== undefined) ||
  [task.copyFiles, task.symlinkDirs, task.setupCommands].some((list) => list.length > 0);

/** One that was kept after a task, of the same role and kind, that has nothing on its branch which its base lacks. */
async function idleWorker({ crew, facts, claimed }: Starting, task: Task) {
  // What it has done before would count; and a reviewer has rules of its own.
  if (task.kind === 'review' || asksForOwn(task)) return undefined;
  const isTaken = (id: string) =>
    claimed.has(id) || [...facts().book.tasks.values()].some((one) => !hasEnded(one) && one.worker?.id === id);
  /** It was started with what a task asked for alone. */
  const isFitted = (id: string) =>
    [...facts().book.tasks.values()].some((one) => one.worker?.id === id && !one.isReused && asksForOwn(one));
  const works = [...facts().works.values()];
  for (const work of works.toSorted((a, b) => Number(b.slot !== undefined) - Number(a.slot !== undefined))) {
    const isSame =
      work.role === task.role &&
      work.crew === task.crew &&
      (task.agentType ?? work.agentType) === work.agentType &&
      (task.model ?? work.model) === work.model;
    if (
      task.role === undefined ||
      !isSame ||
      !work.isIdle ||
      work.isOthers ||
      work.alarm !== undefined ||
      work.budget !== undefined
    )
      continue;
    // Two tasks may look at once.
    if (isTaken(work.id) || isFitted(work.id)) continue;
    // Nothing that a worker enters has more rights than it would get by itself.
    if (task.from !== undefined && work.hasOwnRights) continue;
    claimed.add(work.id);
    const looked = await crew.branchOf({ worker: work.id }).catch(() => undefined);
    const isClean = looked?.branch !== undefined && looked.commits.length + looked.behind + looked.dirtyFiles === 0;
    if (isClean && (task.base === undefined || work.base?.ref === task.base)) return work;
    claimed.delete(work.id);
  }
  return undefined;
}
