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

export type HooksSpec = Pick<LaunchSpec, 'workerId' | 'signalsPath' | 'launchDir' | 'program' | 'tripwire'> & {
  readonly ownServer?: string;
};

export function settingsHooks({ workerId, ...spec }: HooksSpec): Readonly<Record<string, unknown>> {
  const marker = `crewmux-hook:${workerId}`;
  const asking = { ...spec, marker, agent: 'claude' };
  const heard = heardEvents.map((event) => {
    const told = { ...spec, marker: event === 'Stop' ? stopMarker(workerId) : marker };
    return [event, hook(signalCommand(told), heardSeconds)];
  });
  return {
    ...Object.fromEntries(heard),
    PreToolUse: hook(beforehandCommand({ ...asking, unjudged }), heardSeconds),
    PermissionRequest: hook(askingCommand(asking), askingSeconds),
  };
}

const hook = (command: string, timeout: number) => [{ hooks: [{ type: 'command', command, timeout }] }];
