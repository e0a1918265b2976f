// Looks, before a plan starts, at what its workers, its tests and its project will meet.
import { defined } from '../../model/defined.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import { bringsOf, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { hasEnded } from '../../model/task-state.ts';
import { type startOfJob, startOfTask } from '../drive/job-tasks.ts';
import { plannerAhead } from '../drive/planner-task.ts';
import { preflight } from '../judge/preflight.ts';
import type { TasksContext } from './tasks-context.ts';

type Start = ReturnType<typeof startOfJob | typeof startOfTask> | typeof plannerAhead;

export interface AheadOrder {
  readonly project: string;
  readonly here?: string;
  readonly crew: string;
  readonly testCommand?: string;
  readonly starts: readonly Start[];
  readonly setupCommands: readonly string[];
  /** Whether any of them brings a commit, which tests could stop. Asked once all of them can be started. */
  readonly lands: () => Promise<boolean>;
}

/** Starts nothing. Throws where a worker cannot be started as it is asked for. */
export async function lookAhead({ crew }: Pick<TasksContext, 'crew'>, order: AheadOrder): Promise<readonly string[]> {
  const { project, here, crew: name, testCommand, starts, setupCommands, lands } = order;
  const place = { project, ...defined({ here }) };
  const asking = await crew.asksAhead({ ...place, starts });
  const { usual, limits } = crew.accounts({ project, withOthers: false });
  const agentTypes = await Promise.all(starts.map((start) => agentOf({ crew }, { project, usual, ...start })));
  const ahead = await crew.factsAhead({ ...place, setupCommands, agentTypes, ...defined({ testCommand }) });
  if (starts.includes(plannerAhead) && !ahead.givesTools) throw noTools();
  const untested = (await lands()) ? {} : { testCommand: '' };
  const loggedOut = crew
    .work({ crews: [name], tasks: new Set() })
    .filter(({ attention }) => attention.some(({ waiting_for: need }) => need === 'login'));
  const until = new Map([...limits].map(([type, gate]) => [type, gate.until]));
  return preflight({ ...ahead, ...untested, asking, loggedOut, agentTypes, limits: until });
}

const noTools = (): CrewError =>
  new CrewError(
    'invalid_argument',
    'A planner hands in its jobs with a tool of crewmux, and defaults.worker_tools is off.',
    'Pass jobs or a template, or have your user switch the tools on.',
  );

interface Starting {
  readonly project: string;
  readonly usual: string;
  readonly agentType?: string;
  readonly role?: string;
}

async function agentOf({ crew }: Pick<TasksContext, 'crew'>, { project, usual, agentType, role }: Starting) {
  if (agentType !== undefined || role === undefined) return agentType ?? usual;
  return (await crew.roleFacts({ project, role })).agentType ?? usual;
}

/** The same for a plan as it stands, whose start nothing of this refuses any more. */
export async function planAhead(
  room: Pick<TasksContext, 'crew'>,
  plan: Plan,
  jobs: readonly Task[],
): Promise<readonly string[]> {
  if (planHasEnded(plan) || plan.isCancelled) return [];
  const open = jobs.filter((job) => !hasEnded(job));
  const { project, crew, testCommand } = plan;
  try {
    return await lookAhead(room, {
      ...{ project, crew, starts: jobs.length === 0 ? [plannerAhead] : open.map(startOfTask) },
      setupCommands: open.flatMap((job) => job.setupCommands),
      lands: async () => jobs.length === 0 || open.some((job) => bringsOf(job) === 'commit'),
      ...defined({ testCommand }),
    });
  } catch (thrown) {
    const { message, hint } = asCrewError(thrown);
    return [`${message} ${hint}`];
  }
}
