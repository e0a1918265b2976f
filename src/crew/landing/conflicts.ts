// Who would clash with whom, before anybody merges anything.
import type { WorkerRecord } from '../../model/worker.ts';
import type { ConflictsResult } from '../../wire/landing.ts';
import { repoPlace } from '../../worktree/branch.ts';
import type { Clash } from '../../worktree/landing/clash.ts';
import { targetKnowing } from '../../worktree/landing/stage.ts';
import { tryReadGit } from '../../worktree/repo.ts';
import { baseTip } from '../../worktree/work-state.ts';
import { type CrewContext, visibleTo } from '../workers/roster.ts';
import { type WorkAt, workOf } from './diff.ts';

interface Side extends WorkAt {
  readonly record: WorkerRecord;
}

/** Every pair of workers of one repository, and each against its base as it is now. Touches nothing. */
export async function checkConflicts(
  context: CrewContext,
  order: { readonly workers?: readonly string[] },
): Promise<ConflictsResult> {
  const records =
    order.workers === undefined
      ? visibleTo(context).filter((record) => record.phase === 'live' && record.branch !== undefined)
      : order.workers.map((id) => context.roster.resolve(id));
  const sides: Side[] = [];
  const unreadable: { session_id: string; reason: string }[] = [];
  await Promise.all(
    [...new Map(records.map((record) => [record.id, record])).values()].map(async (record) => {
      const work = await workOf(context, record).catch((thrown: unknown) => String(thrown));
      if (typeof work === 'string') unreadable.push({ session_id: record.id, reason: work });
      else sides.push({ record, ...work });
    }),
  );
  sides.sort((a, b) => a.record.name.localeCompare(b.record.name));
  const [pairs, against] = await Promise.all([
    pairsOf(context, sides),
    Promise.all(sides.map((side) => toBase(context, side))),
  ]);
  return { pairs, against_base: against.flat(), ...(unreadable.length === 0 ? {} : { unreadable }) };
}

function pairsOf(context: CrewContext, sides: readonly Side[]): Promise<ConflictsResult['pairs']> {
  const pairs = sides.flatMap((a, at) =>
    sides.slice(at + 1).flatMap((b) => (a.repo.gitCommonDir === b.repo.gitCommonDir ? [{ a, b }] : [])),
  );
  return Promise.all(
    pairs.map(async ({ a, b }) => ({
      a: a.record.name,
      b: b.record.name,
      ...wire(await context.clashes.between(a.repo, a.present.commit, b.present.commit)),
    })),
  );
}

async function toBase(context: CrewContext, { record, repo, present }: Side): Promise<ConflictsResult['against_base']> {
  const named = await baseTip(repoPlace(repo), repo, record.base);
  const told =
    named === undefined
      ? undefined
      : await tryReadGit(repoPlace(repo), ['rev-parse', '--verify', '--quiet', `${named}^{commit}`]);
  if (named === undefined || told?.exitCode !== 0) return [];
  const tip = { target: told.stdout.trim(), source: present.commit };
  const clash = await context.clashes.between(repo, await targetKnowing(repo, tip, record.landed), present.commit);
  return [{ session_id: record.id, name: record.name, base: record.base?.ref ?? named, ...wire(clash) }];
}

const wire = ({ conflicts, bothEdited }: Clash) => ({ conflicts, both_edited: bothEdited });
