// Our hooks, as a table of its configuration.
import type { LaunchSpec } from '../agent.ts';
import { askingCommand, signalCommand } from '../signal-hook.ts';
import type { TomlTable } from './toml.ts';

const hookSeconds = 10;
/** Longer than our program holds a request. */
const askingSeconds = 15 * 60;
const askingEvent = 'PermissionRequest';

/**
 * What no other source tells in time. How a turn ends stands in the transcript, which a Stop hook would only hold up:
 * Codex writes the end when the hook has run.
 */
const heardEvents = ['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'SessionEnd'];

export function heldHooks({ workerId, signalsPath, launchDir, program }: HooksSpec): TomlTable {
  const marker = `crewmux-hook:${workerId}`;
  const plain = { type: 'command', command: signalCommand({ marker, signalsPath }), timeout: hookSeconds };
  const asking = {
    type: 'command',
    command: askingCommand({ marker, signalsPath, launchDir, program, agent: 'codex' }),
    timeout: askingSeconds,
  };
  const hookFor = (event: string) => (event === askingEvent ? asking : plain);
  return Object.fromEntries(heardEvents.map((event) => [event, [{ hooks: [hookFor(event)] }]]));
}

type HooksSpec = Pick<LaunchSpec, 'workerId' | 'signalsPath' | 'launchDir' | 'program'>;
