// The settings file of one launch: our hooks, and the few settings a worker needs.
import type { LaunchSpec } from '../agent.ts';
import { sandboxSettings } from './sandbox.ts';
import { type HooksSpec, settingsHooks } from './settings-hooks.ts';

export interface SettingsSpec extends HooksSpec, Pick<LaunchSpec, 'sandbox' | 'skipPermissions'> {
  readonly permissionMode: string;
}

export function settingsFile(spec: SettingsSpec): string {
  const { permissionMode, ownServer, sandbox, skipPermissions } = spec;
  const settings = {
    hooks: settingsHooks(spec),
    permissions: {
      // Auto mode asks a server that a gateway may not have, and then stops at a dialog.
      ...(permissionMode === 'auto' ? {} : { disableAutoMode: 'disable' }),
      ...(ownServer === undefined ? {} : { allow: [`mcp__${ownServer}`] }),
    },
    ...(sandbox === undefined ? {} : { sandbox: sandboxSettings({ sandbox, skipPermissions }) }),
    // A worker is not a manager: the crew's own server, approved for the user, is not started again for each of them.
    disabledMcpjsonServers: ['crewmux'],
    ...(permissionMode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}
