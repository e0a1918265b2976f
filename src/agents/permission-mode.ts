// The permission mode of a launch, by its current name.
import { CrewError } from '../model/errors.ts';
import type { LaunchSpec } from './agent.ts';

export const bypass = 'bypassPermissions';

/** Claude Code's older name for `manual` is `default`. */
export const currentMode = (name: string): string => (name === 'default' ? 'manual' : name);

/** `bypass` only where the launch skips permissions. Throws for a mode that is not among the agent's own. */
export function permissionModeOf(
  { skipPermissions, permissionMode: asked = 'manual' }: Pick<LaunchSpec, 'skipPermissions' | 'permissionMode'>,
  {
    agent,
    modes,
    known = modes.join(', '),
  }: { readonly agent: string; readonly modes: readonly string[]; readonly known?: string },
): string {
  if (skipPermissions) return bypass;
  const mode = currentMode(asked);
  if (mode === bypass) {
    throw new CrewError(
      'invalid_argument',
      'permission_mode "bypassPermissions" needs skip_permissions: true.',
      'Pass skip_permissions: true if the worker may do everything unasked; else choose another mode.',
    );
  }
  if (modes.includes(mode)) return mode;
  throw new CrewError(
    'invalid_argument',
    `${agent} has no permission mode "${asked}". Known modes: ${known}.`,
    'Choose one of the known modes, or leave permission_mode out for "manual".',
  );
}
