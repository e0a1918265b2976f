// The settings file of one launch: our hooks, and the few settings a worker needs.
import type { LaunchSpec } from '../agent.ts';
import { askingCommand, signalCommand } from '../signal-hook.ts';

const hookSeconds = 10;
/** A request waits with its hook for somebody; Claude Code shows its dialog meanwhile. */
const askingSeconds = 7 * 24 * 3_600;
const askingEvent = 'PermissionRequest';

/** What the crew listens to; the transcript and the state file tell the rest. */
const heardEvents = ['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'Stop', 'StopFailure', 'SessionEnd'];

export const stopMarkerStart = 'crewmux-stop:';
/** Shows in the transcript whenever the hook has run at the end of a turn. */
export const stopMarker = (workerId: string): string => `${stopMarkerStart}${workerId}`;

export type SettingsSpec = Pick<LaunchSpec, 'workerId' | 'signalsPath' | 'launchDir' | 'program'> & {
  readonly permissionMode: string;
  /** The MCP server whose tools are never asked about. */
  readonly ownServer?: string;
};

export function settingsFile(spec: SettingsSpec): string {
  const { permissionMode, ownServer } = spec;
  const settings = {
    hooks: Object.fromEntries(heardEvents.map((event) => [event, [{ hooks: [hookFor(event, spec)] }]])),
    permissions: {
      // Auto mode asks a server that a gateway may not have, and then stops at a dialog.
      ...(permissionMode === 'auto' ? {} : { disableAutoMode: 'disable' }),
      ...(ownServer === undefined ? {} : { allow: [`mcp__${ownServer}`] }),
    },
    // A worker is not a manager: the crew's own server, approved for the user, is not started again for each of them.
    disabledMcpjsonServers: ['crewmux'],
    ...(permissionMode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

function hookFor(event: string, { workerId, signalsPath, launchDir, program }: SettingsSpec) {
  const marker = event === 'Stop' ? stopMarker(workerId) : `crewmux-hook:${workerId}`;
  if (event !== askingEvent) {
    return { type: 'command', command: signalCommand({ marker, signalsPath }), timeout: hookSeconds };
  }
  const command = askingCommand({ marker, signalsPath, launchDir, program, agent: 'claude' });
  return { type: 'command', command, timeout: askingSeconds };
}
