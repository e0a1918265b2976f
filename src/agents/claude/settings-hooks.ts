// Which events of Claude Code run which of our hooks.
import type { LaunchSpec } from '../agent.ts';
import { askingCommand, beforehandCommand, signalCommand } from '../signal-hook.ts';
import { unjudged } from './permission-hook.ts';

const heardSeconds = 10;
/** A request waits with its hook for somebody; the dialog stands beside it. */
const askingSeconds = 7 * 24 * 3_600;

/** What the crew listens to; the transcript and the state file tell the rest. */
const heardEvents = ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'SessionEnd'];

export const stopMarkerStart = 'crewmux-stop:';
/** Shows in the transcript whenever the hook has run at the end of a turn. */
export const stopMarker = (workerId: string): string => `${stopMarkerStart}${workerId}`;

type Given = 'workerId' | 'signalsPath' | 'launchDir' | 'program' | 'tripwire' | 'sandbox' | 'skipPermissions';
export type HooksSpec = Pick<LaunchSpec, Given> & { readonly ownServer?: string };

export function settingsHooks(given: HooksSpec): Readonly<Record<string, unknown>> {
  const { workerId, sandbox, skipPermissions, ...spec } = given;
  const marker = `crewmux-hook:${workerId}`;
  // Where nobody is asked, nothing else keeps its file tools in: they run outside of the sandbox.
  const fence = sandbox === undefined || !skipPermissions ? {} : { fence: sandbox.root };
  const asking = { ...spec, marker, agent: 'claude' };
  const heard = heardEvents.map((event) => {
    const told = { ...spec, marker: event === 'Stop' ? stopMarker(workerId) : marker };
    return [event, hook(signalCommand(told), heardSeconds)];
  });
  return {
    ...Object.fromEntries(heard),
    PreToolUse: hook(beforehandCommand({ ...asking, ...fence, unjudged }), heardSeconds),
    PermissionRequest: hook(askingCommand(asking), askingSeconds),
  };
}

const hook = (command: string, timeout: number) => [{ hooks: [{ type: 'command', command, timeout }] }];
