// The command line, environment and files that start one Claude Code.
import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { quoted } from '../../model/quote.ts';
import type { LaunchPlan, LaunchSpec, OwnTools } from '../agent.ts';
import { walled } from '../bwrap.ts';
import { shortArgv, type WrittenFile } from '../long-argv.ts';
import { bypass, permissionModeOf } from '../permission-mode.ts';
import type { CommandEnv, LeftOut } from '../sandbox.ts';
import { commandIn, normaliseMessage } from './message-text.ts';
import { settingsFile, unaskedSettings } from './settings.ts';

export const modes = ['manual', 'acceptEdits', 'auto', bypass, 'dontAsk', 'plan'];
/** A longer text travels by file. */
const longestWordBytes = 4_000;

export function launch(spec: LaunchSpec): LaunchPlan {
  const asked = permissionModeOf(spec, { agent: 'Claude Code', modes });
  const isUnasked = asked === bypass && spec.sandbox !== undefined;
  // Without prompts its file tools follow links out of the worktree; in this mode it asks, and our hook answers.
  const permissionMode = isUnasked ? 'acceptEdits' : asked;
  const settings = {
    path: join(spec.launchDir, isUnasked ? unaskedSettings : 'settings.json'),
    content: settingsFile({
      ...spec,
      permissionMode,
      ...defined({ ownServer: spec.ownTools?.name, connectedPath: spec.ownTools?.connectedPath }),
    }),
  };
  const system = systemPromptPart(spec);
  const servers = serversPart(spec);
  const commands = commandsPart(spec);
  const flags = [
    ...spec.command,
    ...conversationFlags(spec),
    ...['--name', spec.name, '--settings', settings.path],
    ...(permissionMode === bypass ? ['--dangerously-skip-permissions'] : ['--permission-mode', permissionMode]),
    ...(spec.model === undefined ? [] : ['--model', spec.model]),
    ...system.flags,
    ...toolFlags(spec),
    ...servers.flags,
    ...sourceFlags({ cwd: spec.cwd, leftOut: spec.sandbox?.leftOut }),
  ];
  const line = shortArgv([...flags, ...promptWords(spec.prompt, commandHint)], spec.launchDir);
  return {
    argv: line.argv,
    env: { ...paneEnv(spec), ...commands.env },
    files: [settings, ...system.files, ...servers.files, ...commands.files, ...line.files, ...walled(spec).files],
    agentSessionId: spec.resume !== undefined && !spec.resume.fork ? spec.resume.agentSessionId : spec.agentSessionId,
  };
}

function conversationFlags({ agentSessionId, resume }: LaunchSpec): readonly string[] {
  if (resume === undefined) return ['--session-id', agentSessionId];
  if (!resume.fork) return ['--resume', resume.agentSessionId];
  return ['--resume', resume.agentSessionId, '--fork-session', '--session-id', agentSessionId];
}

interface Project {
  readonly cwd: string;
  readonly leftOut: LeftOut | undefined;
}

/** The user's own settings load always. `=` keeps the flag, which takes any number of values, from swallowing more. */
export function sourceFlags({ leftOut, cwd }: Project): readonly string[] {
  const { sources: out = [] } = leftOut ?? {};
  if (out.length === 0) return [];
  const left = (['project', 'local'] as const).filter((source) => !out.includes(source));
  // Its instructions go with the project's settings, unless the folder is named once more.
  return ['--setting-sources', ['user', ...left].join(','), ...(out.includes('project') ? [`--add-dir=${cwd}`] : [])];
}

/** Only tools of Claude Code's own can be named there. */
const toolFlags = ({ tools }: LaunchSpec): readonly string[] =>
  tools === undefined ? [] : [`--tools=${tools.filter((name) => !name.startsWith('mcp__')).join(',')}`];

interface Part {
  readonly flags: readonly string[];
  readonly files: readonly WrittenFile[];
}

export function systemPromptPart({
  appendSystemPrompt: text,
  launchDir,
}: Pick<LaunchSpec, 'appendSystemPrompt' | 'launchDir'>): Part {
  if (text === undefined || text === '') return { flags: [], files: [] };
  if (Buffer.byteLength(text) <= longestWordBytes) return { flags: ['--append-system-prompt', text], files: [] };
  const path = join(launchDir, 'system-prompt.txt');
  return { flags: ['--append-system-prompt-file', path], files: [{ path, content: text }] };
}

function serversPart({ mcpServers: asked, ownTools, launchDir }: LaunchSpec): Part {
  const mcpServers = { ...asked, ...(ownTools === undefined ? {} : ownServer(ownTools)) };
  if (Object.keys(mcpServers).length === 0) return { flags: [], files: [] };
  const path = join(launchDir, 'mcp.json');
  // `=` keeps the flag, which takes any number of values, from swallowing what follows.
  return {
    flags: [`--mcp-config=${path}`],
    files: [{ path, content: `${JSON.stringify({ mcpServers }, null, 2)}\n` }],
  };
}

/** Claude Code runs the text of this file before each command; a command that runs outside gets nothing of it. */
export function commandsPart({
  sandbox,
  launchDir,
}: Pick<LaunchSpec, 'sandbox' | 'launchDir'>): Pick<Part, 'files'> & { readonly env: Env } {
  if (sandbox?.commandEnv === undefined) return { files: [], env: {} };
  const path = join(launchDir, 'command-env.sh');
  return { files: [{ path, content: commandScript(sandbox.commandEnv) }], env: { CLAUDE_ENV_FILE: path } };
}

function commandScript({ set, unset }: CommandEnv): string {
  const lines = [`unset ${unset.join(' ')}`, ...Object.entries(set).map(([k, v]) => `export ${k}=${quoted(v)}`)];
  return `if [ -n "\${SANDBOX_RUNTIME-}" ]; then\n${lines.join('\n')}\nfi\n`;
}

/** Its own time limit overrides one that the user has set for all servers. */
const ownServer = ({ name, command, args, env, longestCallSeconds }: OwnTools) => ({
  [name]: { type: 'stdio', command, args, env, timeout: longestCallSeconds * 1_000 },
});

/** The arguments that carry the first prompt: exact, and never taken for pasted content. None for an empty prompt. */
export function promptWords(prompt: string | undefined, hint: string): readonly string[] {
  const text = normaliseMessage(prompt ?? '');
  if (text === '') return [];
  const command = commandIn(text);
  if (command === undefined) return ['--', text];
  throw new CrewError('invalid_argument', `Claude Code would take this prompt for its own command "${command}".`, hint);
}

const commandHint =
  'Put a word before it, or start the worker without a prompt and use message_workers with as_command: true.';

/** Another Claude Code's identity and the ways to reach it. A worker that inherits them takes itself for that one. */
const identities = new Set([
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SESSION_ACCESS_TOKEN',
  'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS',
  'CLAUDE_CODE_SESSION_KIND',
  'CLAUDE_CODE_SESSION_NAME',
  'CLAUDE_CODE_TMUX_SESSION',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
]);

/** Checks for updates would ask for the network at every other command. */
const noUpdateChecks = {
  NO_UPDATE_NOTIFIER: '1',
  npm_config_update_notifier: 'false',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  HOMEBREW_NO_AUTO_UPDATE: '1',
};

type Env = Readonly<Record<string, string>>;

function paneEnv(spec: LaunchSpec): Env {
  const { env, workerId, sandbox } = spec;
  return {
    ...agentEnv({ env, mark: workerId, sandbox, leftOut: sandbox?.leftOut }),
    ...walled(spec).env,
    // Without it the conversation is drawn on the alternate screen, which keeps no history.
    CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1',
  };
}

interface AgentEnv extends Pick<Project, 'leftOut'> {
  readonly env: Env;
  readonly mark: string;
  readonly sandbox: LaunchSpec['sandbox'];
}

/** What each Claude Code that we start gets. */
export function agentEnv({ env, mark, sandbox, leftOut }: AgentEnv): Env {
  const kept = Object.entries(env).filter(([name]) => !identities.has(name));
  return {
    ...Object.fromEntries(kept),
    ...(sandbox === undefined ? {} : { TMPDIR: sandbox.temp, ...noUpdateChecks }),
    ...(leftOut?.sources.includes('project') ? { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' } : {}),
    CREWMUX_WORKER: mark,
  };
}
