// What a permission mode of ours means to Codex: when it asks, and where it may write.
import { CrewError } from '../../model/errors.ts';
import type { LaunchSpec } from '../agent.ts';
import { deniesEditing } from './rules.ts';

const inSandbox = ['-s', 'workspace-write'];

/** Where the mode chooses the sandbox, nothing keeps it from editing. */
function readOnly(flags: readonly string[]): readonly string[] {
  if (flags.includes('-s')) return flags.map((word) => (word === 'workspace-write' ? 'read-only' : word));
  throw new CrewError(
    'invalid_argument',
    'A rule denies this worker to edit, and a Codex worker in permission_mode "auto" cannot be held to it.',
    'Choose another permission_mode, or take the rule away with set_permissions.',
  );
}

/** Codex asks to leave its sandbox; inside it, it asks for nothing. */
const modes = new Map<string, readonly string[]>([
  ['manual', ['-a', 'on-request', ...inSandbox]],
  ['acceptEdits', ['-a', 'on-request', ...inSandbox]],
  ['plan', ['-a', 'on-request', '-s', 'read-only']],
  ['auto', ['--approve-for-me']],
  ['dontAsk', ['-a', 'never', ...inSandbox]],
]);

export function permissionFlags(
  spec: Pick<LaunchSpec, 'skipPermissions' | 'permissionMode' | 'rules'>,
): readonly string[] {
  const { skipPermissions, permissionMode: asked = 'manual' } = spec;
  if (skipPermissions) return ['--dangerously-bypass-approvals-and-sandbox'];
  const mode = asked === 'default' ? 'manual' : asked;
  if (mode === 'bypassPermissions') {
    throw new CrewError(
      'invalid_argument',
      'permission_mode "bypassPermissions" needs skip_permissions: true.',
      'Pass skip_permissions: true if the worker may do everything unasked; else choose another mode.',
    );
  }
  const flags = modes.get(mode);
  if (flags !== undefined) return deniesEditing(spec.rules) ? readOnly(flags) : flags;
  const known = [...modes].map(([name, words]) => `${name} (${words.join(' ')})`).join(', ');
  throw new CrewError(
    'invalid_argument',
    `A Codex worker has no permission mode "${asked}". Known modes: ${known}.`,
    'Choose one of the known modes, or leave permission_mode out for "manual".',
  );
}
