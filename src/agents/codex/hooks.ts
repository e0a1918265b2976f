// Our hooks, as a table of its configuration.
import type { LaunchSpec } from '../agent.ts';
import { signalCommand } from '../signal-hook.ts';
import type { TomlTable } from './toml.ts';

const hookSeconds = 10;

/**
 * What no other source tells in time. How a turn ends stands in the transcript, which a Stop hook would only hold up:
 * Codex writes the end when the hook has run.
 */
const heardEvents = ['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'SessionEnd'];

export function heldHooks({ workerId, signalsPath }: Pick<LaunchSpec, 'workerId' | 'signalsPath'>): TomlTable {
  const command = signalCommand({ marker: `crewmux-hook:${workerId}`, signalsPath });
  const hook = [{ hooks: [{ type: 'command', command, timeout: hookSeconds }] }];
  return Object.fromEntries(heardEvents.map((event) => [event, hook]));
}
