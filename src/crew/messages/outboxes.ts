// Follows the outboxes of our workers, and writes each entry into the log once, across the death of a server.

import { followFile } from '../../jsonl/tail.ts';
import type { EventDraft } from '../../model/event.ts';
import { alarmStatuses } from '../../model/task.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type OutboxEntry, outboxPath, readEntry } from '../../store/outbox.ts';
import { type Activity, type CrewContext, forOwnWorkers } from '../workers/crew-context.ts';

/** Its `settled` resolves when each entry written before the call is in the log, or the disk refused it. */
export const followOutboxes = (context: CrewContext): Activity => forOwnWorkers(context, followOutbox);

function followOutbox(context: CrewContext, record: WorkerRecord): Activity {
  let last: Promise<void> = Promise.resolve();
  const opened = context.home.workerDir(record.id).then((dir) =>
    followFile(outboxPath(dir), {
      clock: context.clock,
      from: record.outboxRead ?? 0,
      onTrouble: (error) => context.logger.write('warn', `the outbox of ${record.id} could not be read`, error),
      onLines(lines, { offset, restarted }) {
        const entries = readEntries(lines, offset);
        last = last.then(() => logEntries(context, record.id, entries, restarted ? 'anew' : 'on'));
      },
    }),
  );
  return {
    async settled() {
      const tail = await opened;
      await tail.drain().catch(() => undefined);
      await last;
    },
    async close() {
      const tail = await opened;
      await tail.close();
      await last;
    },
  };
}

interface ReadEntry {
  readonly entry: OutboxEntry;
  /** The offset just past its line. */
  readonly end: number;
}

/** The entries of lines that end at an offset; a line that cannot be read is passed over. Pure. */
export function readEntries(lines: readonly string[], offset: number): readonly ReadEntry[] {
  let end = offset - lines.reduce((bytes, line) => bytes + Buffer.byteLength(line) + 1, 0);
  return lines.flatMap((line) => {
    end += Buffer.byteLength(line) + 1;
    const entry = readEntry(line);
    return entry === undefined ? [] : [{ entry, end }];
  });
}

interface Reading {
  /** `anew`: housekeeping has removed what was read before. */
  readonly from: 'anew' | 'on';
  /** The offset up to which the log has the entries. */
  readonly read: number;
}

/** The entries that the log does not have. Pure. */
export const unlogged = (entries: readonly ReadEntry[], { from, read }: Reading): readonly ReadEntry[] =>
  from === 'anew' ? entries : entries.filter(({ end }) => end > read);

async function logEntries(
  context: CrewContext,
  workerId: string,
  entries: readonly ReadEntry[],
  from: Reading['from'],
): Promise<void> {
  const record = context.log.records().get(workerId);
  if (record === undefined || !context.roster.isMine(record)) return;
  const drafts = unlogged(entries, { from, read: record.outboxRead ?? 0 }).map(({ entry, end }): EventDraft => {
    const { set, ...draft } = draftOf(entry);
    return { ...draft, workerId, set: { ...set, outboxRead: end } };
  });
  if (drafts.length === 0) return;
  await context.log
    .append(drafts)
    .catch((error: unknown) => context.logger.write('error', `words of ${workerId} could not be noted`, error));
}

const shownChars = 300;
const short = (text: string) => (text.length > shownChars ? `${text.slice(0, shownChars - 1)}…` : text);

/** The event that the log holds of an entry: enough to know whether to read the whole. Pure. */
export function draftOf(entry: OutboxEntry): Pick<EventDraft, 'type' | 'data' | 'set'> {
  switch (entry.kind) {
    case 'progress': {
      const message = short(entry.progress.message);
      const status = alarmStatuses.find((one) => one === entry.progress.status);
      const alarm = status === undefined ? null : { status, message, at: entry.at };
      const data = { kind: 'progress', id: entry.id, ...entry.progress, message };
      const { progress: percent } = entry.progress;
      const progress = percent === undefined ? {} : { progress: { percent, at: entry.at } };
      return { type: 'report', data, set: { alarm, ...progress, said: { as: entry.progress.status, at: entry.at } } };
    }
    case 'report': {
      const { what_done, what_open, files_changed } = entry.report;
      const data = { what_done: short(what_done), what_open: short(what_open), files: files_changed.length };
      const set = { alarm: null, said: { as: 'report', at: entry.at } };
      return { type: 'report', data: { kind: 'report', id: entry.id, ...data }, set };
    }
    case 'note': {
      const { message, to, ...rest } = entry.note;
      return { type: 'report', data: { ...rest, id: entry.id, to: to.name, message: short(message) } };
    }
    case 'task': {
      const { id, kind, title } = entry.task;
      return { type: 'task_created', data: { task_id: id, kind, title: short(title) } };
    }
  }
}
