// What is known of workers before they start: which will ask about everyday work, and which tell no cost.
import type { AgentType } from '../../model/worker.ts';
import { commandOf } from '../../settings/settings.ts';
import { once } from '../../system/once.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import { rulesOfWorker, startModeOf } from '../attention/permissions.ts';
import { environmentOf } from '../environments.ts';
import { projectOf } from '../place.ts';
import type { CrewContext } from '../workers/roster.ts';
import { findCommand } from './launch.ts';
import { costWarnings } from './start-order.ts';
import { chooseSandbox } from './worker-sandbox.ts';

/** Workers that are to be started later. */
export interface StartAhead {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly here?: string;
  readonly starts: readonly {
    /** Of the job or task. */
    readonly name: string;
    readonly agentType?: AgentType;
    readonly role?: string;
    readonly maxCostUsd?: number;
    /** Its branch is to land, so that it has a worktree whatever the configuration says. */
    readonly lands: boolean;
  }[];
}

export interface AskingFacts {
  /** The mode in which it starts, and whether the configuration names it. */
  readonly mode: string;
  readonly isNamed: boolean;
  readonly hasWorktree: boolean;
  readonly isSandboxed: boolean;
  /** A rule allows every command. */
  readonly runsAll: boolean;
}

/** Why an agent that asks by its mode will ask about everyday work; undefined where it will not. */
export function asksAbout({ mode, isNamed, hasWorktree, isSandboxed, runsAll }: AskingFacts): string | undefined {
  if (mode === 'plan') return 'plans first and waits for approval (permission_mode "plan")';
  if (mode !== 'manual' && mode !== 'acceptEdits') return undefined;
  // A mode that a preset chose asks about nothing that its work is.
  const edits = mode === 'manual' && (isNamed || !hasWorktree);
  const commands = !isSandboxed && !runsAll;
  if (!edits && !commands) return undefined;
  const what = edits && commands ? 'edits and commands' : edits ? 'edits' : 'commands';
  const why = [...(edits ? [`permission_mode "${mode}"`] : []), ...(commands ? ['no sandbox'] : [])];
  return `asks about ${what} (${why.join(', ')})`;
}

/**
 * A warning for each way to ask, with those that ask so. Throws for a bound in cost that cannot be held; of all else a
 * start itself tells what is wrong with it.
 */
export async function asksAhead(
  context: CrewContext,
  { project, here, starts }: StartAhead,
): Promise<readonly string[]> {
  const projectPath = await projectOf(context, project, here);
  const costs = costsAhead(context, projectPath, starts);
  const alike = once<string | undefined>();
  const asked = await Promise.all(
    starts.map(async (start) => {
      const key = JSON.stringify([start.agentType, start.role, start.lands]);
      const why = await alike(key, () => whyOf(context, { ...start, projectPath }).catch(() => undefined));
      return { name: start.name, why };
    }),
  );
  const asking = [...new Set(asked.flatMap(({ why }) => why ?? []))].map((why) => {
    const names = asked.filter((one) => one.why === why).map(({ name }) => name);
    const who = names.length === 1 ? `the worker of ${names[0]}` : `each worker of ${names.join(', ')}`;
    return `${capital(who)} ${why}, and waits until somebody answers: wait_tasks tells. ${wayOut(why)}`;
  });
  return [...asking, ...costs];
}

function costsAhead(context: CrewContext, projectPath: string, starts: StartAhead['starts']): readonly string[] {
  const bound = starts.filter(({ maxCostUsd }) => maxCostUsd !== undefined);
  const { agent_type: usual } = context.settingsFor(projectPath).settings.defaults;
  return costWarnings(
    bound.map(({ name, agentType = usual }) => ({ name, agent: context.agents.named(agentType, projectPath) })),
  );
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const wayOut = (why: string): string =>
  why.includes('no sandbox')
    ? 'doctor says what the sandbox lacks.'
    : 'Leave defaults.permission_mode out of the configuration to work without.';

async function whyOf(
  context: CrewContext,
  start: StartAhead['starts'][number] & { readonly projectPath: string },
): Promise<string | undefined> {
  const { projectPath, role, lands } = start;
  const { settings } = context.settingsFor(projectPath);
  const { defaults } = settings;
  const agentType = start.agentType ?? defaults.agent_type;
  const agent = context.agents.named(agentType, projectPath);
  // Of the others, those that ask do so only to leave their sandbox.
  if (agent.usersMode === undefined || defaults.skip_permissions) return undefined;
  const folder = await inspectFolder({ path: projectPath, env: context.environment.git });
  const hasWorktree = folder !== undefined && (lands || defaults.use_worktree);
  const env = environmentOf(context, { agentType, projectPath: folder?.mainRepoPath ?? projectPath });
  const path = context.environment.git.PATH ?? '';
  const command = await findCommand(commandOf(settings, agentType) ?? [], { agent: agentType, path, cwd: projectPath });
  const { isOn: isSandboxed } = await chooseSandbox({ context, agent, command, settings, asked: undefined, env });
  const { allow } = await rulesOfWorker(context, { role, projectPath, presetUse: 'all' });
  const at = { projectPath, role, hasWorktree, env };
  const mode = defaults.permission_mode ?? (await startModeOf(context, agent, at));
  const isNamed = defaults.permission_mode !== undefined;
  return asksAbout({ mode, isNamed, hasWorktree, isSandboxed, runsAll: allow.includes('Bash') });
}
