// The command line, environment and files that start one Claude Code.
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import type { LaunchPlan, LaunchSpec, OwnTools } from '../agent.ts';
import { shortArgv, type WrittenFile } from '../long-argv.ts';
import { promptWords } from './launch-prompt.ts';
import { paneEnv } from './pane-env.ts';
import { settingsFile } from './settings-file.ts';

const permissionModes = ['manual', 'acceptEdits', 'auto', 'bypassPermissions', 'dontAsk', 'plan'];
const bypass = 'bypassPermissions';
/** A longer text travels by file. */
const longestWordBytes = 4_000;

export function launch(spec: LaunchSpec): LaunchPlan {
  const permissionMode = permissionModeOf(spec);
  const settings = {
    path: join(spec.launchDir, 'settings.json'),
    content: settingsFile({
      ...spec,
      permissionMode,
      ...(spec.ownTools === undefined ? {} : { ownServer: spec.ownTools.name }),
    }),
  };
  const system = systemPromptPart(spec);
  const servers = serversPart(spec);
  const flags = [
    ...spec.command,
    ...conversationFlags(spec),
    ...['--name', spec.name, '--settings', settings.path],
    ...(permissionMode === bypass ? ['--dangerously-skip-permissions'] : ['--permission-mode', permissionMode]),
    ...(spec.model === undefined ? [] : ['--model', spec.model]),
    ...system.flags,
    ...servers.flags,
  ];
  const line = shortArgv([...flags, ...promptWords(spec.prompt)], spec.launchDir);
  return {
    argv: line.argv,
    env: paneEnv(spec),
    files: [settings, ...system.files, ...servers.files, ...line.files],
    agentSessionId: spec.resume !== undefined && !spec.resume.fork ? spec.resume.agentSessionId : spec.agentSessionId,
  };
}

function permissionModeOf({ skipPermissions, permissionMode = 'manual' }: LaunchSpec): string {
  if (skipPermissions) return bypass;
  const mode = permissionMode === 'default' ? 'manual' : permissionMode;
  if (mode === bypass) {
    throw new CrewError(
      'invalid_argument',
      'permission_mode "bypassPermissions" needs skip_permissions: true.',
      'Pass skip_permissions: true if the worker may do everything unasked; else choose another mode.',
    );
  }
  if (permissionModes.includes(mode)) return mode;
  throw new CrewError(
    'invalid_argument',
    `Claude Code has no permission mode "${permissionMode}". Known modes: ${permissionModes.join(', ')}.`,
    'Choose one of the known modes, or leave permission_mode out for "manual".',
  );
}

function conversationFlags({ agentSessionId, resume }: LaunchSpec): readonly string[] {
  if (resume === undefined) return ['--session-id', agentSessionId];
  if (!resume.fork) return ['--resume', resume.agentSessionId];
  return ['--resume', resume.agentSessionId, '--fork-session', '--session-id', agentSessionId];
}

interface Part {
  readonly flags: readonly string[];
  readonly files: readonly WrittenFile[];
}

function systemPromptPart({ appendSystemPrompt: text, launchDir }: LaunchSpec): Part {
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

/** Its own time limit overrides one that the user has set for all servers. */
const ownServer = ({ name, command, args, env, longestCallSeconds }: OwnTools) => ({
  [name]: { type: 'stdio', command, args, env, timeout: longestCallSeconds * 1_000 },
});
