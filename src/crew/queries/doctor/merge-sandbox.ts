// Whether tests and hooks of a landing run in a sandbox.

import type { Settings } from '../../../settings/settings.ts';
import { type Finding, ok } from '../../../wire/doctor.ts';
import { type Bubblewrap, findBubblewrap } from '../../../worktree/landing/sandbox-probe.ts';
import type { Check, DoctorSources } from './sources.ts';

const check = 'merge_sandbox';

export const checkMergeSandbox = ({ workerEnv, loaded }: DoctorSources): Check => ({
  check,
  look: async () => [sandboxFinding(loaded.settings.merge.sandbox, await findBubblewrap(workerEnv))],
});

/** Landing works without, so a machine that has none is in order. Pure. */
export function sandboxFinding(wish: Settings['merge']['sandbox'], found: Bubblewrap): Finding {
  const without = 'tests and hooks of a landing can do whatever you can do';
  if (wish === 'off') return ok(check, `merge.sandbox is "off": ${without}`);
  if ('program' in found) return ok(check, `tests and hooks of a landing run in ${found.program}`);
  return ok(check, `${found.missing}; ${without}. On Linux bubblewrap changes that: \`apt install bubblewrap\``);
}
