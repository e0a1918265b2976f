// The settings file of one launch: our hooks, and the few settings a worker needs.
import { defined } from '../../model/defined.ts';
import type { Rules } from '../../model/rule.ts';
import type { LaunchSpec } from '../agent.ts';
import { askingCommand, beforehandCommand, signalCommand } from '../signal-hook.ts';
import { unjudged } from './permission-hook.ts';
import { fromWorktree } from './rule-file.ts';
import { sandboxSettings } from './sandbox.ts';

interface SettingsSpec extends HooksSpec {
  readonly permissionMode: string;
  readonly rules: Rules;
}

export function settingsFile(spec: SettingsSpec): string {
  const { permissionMode, ownServer, sandbox, skipPermissions } = spec;
  const own = ownServer === undefined ? [] : [`mcp__${ownServer}`];
  const rules = fromWorktree(spec.rules);
  const lists = { ...rules, allow: [...own, ...rules.allow] };
  const settings = {
    hooks: settingsHooks(spec),
    permissions: {
      // Auto mode asks a server that a gateway may not have, and then stops at a dialog.
      ...(permissionMode === 'auto' ? {} : { disableAutoMode: 'disable' }),
      ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    },
    ...defined({ sandbox: sandbox && sandboxSettings({ sandbox, skipPermissions }) }),
    // A worker is not a manager: the crew's own server, approved for the user, is not started again for each of them.
    disabledMcpjsonServers: ['crewmux'],
    ...(permissionMode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

const heardSeconds = 10;
/** A request waits with its hook for somebody; the dialog stands beside it. */
const askingSeconds = 7 * 24 * 3_600;

/** What the crew listens to; the transcript and the state file tell the rest. */
const heardEvents = ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'SessionEnd'];

export const stopMarkerStart = 'crewmux-stop:';
/** Shows in the transcript whenever the hook has run at the end of a turn. */
const stopMarker = (workerId: string): string => `${stopMarkerStart}${workerId}`;

type Given = 'workerId' | 'signalsPath' | 'launchDir' | 'program' | 'tripwire' | 'sandbox' | 'skipPermissions';
type HooksSpec = Pick<LaunchSpec, Given> & { readonly ownServer?: string };

function settingsHooks(given: HooksSpec): Readonly<Record<string, unknown>> {
  const { workerId, sandbox, skipPermissions, ...spec } = given;
  const marker = `crewmux-hook:${workerId}`;
  // Where nobody is asked, nothing else keeps its file tools in: they run outside of the sandbox.
  const fence = skipPermissions ? sandbox?.root : undefined;
  const asking = { ...spec, marker, agent: 'claude' };
  const heard = heardEvents.map((event) => {
    const told = { ...spec, marker: event === 'Stop' ? stopMarker(workerId) : marker };
    return [event, hook(signalCommand(told), heardSeconds)];
  });
  return {
    ...Object.fromEntries(heard),
    PreToolUse: hook(beforehandCommand({ ...asking, ...defined({ fence }), unjudged }), heardSeconds),
    PermissionRequest: hook(askingCommand(asking), askingSeconds),
  };
}

const hook = (command: string, timeout: number) => [{ hooks: [{ type: 'command', command, timeout }] }];
