// The command line, environment and files that start one Codex.
import { join } from 'node:path';
import { z } from 'zod';
import { defined } from '../../model/defined.ts';
import { hiddenHoldMs, type LaunchPlan, type LaunchSpec } from '../agent.ts';
import { walled } from '../bwrap.ts';
import { shortArgv } from '../long-argv.ts';
import { normaliseMessage } from '../plain-message.ts';
import { askingCommand, beforehandCommand, signalCommand } from '../signal-hook.ts';
import { unjudged } from './permission-hook.ts';
import { permissionFlags, sandboxSettings } from './permissions.ts';
import { deniesEditing } from './rules.ts';
import { asToml, settingFlags, type TomlTable, type TomlValue } from './toml.ts';

/** Models that a newer one follows: for each of them Codex offers the change at every start until it is turned down. */
const successors = {
  'gpt-5.5': 'gpt-6-sol',
  'gpt-5.6-sol': 'gpt-6-sol',
  'gpt-5.6-terra': 'gpt-6-sol',
  'gpt-5.6-luna': 'gpt-6-luna',
};

export function launch(spec: LaunchSpec): LaunchPlan {
  const words = [
    ...spec.command,
    ...conversation(spec),
    // Behind the shared daemon a turn would outlive its pane.
    '--no-daemon',
    ...permissionFlags(spec),
    ...writableDirs(spec),
    '--dangerously-bypass-hook-trust',
    ...settings(spec),
    ...(spec.model === undefined ? [] : ['-m', spec.model]),
    ...trailing(spec),
  ];
  const { argv, files } = shortArgv(words, spec.launchDir);
  const continued = spec.resume !== undefined && !spec.resume.fork ? spec.resume.agentSessionId : undefined;
  return {
    argv,
    files: [...files, ...walled(spec).files],
    env: paneEnv(spec),
    ...defined({ agentSessionId: continued }),
  };
}

/** Without `-C`, Codex asks for the folder of a conversation that began elsewhere. */
const conversation = ({ resume, cwd }: LaunchSpec): readonly string[] =>
  resume === undefined ? [] : [resume.fork ? 'fork' : 'resume', '-C', cwd];

function trailing({ resume, prompt }: LaunchSpec): readonly string[] {
  const asked = normaliseMessage(prompt ?? '');
  // Only a leading `!` is more than text on the command line: it would run the rest in a shell.
  const text = asked.startsWith('!') ? ` ${asked}` : asked;
  const words = [...(resume === undefined ? [] : [resume.agentSessionId]), ...(text === '' ? [] : [text])];
  return words.length === 0 ? [] : ['--', ...words];
}

/**
 * The sandbox guards git's own folders; without these four nothing can be committed from a linked worktree. They hold
 * no hooks and no settings. In a main checkout those lie beside the rest, so there Codex asks, as it does for everybody.
 */
function writableDirs({ git, skipPermissions, permissionMode, sandbox, rules }: LaunchSpec): readonly string[] {
  // Where nothing may be written, Codex takes a folder to write to for a mistake and does not start.
  const isReader = permissionMode === 'plan' || deniesEditing(rules);
  if (git === undefined || sandbox !== undefined || skipPermissions || isReader) return [];
  const { gitDir, commonDir } = git;
  if (gitDir === commonDir) return [];
  const dirs = [gitDir, ...['objects', 'refs', 'logs'].map((name) => join(commonDir, name))];
  return dirs.flatMap((dir) => ['--add-dir', dir]);
}

/**
 * A worker is not a manager: the crew's own server, entered for the user, is not started again for each of them. Laid
 * over no entry of the user's it must still be a whole server, or Codex does not start.
 */
const managersOwn: TomlTable = { crewmux: { command: 'crewmux', enabled: false } };

/** No setting here grants trust: Codex knows that of the main repository, and its worktrees share it. */
function settings(spec: LaunchSpec): readonly string[] {
  const servers = { ...managersOwn, ...serverTable(spec.mcpServers ?? {}), ...ownServer(spec) };
  const table: Record<string, TomlValue> = {
    check_for_update_on_startup: false,
    // At a spent limit it would ask whether to go on with another model, and the dialog would hide the limit.
    notice: { model_migrations: successors, hide_rate_limit_model_nudge: true },
    'tui.terminal_title': ['activity', 'run-state', 'thread-id'],
    ...sandboxSettings(spec),
    ...commandSettings(spec),
    hooks: hookTable(spec),
    ...(spec.appendSystemPrompt ? { developer_instructions: spec.appendSystemPrompt } : {}),
    mcp_servers: servers,
  };
  return settingFlags(table);
}

/** Of a list to leave out the user's own would be lost, so a variable that must go becomes empty. */
export function commandSettings({
  sandbox,
  env,
}: Pick<LaunchSpec, 'sandbox' | 'env'>): Readonly<Record<string, TomlValue>> {
  const { set, unset } = sandbox?.commandEnv ?? { set: {}, unset: [] };
  // tmux gives them to every pane.
  const there = unset.filter((name) => name in env || name === 'TMUX' || name === 'TMUX_PANE');
  const all = { ...Object.fromEntries(there.map((name) => [name, ''])), ...set };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`shell_environment_policy.set.${name}`, value]),
  );
}

/** The transcript's first line names the originator: it ties a conversation to its worker. */
const originatorOf = (workerId: string): string => `crewmux_${workerId}`;

const paneEnv = (spec: LaunchSpec): Readonly<Record<string, string>> => ({
  ...spec.env,
  ...defined({ TMPDIR: spec.sandbox?.temp }),
  ...walled(spec).env,
  CODEX_INTERNAL_ORIGINATOR_OVERRIDE: originatorOf(spec.workerId),
  CREWMUX_WORKER: spec.workerId,
});

const signalSeconds = 10;
/** Our program lets go of a request before its agent would. */
const askingSeconds = hiddenHoldMs / 1_000 + 60;
const waiting = 'Asking the manager of this worker';

/**
 * No other source has these in time. The transcript has the end of a turn, and a Stop hook would only delay it: Codex
 * writes the end when the hook has run.
 */
const signalEvents = ['SessionStart', 'UserPromptSubmit', 'SessionEnd'];

type HooksSpec = Pick<LaunchSpec, 'workerId' | 'signalsPath' | 'launchDir' | 'program' | 'tripwire' | 'ownTools'>;

function hookTable({ workerId, ownTools, ...spec }: HooksSpec): TomlTable {
  const marker = `crewmux-hook:${workerId}`;
  const asking = { ...spec, ...defined({ ownServer: ownTools?.name }), marker, agent: 'codex' };
  const signals = signalEvents.map((event) => [event, hook(signalCommand({ ...spec, marker }), signalSeconds)]);
  return {
    ...Object.fromEntries(signals),
    PreToolUse: hook(beforehandCommand({ ...asking, unjudged }), askingSeconds),
    PermissionRequest: hook(askingCommand(asking), askingSeconds, waiting),
  };
}

const hook = (command: string, timeout: number, statusMessage?: string) => [
  { hooks: [{ type: 'command', command, timeout, ...defined({ statusMessage }) }] },
];

const server = z.record(z.string(), z.unknown());

/** Codex finds out `type` by itself and has another word for `headers`. An entry that is no object is left out. */
function serverTable(servers: Readonly<Record<string, unknown>>): TomlTable {
  const tables = Object.entries(servers).flatMap(([name, value]) => {
    const { data } = server.safeParse(value);
    if (data === undefined) return [];
    const { type: _, headers, ...known } = data;
    const table = asToml({ ...known, ...defined({ http_headers: headers }) });
    return table === undefined ? [] : [[name, table] as const];
  });
  return Object.fromEntries(tables);
}

// On a busy machine its start takes seconds, and many of them start together.
const longestStartSeconds = 120;

/**
 * The first turn waits for it: Codex begins a turn about a second after its start with what is there by then, and what
 * comes later is missing for as long as that turn runs. Codex ends at once where such a server does not start, so one
 * that cannot is not waited for.
 */
function ownServer({ ownTools }: Pick<LaunchSpec, 'ownTools'>): TomlTable {
  if (ownTools === undefined) return {};
  const { name, command, args, env, longestCallSeconds, canStart } = ownTools;
  const table = { command, args, env, default_tools_approval_mode: 'approve', tool_timeout_sec: longestCallSeconds };
  const awaited = { required: true, startup_timeout_sec: longestStartSeconds };
  return { [name]: { ...table, ...(canStart ? awaited : {}) } };
}
