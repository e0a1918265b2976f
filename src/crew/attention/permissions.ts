// The rules and the permission mode that hold for a worker, and the rules that its agent cannot enforce.

import { readFile, realpath } from 'node:fs/promises';
import type { Agent } from '../../agents/agent.ts';
import { advise, call } from '../../model/advice.ts';
import { defined } from '../../model/defined.ts';
import { CrewError, isMissing } from '../../model/errors.ts';
import { type PresetName, type RuleBook, type Rules, ruleLists, type ScopeRules } from '../../model/rule.ts';
import { isSandboxed, type WorkerRecord } from '../../model/worker.ts';
import type { PresetUse } from '../../permissions/presets.ts';
import { heldUp, presetOf, rulesFor, rulesOf } from '../../permissions/rule-book.ts';
import { writePlace } from '../../store/place.ts';
import { readBook } from '../../store/rule-book.ts';
import type { UnenforcedRule } from '../../wire/permissions.ts';
import type { CrewContext } from '../workers/crew-context.ts';

/** The rules that a project configures, then those that set_permissions added; the later adds to the earlier. */
export async function booksFor(context: CrewContext, worker: RuledOne): Promise<readonly [RuleBook, RuleBook]> {
  return [configuredBook(context, worker), await readBook(context.home)];
}

function configuredBook(context: CrewContext, { projectPath, id, preset, role, roleRules }: RuledOne): RuleBook {
  const { default: always, roles } = context.settingsFor(projectPath).settings.permissions;
  const ofRoles = Object.fromEntries(Object.entries(roles).map(([name, rules]) => [`role:${name}`, rules]));
  const scope = `role:${role}`;
  return {
    default: always,
    ...ofRoles,
    ...(roleRules !== undefined && { [scope]: rulesOf([{ [scope]: roleRules }, ofRoles], scope) }),
    ...(id !== undefined && preset !== undefined && { [`worker:${id}`]: { preset } }),
  };
}

export interface RuledOne {
  readonly id?: string;
  readonly role?: string | undefined;
  /** What the file of its role says of rules. */
  readonly roleRules?: ScopeRules | undefined;
  readonly projectPath: string;
  /** The worker's own, as it was started with. */
  readonly preset?: PresetName | undefined;
  /** All of a preset counts where it is left out. */
  readonly presetUse?: PresetUse;
}

/** Of a worker that is not there yet: no rule is written for it. */
export const nobodysId = 'none';

export function presetUseOf(launch: { readonly isSandboxed: boolean; readonly skips: boolean }): PresetUse {
  if (!launch.isSandboxed) return 'all';
  return launch.skips ? 'unasked' : 'sandboxed';
}

/** Never rejects: where rules cannot be read, the worker has to ask about everything. */
export async function rulesOfWorker(context: CrewContext, worker: RuledOne): Promise<Rules> {
  const { rulesLost = false } = context.settingsFor(worker.projectPath);
  try {
    const rules = rulesFor(await booksFor(context, worker), worker);
    return rulesLost ? heldUp(rules) : rules;
  } catch (error) {
    context.logger.write('error', 'rules could not be read, so none allows anything', error);
    return heldUp(rulesFor([configuredBook(context, worker)], worker));
  }
}

type RuledRecord = Pick<
  WorkerRecord,
  'id' | 'role' | 'roleKept' | 'preset' | 'mainRepoPath' | 'projectPath' | 'launch'
>;

export const ruledAs = (record: RuledRecord): RuledOne => ({
  id: record.id,
  role: record.role,
  roleRules: record.roleKept,
  preset: record.preset,
  projectPath: record.mainRepoPath ?? record.projectPath,
  presetUse: presetUseOf({ isSandboxed: isSandboxed(record.launch), skips: record.launch.skipPermissions }),
});

export interface RuledPlace {
  readonly skips: boolean;
  readonly hasWorktree: boolean;
}

export const skips = ({ launch, permissionMode }: Pick<WorkerRecord, 'launch' | 'permissionMode'>): boolean =>
  launch.skipPermissions || permissionMode === 'bypassPermissions';

export function unenforced(agent: Agent, rules: Rules, at: RuledPlace): readonly UnenforcedRule[] {
  const lacking = agent.rules.lacks(rules, at);
  return ruleLists.flatMap((list) => lacking[list].map((rule) => ({ agent_type: agent.type, list, rule })));
}

/** Throws `invalid_argument` where the agent cannot enforce a denial: such a worker does not start. */
export function refuseUndeniable(agent: Agent, rules: Rules, at: RuledPlace): void {
  const rule = agent.rules.lacks(rules, at).deny[0];
  if (rule === undefined) return;
  throw new CrewError(
    'invalid_argument',
    `A ${agent.type} worker${at.skips ? ' with skip_permissions' : ''}${at.hasWorktree ? '' : ' without a worktree of its own'} cannot be held to the rule that denies ${rule}.`,
    advise`Start another agent, take the rule away ${call('with set_permissions', 'through your manager')}, or give it to roles of other agents alone.`,
  );
}

/** A warning of the rules that the agent cannot enforce and that keep no worker from its start. */
export const unheldWords = (agent: Agent, rules: Rules, at: RuledPlace): string | undefined => {
  const rest = unenforced(agent, rules, at).filter(({ list }) => list !== 'deny');
  if (rest.length === 0) return undefined;
  const named = rest.slice(0, 5).map(({ list, rule }) => `${list} ${rule}`);
  return `these permission rules do not reach a ${agent.type} worker: ${named.join(', ')}${rest.length > 5 ? ', …' : ''}`;
};

/** Writes the place where a worker works into its folder, for the hook of its agent. */
export async function notePlace(context: CrewContext, record: WorkerRecord): Promise<void> {
  await writePlace(await context.home.workerDir(record.id), {
    root: await real(record.worktreePath ?? record.projectPath),
    userHome: await real(context.environment.git.HOME ?? '/'),
    stateHome: await real(context.home.root),
    ...defined({ branch: record.branch, role: record.role }),
  });
}

const real = (path: string): Promise<string> => realpath(path).catch(() => path);

export const lockTimeoutMs = 30_000;

interface StartModeFacts {
  readonly hasWorktree: boolean;
  /** `unknown` where the rules cannot be read. */
  readonly preset: PresetName | 'unknown' | undefined;
  readonly usersMode: string | undefined;
}

/** These leave a worker every file of its worktree; of the others the mode must not give more than they do. */
const letEdit: ReadonlySet<string> = new Set<PresetName>(['full', 'implement', 'fix']);

/** Edits in a worktree of its own ask nobody: they land only when somebody lands them. */
export function startMode({ hasWorktree, preset, usersMode }: StartModeFacts): string {
  if (preset !== undefined && !letEdit.has(preset)) return 'manual';
  return hasWorktree ? 'acceptEdits' : (usersMode ?? 'manual');
}

/** Never rejects: where nothing can be read, the worker asks. */
export async function startModeOf(
  context: CrewContext,
  agent: Agent,
  worker: Pick<RuledOne, 'id' | 'role' | 'roleRules' | 'preset' | 'projectPath'> & {
    readonly hasWorktree: boolean;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const { usersMode } = agent;
  if (usersMode === undefined) return 'manual';
  const { rulesLost = false } = context.settingsFor(worker.projectPath);
  const preset = rulesLost
    ? 'unknown'
    : await booksFor(context, worker).then(
        (books) => presetOf(books, worker),
        () => 'unknown' as const,
      );
  const { hasWorktree, env } = worker;
  const text = hasWorktree ? '' : await usersText(context, usersMode.fileFor(env));
  return startMode({ hasWorktree, preset, usersMode: usersMode.modeIn(text) });
}

async function usersText({ logger }: CrewContext, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (!isMissing(error)) logger.write('warn', `${path} could not be read, so the worker asks`, error);
    return '';
  });
}
