// A worker that was asked for, checked before anything is touched.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import { refuseOptions } from '../../model/arg-word.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newWorkerId } from '../../model/ids.ts';
import { checkName, workerColour } from '../../model/name.ts';
import { type AgentType, isBuiltIn, type WorkerRecord } from '../../model/worker.ts';
import { commandOf, resolveProject, type Settings } from '../../settings/settings.ts';
import { type FolderFacts, inspectFolder, realFolder } from '../../worktree/inspect.ts';
import { slug } from '../../worktree/slug.ts';
import { environmentOf } from '../environments.ts';
import type { StartOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { firstPrompt } from './first-prompt.ts';
import { checkAsked, checkRules, skipsPermissions } from './launch-limits.ts';
import { ownServerName } from './own-tools.ts';
import { chooseSandbox, withoutSandbox } from './worker-sandbox.ts';

export interface Draft {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly order: StartOrder;
  readonly settings: Settings;
  readonly agent: Agent;
  /** Program and leading arguments, found and executable. */
  readonly command: readonly string[];
  /** The folder asked for, real. */
  readonly projectPath: string;
  readonly folder: FolderFacts | undefined;
  readonly crew: string;
  readonly prompt: string | undefined;
  readonly isSandboxed: boolean;
  readonly resume:
    | { readonly agentSessionId: string; readonly fork: boolean; readonly past?: WorkerRecord }
    | undefined;
  readonly warnings: readonly string[];
}

/** Rejects with what is wrong and how to put it right; nothing has been made by then. */
export async function draftWorker(
  context: CrewContext,
  named: { readonly order: StartOrder; readonly name: string; readonly here: string | undefined },
): Promise<Draft> {
  const { order } = named;
  const name = checkName(named.name);
  const projectPath = await projectOf(context, order.project, named.here);
  const { settings } = context.settingsFor(projectPath);
  const agentType = order.agentType ?? settings.defaults.agent_type;
  const agent = context.agentFor(agentType, projectPath);
  const folder = await inspectFolder({ path: projectPath, env: context.env });
  const command = await findCommand(commandOf(settings, agentType) ?? [], {
    agent: agentType,
    path: context.env.PATH ?? '',
    cwd: projectPath,
  });
  const wantsWorktree = order.useWorktree ?? settings.defaults.use_worktree;
  checkWorktree(order, folder, projectPath);
  checkServers(order, settings);
  const prompt = firstPrompt({ order, folder, projectPath, override: settings.issue_tracker.override });
  checkAsked(agent, order, await prompt);
  const resume = resumeOf(context, order, agentType);
  const env = environmentOfDraft(context, { agent, folder, projectPath, order });
  const sandbox = await chooseSandbox({ agent, command, settings, asked: order.sandbox, env });
  refuseOptions({ 'The conversation to go on with': resume?.agentSessionId });
  return {
    id: freshId(context),
    name,
    colour: workerColour(name, liveColours(context)),
    order: { ...order, useWorktree: wantsWorktree && folder !== undefined },
    settings,
    agent,
    command,
    projectPath,
    folder,
    crew: crewName(settings.tmux.session_prefix, folder?.mainRepoPath ?? projectPath),
    prompt: await prompt,
    isSandboxed: sandbox.isOn,
    resume,
    warnings: [
      ...withoutSandbox(context, { name, agent, sandbox }),
      ...(await checkRules(context, agent, {
        ...{ name, role: order.role, projectPath, hasWorktree: wantsWorktree && folder !== undefined },
        skips: skipsPermissions(agent, order, settings),
      })),
      ...(wantsWorktree && folder === undefined
        ? [`${name}: ${projectPath} is not a git repository, so it works there without a worktree.`]
        : []),
      ...((await prompt) === undefined && order.resume === undefined
        ? [`${name} has neither prompt nor bead: it is idle and waits for message_workers.`]
        : []),
    ],
  };
}

/** Of the agent, and of what makes its worktree fit to work in. */
export const environmentOfDraft = (
  context: CrewContext,
  { agent, folder, projectPath, order }: Pick<Draft, 'agent' | 'folder' | 'projectPath' | 'order'>,
) =>
  environmentOf(context, {
    agentType: agent.type,
    projectPath: folder?.mainRepoPath ?? projectPath,
    own: order.env,
  });

/** What of the wish is the worker's own, and private. */
export const ownPartOf = ({ order }: Pick<Draft, 'order'>) => ({
  env: order.env ?? {},
  ...defined({
    mcpServers: order.mcpServers,
    appendSystemPrompt: order.appendSystemPrompt,
    sandbox: order.sandbox,
  }),
});

async function projectOf(context: CrewContext, path: string, here: string | undefined): Promise<string> {
  const asked = resolveProject(path, {
    env: context.serverEnv,
    userHome: context.env.HOME ?? '/',
    cwd: context.cwd,
    ...defined({ clientRoot: here }),
  });
  const real = await realFolder(asked);
  if ((await stat(real)).isDirectory()) return real;
  throw new CrewError('invalid_argument', `${real} is not a folder.`, 'Pass the folder of a project.');
}

function checkServers({ mcpServers: servers = {} }: StartOrder, { defaults }: Settings): void {
  if (!defaults.worker_tools || !Object.hasOwn(servers, ownServerName)) return;
  throw new CrewError(
    'invalid_argument',
    `mcp_config has a server named "${ownServerName}", which is the name of the worker's own tools.`,
    'Give yours another name, or switch those off with defaults.worker_tools.',
  );
}

function checkWorktree(order: StartOrder, folder: FolderFacts | undefined, projectPath: string): void {
  if (order.worktree === undefined || folder !== undefined) return;
  throw new CrewError(
    'not_a_repository',
    `A worktree was asked for, but ${projectPath} is not in a git repository.`,
    'Run `git init` there and commit once, or leave `worktree` out.',
  );
}

function freshId(context: CrewContext): string {
  const known = context.log.records();
  for (;;) {
    const id = newWorkerId();
    if (!known.has(id)) return id;
  }
}

const liveColours = (context: CrewContext): readonly string[] =>
  context.roster
    .records()
    .filter((record) => record.phase === 'live' || record.phase === 'spawning')
    .map((record) => record.colour);

/** One tmux session a project: readable, and never that of another project of the same name. */
export function crewName(prefix: string, path: string): string {
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 6);
  // tmux gives `.` and `:` a meaning of their own in targets.
  const word = slug(basename(path), 30).replace(/[.:]/g, '-');
  return `${prefix}${word === '' ? 'project' : word}-${digest}`;
}

function resumeOf(context: CrewContext, order: StartOrder, agentType: AgentType): Draft['resume'] {
  const { resume, fork = false } = order;
  if (resume === undefined) {
    if (!fork) return undefined;
    throw new CrewError(
      'invalid_argument',
      'fork is given without resume.',
      'Name in `resume` the conversation to fork.',
    );
  }
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(resume)) {
    const all = context.roster.records().map((record) => context.roster.present(record));
    const past = all.find((record) => record.launch.agentSessionId === resume);
    return { agentSessionId: resume, fork, ...(past === undefined ? {} : { past }) };
  }
  const past = context.roster.present(context.roster.resolve(resume));
  if (past.agentType !== agentType) {
    throw new CrewError(
      'invalid_argument',
      `${past.name} is a ${past.agentType} worker; its conversation cannot go on in ${agentType}.`,
      `Pass agent_type: "${past.agentType}".`,
    );
  }
  const isLive = past.phase === 'live' || past.phase === 'spawning';
  if (isLive && !fork) {
    throw new CrewError(
      'worker_busy',
      `${past.name} is alive and has that conversation open.`,
      'Message it, or pass fork: true.',
    );
  }
  const { agentSessionId } = past.launch;
  if (agentSessionId !== '') return { agentSessionId, fork, past };
  throw new CrewError(
    'invalid_argument',
    `${past.name} has no conversation yet: it was never asked anything.`,
    'Leave resume out.',
  );
}

/** Finds the program as a shell would, before a pane is made for it. */
export async function findCommand(
  command: readonly string[],
  at: { readonly agent: AgentType; readonly path: string; readonly cwd: string },
): Promise<readonly string[]> {
  const [program = '', ...args] = command;
  const places = program.includes('/')
    ? [isAbsolute(program) ? program : resolve(at.cwd, program)]
    : at.path
        .split(delimiter)
        .filter((dir) => dir !== '')
        .map((dir) => join(dir, program));
  for (const place of places) {
    const found = await access(place, constants.X_OK).then(
      () => stat(place),
      () => undefined,
    );
    if (found?.isFile()) return [place, ...args];
  }
  throw new CrewError(
    'agent_missing',
    program.includes('/')
      ? `${places[0]} is no program that can be run.`
      : `There is no program "${program}" in the PATH of this server.`,
    isBuiltIn(at.agent)
      ? `Install it, or set commands in the configuration (crewmux config set commands.${at.agent} /path/to/${at.agent}).`
      : `Install it, or mend agents.${at.agent}.command in the configuration.`,
  );
}
