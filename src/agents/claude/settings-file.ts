// The settings file of one launch: our hooks, and the few settings a worker needs.
import type { Rules } from '../../model/rule.ts';
import { fromWorktree } from './rule-file.ts';
import { sandboxSettings } from './sandbox.ts';
import { type HooksSpec, settingsHooks } from './settings-hooks.ts';

export interface SettingsSpec extends HooksSpec {
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
    ...(sandbox === undefined ? {} : { sandbox: sandboxSettings({ sandbox, skipPermissions }) }),
    // A worker is not a manager: the crew's own server, approved for the user, is not started again for each of them.
    disabledMcpjsonServers: ['crewmux'],
    ...(permissionMode === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}
