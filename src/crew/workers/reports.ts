// The reports of workers, read from their outboxes.
import { isoTime } from '../../model/clock.ts';
import type { Alarm, WorkerRecord } from '../../model/worker.ts';
import { type OutboxEntry, readOutbox } from '../../store/outbox.ts';
import type { Turn, TurnState } from '../../turn/reduce-turn.ts';
import type { ReportView, WordView } from '../../wire/reports.ts';
import type { CrewContext } from './crew-context.ts';

/** Newest first. */
export async function reportsOf(
  context: CrewContext,
  record: Pick<WorkerRecord, 'id' | 'name'>,
  bytes?: number,
): Promise<readonly ReportView[]> {
  const entries = await readOutbox(await context.home.workerDir(record.id), bytes);
  return entries.flatMap((entry) => reportView(record, entry) ?? []).reverse();
}

/** Of several workers, newest first. */
export async function newestReports(context: CrewContext, records: readonly WorkerRecord[], bytesOfEach?: number) {
  const reports = await Promise.all(records.map((record) => reportsOf(context, record, bytesOfEach)));
  return reports.flat().sort((a, b) => b.at.localeCompare(a.at));
}

function reportView({ id, name }: Pick<WorkerRecord, 'id' | 'name'>, entry: OutboxEntry): ReportView | undefined {
  const head = { session_id: id, name, report_id: entry.id, at: isoTime(entry.at) };
  switch (entry.kind) {
    case 'progress':
      return { ...head, kind: 'progress', ...entry.progress };
    case 'report':
      return { ...head, kind: 'report', ...entry.report };
    case 'note': {
      const { to, ...note } = entry.note;
      return { ...head, ...note, to: to.name };
    }
    case 'task':
      return undefined;
  }
}

const shownChars = 300;

/** Pure. */
export function wordOf({ session_id, name, at, kind, status, message, what_done = '' }: ReportView): WordView {
  const text = message ?? what_done;
  const says = text.length > shownChars ? `${text.slice(0, shownChars - 1)}…` : text;
  return { session_id, name, at, kind: status ?? kind, says };
}

/** The alarm of a worker's last report, until a turn begins after it. Pure. */
export function standingAlarm(
  { phase, alarm }: Pick<WorkerRecord, 'phase' | 'alarm'>,
  turn: (Pick<TurnState, 'is'> & { readonly turn?: Pick<Turn, 'startedAt'> | undefined }) | undefined,
): Alarm | undefined {
  const lives = phase === 'live' && turn?.is !== 'gone';
  return lives && alarm !== undefined && (turn?.turn?.startedAt ?? 0) <= alarm.at ? alarm : undefined;
}

/** The standing alarm in words. */
export function alarmWord(record: WorkerRecord, turn: TurnState | undefined): WordView | undefined {
  const alarm = standingAlarm(record, turn);
  if (alarm === undefined) return undefined;
  const { status: kind, message: says, at } = alarm;
  return { session_id: record.id, name: record.name, at: isoTime(at), kind, says, alarm: true };
}
