// check_conflicts: finds conflicts between workers' branches before anybody merges; and looks again while they work.
import { join } from 'node:path';
import { watchFolder } from '../../jsonl/tail.ts';
import type { Disposer } from '../../model/clock.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import type { EventDraft } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { ConflictsResult, Foreseen } from '../../wire/landing.ts';
import { repoPlace } from '../../worktree/branch.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import type { Clash } from '../../worktree/landing/clash.ts';
import { targetKnowing } from '../../worktree/landing/stage.ts';
import { tryReadGit } from '../../worktree/repo.ts';
import { baseTip } from '../../worktree/work-state.ts';
import { type CrewContext, visibleTo } from '../workers/roster.ts';
import { type WorkAt, workOf } from './diff.ts';

interface Side extends WorkAt {
  readonly record: WorkerRecord;
}

/** Compares every two workers of one repository, and each worker with its base. Changes nothing. */
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
  return {
    pairs,
    against_base: against.flat(),
    ...defined({ unreadable: unlessEmpty(unreadable) }),
  };
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
  if (named === undefined) return [];
  const found = await tryReadGit(repoPlace(repo), ['rev-parse', '--verify', '--quiet', `${named}^{commit}`]);
  if (found.exitCode !== 0) return [];
  const tip = { target: found.stdout.trim(), source: present.commit };
  const clash = await context.clashes.between(repo, await targetKnowing(repo, tip, record.landed), present.commit);
  return [{ session_id: record.id, name: record.name, base: record.base?.ref ?? named, ...wire(clash) }];
}

const wire = ({ conflicts, bothEdited }: Clash) => ({ conflicts, both_edited: bothEdited });

// A commit writes several files, and one turn may make many commits.
const quietMs = 2_000;
const mostFiles = 20;

function foreseenIn({ pairs, against_base }: ConflictsResult): readonly Foreseen[] {
  const all = [
    ...pairs.map(({ a, b, conflicts }) => ({ name: a, with: b, files: conflicts })),
    ...against_base.map(({ name, base, conflicts }) => ({ name, with: base, files: conflicts })),
  ];
  return all.filter(({ files }) => files.length > 0);
}

const pairOf = ({ name, with: other }: Foreseen): string => `${name}\n${other}`;
const keyOf = (one: Foreseen): string => JSON.stringify([pairOf(one), [...one.files].sort()]);

/** New conflicts, and pairs whose conflict is gone. */
function changesSince(before: readonly Foreseen[], now: readonly Foreseen[]): readonly Foreseen[] {
  const known = new Set(before.map(keyOf));
  const pairs = new Set(now.map(pairOf));
  const gone = before.filter((one) => !pairs.has(pairOf(one))).map((one) => ({ ...one, files: [] }));
  return [...now.filter((one) => !known.has(keyOf(one))), ...gone];
}

export interface Forecast {
  /** The conflicts between live workers' branches, as of the last commit or turn. */
  now(): readonly Foreseen[];
  readonly stop: Disposer;
}

/** Looks again after each commit and each turn of a worker in its own worktree, and only then. */
export function watchConflicts(context: CrewContext): Forecast {
  let now: readonly Foreseen[] = [];
  const watches = new Map<string, Disposer>();
  let cancel: Disposer = () => undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const soon = () => {
    cancel();
    if (!stopped)
      cancel = context.clock.after(quietMs, () => {
        running = running.then(async () => {
          now = await look(context, now);
        });
      });
  };
  const watch = async (record: WorkerRecord) => {
    if (record.worktreePath === undefined || watches.has(record.id)) return;
    watches.set(record.id, () => undefined);
    const folder = await inspectFolder({ path: record.worktreePath, env: context.env }).catch(() => undefined);
    if (folder === undefined || stopped) return;
    watches.set(record.id, watchFolder(join(folder.gitDir, 'logs'), context.clock, soon));
  };
  const unlisten = context.roster.onChange(({ workerId, before, after }) => {
    if (before.is === after.is) return;
    const record = context.log.records().get(workerId);
    if (record?.worktreePath === undefined || !context.roster.isMine(record)) return;
    if (after.is === 'working') void watch(record);
    if (after.is === 'gone') {
      watches.get(workerId)?.();
      watches.delete(workerId);
    }
    if (before.is === 'working') soon();
  });
  const stop = () => {
    stopped = true;
    unlisten();
    cancel();
    for (const unwatch of watches.values()) unwatch();
  };
  return { now: () => now, stop };
}

async function look(context: CrewContext, before: readonly Foreseen[]): Promise<readonly Foreseen[]> {
  try {
    const now = foreseenIn(await checkConflicts(context, {}));
    const ids = new Map(context.roster.records().map((record) => [record.name, record.id]));
    const drafts = changesSince(before, now).flatMap(({ name, with: other, files }): EventDraft[] => {
      const workerId = ids.get(name);
      const data = { with: other, files: files.slice(0, mostFiles), gone: files.length === 0 };
      return workerId === undefined ? [] : [{ type: 'conflict', workerId, data }];
    });
    if (drafts.length > 0) await context.log.append(drafts);
    return now;
  } catch (error) {
    context.logger.write('warn', 'conflicts could not be foreseen', error);
    return before;
  }
}
