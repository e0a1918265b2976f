// Conflicts foreseen while workers work: looked for when one of them commits or ends a turn.
import { join } from 'node:path';
import { watchFolder } from '../../jsonl/tail.ts';
import type { Disposer } from '../../model/clock.ts';
import type { EventDraft } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { ConflictsResult, Foreseen } from '../../wire/landing.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import type { CrewContext } from '../workers/roster.ts';
import { checkConflicts } from './conflicts.ts';

// A commit writes several files, and one turn may make many commits.
const quietMs = 2_000;
const mostFiles = 20;

/** The conflicts of an answer, as one list. Pure. */
export function foreseenIn({
  pairs,
  against_base,
}: Pick<ConflictsResult, 'pairs' | 'against_base'>): readonly Foreseen[] {
  const all = [
    ...pairs.map(({ a, b, conflicts }) => ({ name: a, with: b, files: conflicts })),
    ...against_base.map(({ name, base, conflicts }) => ({ name, with: base, files: conflicts })),
  ];
  return all.filter(({ files }) => files.length > 0);
}

const keyOf = ({ name, with: other, files }: Foreseen): string => JSON.stringify([name, other, [...files].sort()]);

/** What is news: conflicts that were not there before, and pairs that have none any more. Pure. */
export function newsOf(before: readonly Foreseen[], now: readonly Foreseen[]): readonly Foreseen[] {
  const known = new Set(before.map(keyOf));
  const there = new Set(now.map((one) => `${one.name}\n${one.with}`));
  return [
    ...now.filter((one) => !known.has(keyOf(one))),
    ...before.filter((one) => !there.has(`${one.name}\n${one.with}`)).map((one) => ({ ...one, files: [] })),
  ];
}

export interface Forecast {
  /** The conflicts of the live workers' branches, as of the last commit or turn. */
  now(): readonly Foreseen[];
  readonly stop: Disposer;
}

/** Looks again after each commit and each turn of a worker with a worktree of its own; nothing runs in between. */
export function watchConflicts(context: CrewContext): Forecast {
  let now: readonly Foreseen[] = [];
  const watches = new Map<string, Disposer>();
  let cancel: Disposer = () => undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const soon = () => {
    cancel();
    if (!stopped)
      cancel = context.clock.after(
        quietMs,
        () =>
          (running = running.then(async () => {
            now = await look(context, now);
          })),
      );
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
    const news = newsOf(before, now);
    const ids = new Map(context.roster.records().map((record) => [record.name, record.id]));
    const drafts = news.flatMap(({ name, with: other, files }): EventDraft[] => {
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
