// The settings file of one launch: our hooks, and the few settings a worker needs.
import { defined } from '../../model/defined.ts';
import { mapRules, noRules, type Rules } from '../../model/rule.ts';
import type { LaunchSpec } from '../agent.ts';
import { askingCommand, awaitConnected, beforehandCommand, signalCommand } from '../signal-hook.ts';
import { allowedInSandbox, unjudged } from './permission-hook.ts';
import { fromWorktree } from './rule-file.ts';
import { sandboxSettings, unaskedRules } from './sandbox.ts';
import { statusLineSetting } from './status-line.ts';

/** The name of the file, by which a process shows that it works unasked in its sandbox. */
export const unaskedSettings = 'settings-unasked.json';

interface SettingsSpec extends HooksSpec, Pick<LaunchSpec, 'status'> {
  readonly permissionMode: string;
  readonly rules: Rules;
}

export function settingsFile(spec: SettingsSpec): string {
  const { permissionMode, ownServer, sandbox, skipPermissions } = spec;
  const own = ownServer === undefined ? [] : [`mcp__${ownServer}`];
  const { rules: more = noRules } = sandbox?.leftOut ?? {};
  const rules = fromWorktree(mapRules((list) => [...spec.rules[list], ...more[list]]));
  const unasked = skipPermissions ? sandbox : undefined;
  const lists = {
    ...rules,
    allow: [...own, ...(unasked === undefined ? [] : unaskedRules(unasked)), ...rules.allow],
    // Our hook would answer for the person that they are to reach.
    ...(unasked === undefined ? {} : { ask: [] }),
  };
  const settings = {
    hooks: settingsHooks(spec),
    permissions: {
      // Auto mode asks a server that a gateway may not have, and then stops at a dialog.
      ...(permissionMode === 'auto' ? {} : { disableAutoMode: 'disable' }),
      ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    },
    ...defined({
      sandbox: sandbox && sandboxSettings({ sandbox, skipPermissions }),
      statusLine: statusLineSetting(spec),
    }),
    // A worker is not a manager: the crew's own server, approved for the user, is not started again for each of them.
    disabledMcpjsonServers: ['crewmux'],
    ...(permissionMode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

const signalSeconds = 10;
/** A request waits with its hook for an answer while the dialog is open beside it. */
const askingSeconds = 7 * 24 * 3_600;

/** Events that crewmux reads; the transcript and the state file have the rest. */
const signalEvents = ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'SessionEnd'];

export const stopMarkerStart = 'crewmux-stop:';
/** Shows in the transcript whenever the hook has run at the end of a turn. */
const stopMarker = (workerId: string): string => `${stopMarkerStart}${workerId}`;

type Given = 'workerId' | 'signalsPath' | 'launchDir' | 'program' | 'tripwire' | 'sandbox' | 'skipPermissions';
type HooksSpec = Pick<LaunchSpec, Given> & { readonly ownServer?: string; readonly connectedPath?: string };

function settingsHooks(given: HooksSpec): Readonly<Record<string, unknown>> {
  const { workerId, sandbox, skipPermissions, connectedPath, ...spec } = given;
  const marker = `crewmux-hook:${workerId}`;
  const isUnasked = skipPermissions && sandbox !== undefined;
  const asking = { ...spec, marker, agent: 'claude' };
  const signals = signalEvents.map((event) => {
    const own = { ...spec, marker: event === 'Stop' ? stopMarker(workerId) : marker };
    // A turn begins with the tools that are there by then; the worker's own must be.
    const isAwaited = event === 'UserPromptSubmit' && connectedPath !== undefined;
    const before = isAwaited ? `${awaitConnected(connectedPath)}; ` : '';
    return [event, hook(before + signalCommand(own), signalSeconds)];
  });
  return {
    ...Object.fromEntries(signals),
    PreToolUse: hook(beforehandCommand({ ...asking, unjudged, ...(keepsAll(sandbox) && kept) }), signalSeconds),
    PermissionRequest: hook(askingCommand({ ...asking, isUnasked }), askingSeconds),
  };
}

/** A command that a setting names runs outside, and it is Claude Code that tells which does. */
const keepsAll = (sandbox: LaunchSpec['sandbox']): boolean => sandbox?.excludedCommands.length === 0;
const kept = { kept: { tool: 'Bash', allowed: allowedInSandbox } };

const hook = (command: string, timeout: number) => [{ hooks: [{ type: 'command', command, timeout }] }];
