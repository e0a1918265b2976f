// Our permission modes as Codex's flags: when it asks, and where it may write.
import { advise, call } from '../../model/advice.ts';
import { CrewError } from '../../model/errors.ts';
import type { LaunchSpec } from '../agent.ts';
import { permissionModeOf } from '../permission-mode.ts';
import { deniesEditing } from './rules.ts';
import type { TomlValue } from './toml.ts';

const inSandbox = ['-s', 'workspace-write'];

/** Where the mode chooses the sandbox, nothing keeps it from editing. */
function readOnly(flags: readonly string[]): readonly string[] {
  if (flags.includes('-s')) return flags.map((word) => (word === 'workspace-write' ? 'read-only' : word));
  throw new CrewError(
    'invalid_argument',
    'A rule denies this worker to edit, and a Codex worker in permission_mode "auto" cannot be held to it.',
    advise`Choose another permission_mode, or take the rule away ${call('with set_permissions', 'through your manager')}.`,
  );
}

/** Codex asks before it leaves its sandbox; inside it never asks. */
const modes = new Map<string, readonly string[]>([
  ['manual', ['-a', 'on-request', ...inSandbox]],
  ['acceptEdits', ['-a', 'on-request', ...inSandbox]],
  ['plan', ['-a', 'on-request', '-s', 'read-only']],
  ['auto', ['--approve-for-me']],
  ['dontAsk', ['-a', 'never', ...inSandbox]],
]);

const profileName = 'crewmux';

/** The settings that keep a worker's commands in; measured to hold whatever sandbox the user's own settings name. */
export function sandboxSettings({
  sandbox,
  skipPermissions,
  permissionMode,
  rules,
}: Spec): Readonly<Record<string, TomlValue>> {
  if (sandbox === undefined) return {};
  const isReader = !skipPermissions && (permissionMode === 'plan' || deniesEditing(rules));
  const as = (access: string, paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, access]));
  const writable = [...sandbox.writable, ...sandbox.writableByCommands];
  const filesystem = {
    ...(isReader ? {} : { ':slash_tmp': 'read', ...as('write', writable), ...as('read', sandbox.unwritable) }),
    ...as('none', sandbox.unreadable),
  };
  // Without permission prompts nobody could allow a host.
  const network = { enabled: skipPermissions };
  const profile = { extends: isReader ? ':read-only' : ':workspace', filesystem, network };
  return { default_permissions: profileName, [`permissions.${profileName}`]: profile };
}

type Spec = Pick<LaunchSpec, 'skipPermissions' | 'permissionMode' | 'sandbox' | 'rules'>;

export function permissionFlags(spec: Spec): readonly string[] {
  const { skipPermissions, sandbox } = spec;
  const known = [...modes].map(([name, words]) => `${name} (${words.join(' ')})`).join(', ');
  const mode = permissionModeOf(spec, { agent: 'A Codex worker', modes: [...modes.keys()], known });
  if (skipPermissions) return sandbox === undefined ? ['--dangerously-bypass-approvals-and-sandbox'] : ['-a', 'never'];
  const flags = modes.get(mode) ?? [];
  if (sandbox === undefined) return deniesEditing(spec.rules) ? readOnly(flags) : flags;
  // A sandbox that is named on the command line would take the place of the profile.
  return flags.slice(0, Math.max(flags.indexOf('-s'), 1));
}
