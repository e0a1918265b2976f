// Our hooks, as a table of its configuration.
import { hiddenHoldMs, type LaunchSpec } from '../agent.ts';
import { askingCommand, beforehandCommand, signalCommand } from '../signal-hook.ts';
import { unjudged } from './permission-hook.ts';
import type { TomlTable } from './toml.ts';

const heardSeconds = 10;
/** Our program lets go of a request before its agent would. */
const askingSeconds = hiddenHoldMs / 1_000 + 60;
const waiting = 'Asking the manager of this worker';

/**
 * What no other source tells in time. How a turn ends stands in the transcript, which a Stop hook would only hold up:
 * Codex writes the end when the hook has run.
 */
const heardEvents = ['SessionStart', 'UserPromptSubmit', 'SessionEnd'];

type HooksSpec = Pick<LaunchSpec, 'workerId' | 'signalsPath' | 'launchDir' | 'program' | 'tripwire' | 'ownTools'>;

export function heldHooks({ workerId, ownTools, ...spec }: HooksSpec): TomlTable {
  const marker = `crewmux-hook:${workerId}`;
  const own = ownTools === undefined ? {} : { ownServer: ownTools.name };
  const asking = { ...spec, ...own, marker, agent: 'codex' };
  const heard = heardEvents.map((event) => [event, hook(signalCommand({ ...spec, marker }), heardSeconds)]);
  return {
    ...Object.fromEntries(heard),
    PreToolUse: hook(beforehandCommand({ ...asking, unjudged }), askingSeconds),
    PermissionRequest: hook(askingCommand(asking), askingSeconds, waiting),
  };
}

const hook = (command: string, timeout: number, statusMessage?: string) => [
  { hooks: [{ type: 'command', command, timeout, ...(statusMessage === undefined ? {} : { statusMessage }) }] },
];
