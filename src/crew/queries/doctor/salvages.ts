// Saved work that has grown large or old: crewmux removes none of it.
import { advise, call } from '../../../model/advice.ts';
import { counted } from '../../../model/plural.ts';
import { dayMs } from '../../../model/time-zone.ts';
import { type Finding, ok, warn } from '../../../wire/doctor.ts';
import { inspectFolder } from '../../../worktree/git/inspect.ts';
import { type FoundSalvage, listSalvages, salvageBytes } from '../../../worktree/salvage/salvages.ts';
import type { DoctorSources } from './sources.ts';

const mebibyte = 1024 * 1024;
const manyBytes = 1024 * mebibyte;
const oldMs = 90 * dayMs;
const mostNamed = 5;

export async function lookAtSalvages({ env, project, clock }: DoctorSources): Promise<readonly Finding[]> {
  const repo = await inspectFolder({ path: project, env });
  const salvages = repo === undefined ? [] : await listSalvages(repo);
  if (repo === undefined || salvages.length === 0) return [];
  return [salvageFinding({ salvages, bytes: await salvageBytes(repo), now: clock.now() })];
}

interface Held {
  /** Newest first. */
  readonly salvages: readonly Pick<FoundSalvage, 'id' | 'manifest'>[];
  readonly bytes: number;
  readonly now: number;
}

/** Pure. */
export function salvageFinding({ salvages, bytes, now }: Held): Finding {
  const check = 'salvages';
  const held = `${counted(salvages.length, 'salvage')} of work, ${Math.ceil(bytes / mebibyte)} MiB`;
  const old = salvages.filter(({ manifest }) => now - Date.parse(manifest.saved_at) > oldMs).toReversed();
  if (old.length === 0 && bytes <= manyBytes) return ok(check, held);
  const named = (old.length === 0 ? salvages.toReversed() : old).map(({ id }) => id);
  const more = named.length > mostNamed ? `, and ${named.length - mostNamed} more` : '';
  const age = old.length === 0 ? 'the oldest first' : 'older than 90 days';
  const detail = `${held}; ${age}: ${named.slice(0, mostNamed).join(', ')}${more}`;
  const fix = advise`crewmux keeps them all. ${call('restore_work shows and brings back each', 'Your manager can show and bring back each')}; \`git update-ref -d refs/crewmux/salvage/<id>\` removes one for good.`;
  return warn(check, detail, fix);
}
