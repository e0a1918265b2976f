// What is known of workers before they start: which will ask about everyday work, and which cannot start as they are.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { anyAgent, builtInAgents } from '../../model/worker.ts';
import { once } from '../../system/once.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { nobodysId, refuseUndeniable, rulesOfWorker, startModeOf } from '../attention/permissions.ts';
import { environmentOf } from '../environments.ts';
import { projectOf } from '../place.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { type ResolvedRole, type RoleNow, roleResolver } from '../workers/roles.ts';
import { modelOf } from './draft.ts';
import { commandIn } from './launch.ts';
import { modelOfRole, modeOfRole } from './role-order.ts';
import { refuseOwnServer, refuseUnknownCost, type StartOrder } from './start-order.ts';
import { chooseSandbox } from './worker-sandbox.ts';

/** Workers that are to be started later. */
export interface StartAhead {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly here?: string;
  readonly starts: readonly AskedAhead[];
}

interface AskedAhead
  extends Pick<
    StartOrder,
    | ('agentType' | 'model' | 'role' | 'preset' | 'permissionMode' | 'skipPermissions' | 'sandbox')
    | ('mcpServers' | 'maxCostUsd')
  > {
  /** Of the job or task. */
  readonly name: string;
  /** Its branch is to land, so that it has a worktree whatever the configuration says. */
  readonly lands: boolean;
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
 * A warning for each way to ask, with those that ask so, and of each role what does not count. Throws for a role that is
 * not known, an agent that is not or that cannot be held to a denial, a role with a model of another agent, a bound in cost
 * that cannot be held and a server with our name; of all else a start itself tells what is wrong with it.
 */
export async function asksAhead(
  context: CrewContext,
  { project, here, starts }: StartAhead,
): Promise<readonly string[]> {
  const projectPath = await projectOf(context, project, here);
  refuseModelOfAny(starts);
  const folder = await inspectFolder({ path: projectPath, env: context.environment.git }).catch(() => undefined);
  const folders = [projectPath, folder?.mainRepoPath ?? projectPath];
  const resolveRole = roleResolver(context);
  const roles = new Map<string | undefined, ResolvedRole>();
  for (const role of new Set(starts.map((start) => start.role))) {
    roles.set(role, await resolveRole(role, folders));
  }
  const cast = starts.map((start): CastStart => {
    const { found } = roles.get(start.role) ?? {};
    const ofRole = found?.role.agent;
    // As the start itself does it.
    const agentType = start.agentType === anyAgent ? (ofRole ?? anyAgent) : (start.agentType ?? ofRole);
    return { ...start, ...defined({ found, agentType }) };
  });
  for (const start of starts) refuseOwnServer(start, context.settingsFor(projectPath).settings);
  const held = once<void>();
  for (const start of cast) {
    refuseUnfit(context, projectPath, start);
    await held(kindOf(start), () => refuseUnheld(context, { ...start, projectPath, folder }));
  }
  const alike = once<string | undefined>();
  const asked = await Promise.all(
    cast.map(async (start) => {
      const why = await alike(kindOf(start), () =>
        whyOf(context, { ...start, projectPath, folder }).catch(() => undefined),
      );
      return { name: start.name, why };
    }),
  );
  const asking = [...new Set(asked.flatMap(({ why }) => why ?? []))].map((why) => {
    const names = asked.filter((one) => one.why === why).map(({ name }) => name);
    const who = names.length === 1 ? `the worker of ${names[0]}` : `each worker of ${names.join(', ')}`;
    return `${capital(who)} ${why}, and waits until somebody answers: wait_tasks tells. ${wayOut(why)}`;
  });
  return [...asking, ...[...roles.values()].flatMap(({ warnings }) => warnings)];
}

type CastStart = StartAhead['starts'][number] & { readonly found?: RoleNow };

/** What two have in common that are judged alike. */
const kindOf = ({ name: _, maxCostUsd: __, mcpServers: ___, found: ____, ...kind }: CastStart): string =>
  JSON.stringify(kind);

interface Placed extends CastStart {
  readonly projectPath: string;
  readonly folder: FolderFacts | undefined;
}

/** One of any agent may get one that holds it to its rules. */
async function refuseUnheld(context: CrewContext, start: Placed): Promise<void> {
  const { projectPath, folder, role, preset, found, lands } = start;
  const { defaults } = context.settingsFor(projectPath).settings;
  const { agentType = defaults.agent_type } = start;
  if (agentType === anyAgent) return;
  const agent = context.agents.named(agentType, projectPath);
  const skips = start.skipPermissions ?? (agent.takes.has('skipPermissions') && defaults.skip_permissions);
  const hasWorktree = folder !== undefined && (lands || defaults.use_worktree);
  const rules = await rulesOfWorker(context, { id: nobodysId, role, preset, roleRules: found?.rules, projectPath });
  refuseUndeniable(agent, rules, { skips, hasWorktree });
}

/** One of any agent has to fit each of them. */
function refuseUnfit(context: CrewContext, projectPath: string, start: CastStart): void {
  const { settings } = context.settingsFor(projectPath);
  const { prices, defaults } = settings;
  const { name, agentType = defaults.agent_type, found } = start;
  const maxCostUsd = start.maxCostUsd ?? found?.role.maxCostUsd;
  const types = agentType === anyAgent ? [defaults.agent_type, ...builtInAgents] : [agentType];
  for (const type of types) {
    const agent = context.agents.named(type, projectPath);
    const asked = start.model ?? (found && modelOfRole(found.role, agent));
    if (maxCostUsd !== undefined)
      refuseUnknownCost({ name, agent, model: modelOf({ agent, settings, asked }), prices });
  }
}

function refuseModelOfAny(starts: StartAhead['starts']): void {
  const wrong = starts.find(({ agentType, model }) => agentType === anyAgent && model !== undefined);
  if (wrong === undefined) return;
  throw new CrewError(
    'invalid_argument',
    `${wrong.name} has agent_type "any" and model ${JSON.stringify(wrong.model)}, which only one agent knows.`,
    'Name the agent of that model, or leave model out.',
  );
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const wayOut = (why: string): string =>
  why.includes('no sandbox')
    ? 'doctor says what the sandbox lacks.'
    : 'Leave defaults.permission_mode out of the configuration to work without.';

async function whyOf(context: CrewContext, start: Placed): Promise<string | undefined> {
  const { projectPath, folder, role, preset, found, lands } = start;
  const { settings } = context.settingsFor(projectPath);
  const { defaults } = settings;
  const { agentType: wish = anyAgent } = start;
  const agentType = wish === anyAgent ? defaults.agent_type : wish;
  const agent = context.agents.named(agentType, projectPath);
  // Of the others, those that ask do so only to leave their sandbox.
  if (agent.usersMode === undefined || (start.skipPermissions ?? defaults.skip_permissions)) return undefined;
  const hasWorktree = folder !== undefined && (lands || defaults.use_worktree);
  const env = environmentOf(context, { agentType, projectPath: folder?.mainRepoPath ?? projectPath });
  const command = await commandIn(context, agentType, { settings, projectPath });
  const asked = start.sandbox ?? found?.role.sandbox;
  const { isOn: isSandboxed } = await chooseSandbox({ context, agent, command, settings, asked, env });
  const ruled = { id: nobodysId, role, preset, roleRules: found?.rules, projectPath };
  const { allow } = await rulesOfWorker(context, { ...ruled, presetUse: 'all' });
  const named = start.permissionMode ?? (found && modeOfRole(found.role)) ?? defaults.permission_mode;
  const mode = named ?? (await startModeOf(context, agent, { ...ruled, hasWorktree, env }));
  return asksAbout({ mode, isNamed: named !== undefined, hasWorktree, isSandboxed, runsAll: allow.includes('Bash') });
}
