// The settings file of one launch: our hooks, and the few settings a worker needs.
import { signalCommand } from '../signal-hook.ts';

const hookSeconds = 10;

/** What the crew listens to; the transcript and the state file tell the rest. */
const heardEvents = ['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'Stop', 'StopFailure', 'SessionEnd'];

export const stopMarkerStart = 'crewmux-stop:';
/** Shows in the transcript whenever the hook has run at the end of a turn. */
export const stopMarker = (workerId: string): string => `${stopMarkerStart}${workerId}`;

export interface SettingsSpec {
  readonly workerId: string;
  readonly signalsPath: string;
  readonly permissionMode: string;
  /** The MCP server whose tools are never asked about. */
  readonly ownServer?: string;
}

export function settingsFile({ workerId, signalsPath, permissionMode, ownServer }: SettingsSpec): string {
  const hookFor = (event: string) => {
    const marker = event === 'Stop' ? stopMarker(workerId) : `crewmux-hook:${workerId}`;
    return [{ hooks: [{ type: 'command', command: signalCommand({ marker, signalsPath }), timeout: hookSeconds }] }];
  };
  const settings = {
    hooks: Object.fromEntries(heardEvents.map((event) => [event, hookFor(event)])),
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
