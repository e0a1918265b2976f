// check_conflicts: finds conflicts between workers' branches before anybody merges; and looks again while they work.
import { join } from 'node:path';
import pLimit from 'p-limit';
import { watchFolder } from '../../jsonl/tail.ts';
import type { Disposer } from '../../model/clock.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import type { EventDraft } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { once } from '../../system/once.ts';
import { gather } from '../../system/pace.ts';
import type { ConflictsResult, Foreseen } from '../../wire/landing.ts';
import { repoPlace } from '../../worktree/git/branch.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { type GitPlace, type GitResult, tryReadGit } from '../../worktree/git/repo.ts';
import type { Clash } from '../../worktree/landing/clash.ts';
import { BaseTips } from '../../worktree/state/work-state.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';
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
    order.workers === undefined ? withBranch(context) : order.workers.map((id) => context.roster.resolve(id));
  const { sides, unreadable } = await readSides(context, [...new Set(records)]);
  return { ...(await compare(context, sides)), ...defined({ unreadable: unlessEmpty(unreadable) }) };
}

const withBranch = (context: CrewContext): readonly WorkerRecord[] =>
  visibleTo(context).filter((record) => record.phase === 'live' && record.branch !== undefined);

interface Read {
  readonly sides: readonly Side[];
  readonly unreadable: readonly { readonly session_id: string; readonly reason: string }[];
}

async function readSides(context: CrewContext, records: readonly WorkerRecord[]): Promise<Read> {
  const fewAtOnce = pLimit(4);
  const repos = once<FolderFacts | undefined>();
  const inspect = (path: string) => repos(path, () => inspectFolder({ path, env: context.environment.git }));
  const found = await Promise.all(
    records.map((record) =>
      fewAtOnce(() => workOf(context, record, inspect)).then(
        (work): Side => ({ record, ...work }),
        (thrown: unknown) => ({ session_id: record.id, reason: String(thrown) }),
      ),
    ),
  );
  return {
    sides: found.flatMap((one) => ('record' in one ? [one] : [])),
    unreadable: found.flatMap((one) => ('record' in one ? [] : [one])),
  };
}

type Compared = Pick<ConflictsResult, 'pairs' | 'against_base'>;

async function compare(context: CrewContext, unsorted: readonly Side[]): Promise<Compared> {
  const sorted = unsorted.toSorted((a, b) => a.record.name.localeCompare(b.record.name));
  const sides = await basesOf(sorted);
  const [pairs, against_base] = await Promise.all([pairsOf(context, sides), againstBase(context, sides)]);
  return { pairs, against_base };
}

interface Based extends Side {
  /** Undefined where there is nothing to compare with. */
  readonly base?: { readonly name: string; readonly commit: string };
  /** Commits that are not of its own work: its base now and at its start, and what of it has landed. */
  readonly from: readonly string[];
}

async function basesOf(sides: readonly Side[]): Promise<readonly Based[]> {
  const [tips, commits] = [new BaseTips(), once<GitResult>()];
  const commitOf = async (place: GitPlace, name: string | undefined) => {
    if (name === undefined) return undefined;
    const args = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`];
    const found = await commits(`${place.path} ${name}`, () => tryReadGit(place, args));
    return found.exitCode === 0 ? found.stdout.trim() : undefined;
  };
  return Promise.all(
    sides.map(async (side) => {
      const { repo, record } = side;
      const { base, landed } = record;
      const place = repoPlace(repo);
      const named = (await tips.of(place, repo, base && { ref: base.ref })) ?? base?.sha;
      const names = [named, base?.sha, landed?.source];
      const [commit, ...others] = await Promise.all(names.map((name) => commitOf(place, name)));
      const from = [...new Set([commit, ...others].filter((one) => one !== undefined))];
      const found = commit === undefined ? undefined : { name: base?.ref ?? named ?? commit, commit };
      return { ...side, from, ...defined({ base: found }) };
    }),
  );
}

async function pairsOf(context: CrewContext, sides: readonly Based[]): Promise<ConflictsResult['pairs']> {
  const pairs = sides.flatMap((a, at) =>
    sides.slice(at + 1).flatMap((b) => (a.repo.gitCommonDir === b.repo.gitCommonDir ? [{ a, b }] : [])),
  );
  const found = await context.clashes.among(
    pairs.map(({ a, b }) => ({
      repo: a.repo,
      ours: a.present.commit,
      theirs: b.present.commit,
      oursFrom: a.from,
      theirsFrom: b.from,
      a,
      b,
    })),
  );
  return found.map(({ a, b, ...clash }) => ({ a: a.record.name, b: b.record.name, ...wire(clash) }));
}

async function againstBase(context: CrewContext, sides: readonly Based[]): Promise<ConflictsResult['against_base']> {
  const pairs = await Promise.all(
    sides.map(async ({ record, repo, present, base, from }) => {
      if (base === undefined) return [];
      const tips = { target: base.commit, source: present.commit };
      const ours = await context.clashes.targetKnowing(repo, tips, record.landed);
      return [{ repo, ours, theirs: present.commit, theirsFrom: from, record, base: base.name }];
    }),
  );
  const found = await context.clashes.among(pairs.flat());
  return found.map(({ record, base, ...clash }) => ({
    session_id: record.id,
    name: record.name,
    base,
    ...wire(clash),
  }));
}

const wire = ({ conflicts, bothEdited }: Clash) => ({ conflicts, both_edited: bothEdited });

// A commit writes several files, and one turn may make many commits.
const quietMs = 2_000;
// Where git takes long, a pause of this many times the last look follows it.
const restShare = 4;
const mostFiles = 20;

function foreseenIn({ pairs, against_base }: Compared): readonly Foreseen[] {
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
  const seen: Seen = { sides: new Map(), changed: new Set() };
  const watches = new Map<string, Disposer>();
  const onTrouble = (error: unknown) => context.logger.write('warn', 'conflicts could not be foreseen', error);
  const looks = gather(
    { clock: context.clock, gatherMs: quietMs, restMs: (tookMs) => restShare * tookMs, onTrouble },
    () =>
      look(context, seen, now).then((found) => {
        now = found;
      }),
  );
  const soon = (id: string) => {
    seen.changed.add(id);
    looks.request();
  };
  const watch = async (record: WorkerRecord) => {
    if (record.worktreePath === undefined || watches.has(record.id)) return;
    watches.set(record.id, () => undefined);
    const gitDir =
      record.worktreeGitDir ?? (await gitDirAt({ path: record.worktreePath, env: context.environment.git }));
    if (gitDir === undefined || !watches.has(record.id)) return;
    watches.set(
      record.id,
      watchFolder(join(gitDir, 'logs'), context.clock, () => soon(record.id)),
    );
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
    if (before.is === 'working') soon(workerId);
  });
  const stop = () => {
    unlisten();
    looks.stop();
    for (const unwatch of watches.values()) unwatch();
    watches.clear();
  };
  return { now: () => now, stop };
}

const gitDirAt = (place: GitPlace): Promise<string | undefined> =>
  inspectFolder(place).then(
    (folder) => folder?.gitDir,
    () => undefined,
  );

interface Seen {
  /** The work of each worker as of the last look. */
  readonly sides: Map<string, Side>;
  /** Workers that have done something since. */
  readonly changed: Set<string>;
}

/** Of this server's workers it reads only the work that has changed. */
async function look(
  context: CrewContext,
  { sides, changed }: Seen,
  before: readonly Foreseen[],
): Promise<readonly Foreseen[]> {
  const records = withBranch(context);
  const stale = records.filter(
    (record) => changed.has(record.id) || !sides.has(record.id) || !context.roster.isMine(record),
  );
  // What a worker does from here on is read the next time.
  changed.clear();
  for (const { id } of stale) sides.delete(id);
  for (const side of (await readSides(context, stale)).sides) sides.set(side.record.id, side);
  const there = records.flatMap((record) => {
    const side = sides.get(record.id);
    return side === undefined ? [] : [{ ...side, record }];
  });
  const now = foreseenIn(await compare(context, there));
  const ids = new Map(context.roster.records().map((record) => [record.name, record.id]));
  const drafts = changesSince(before, now).flatMap(({ name, with: other, files }): EventDraft[] => {
    const workerId = ids.get(name);
    const data = { with: other, files: files.slice(0, mostFiles), gone: files.length === 0 };
    return workerId === undefined ? [] : [{ type: 'conflict', workerId, data }];
  });
  if (drafts.length > 0) await context.log.append(drafts);
  return now;
}
