// Tells the log and the pane's border of every change of a worker we manage.
import type { Disposer } from '../../model/clock.ts';
import type { EventDraft } from '../../model/event.ts';
import type { Signal } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { borderStatus, newsOf } from './news.ts';
import type { CrewContext } from './roster.ts';
import { type Change, paneRef } from './roster.ts';

export interface Publisher {
  /** Resolves when everything told so far is on disk, or was refused by it. */
  settled(): Promise<void>;
  close(): void;
}

/** Publishes in the order of the changes. Workers of other living managers are theirs to tell of. */
export function publishChanges(context: CrewContext): Publisher {
  let last: Promise<void> = Promise.resolve();
  const stop: Disposer = context.roster.onChange((change) => {
    const record = context.log.records().get(change.workerId);
    if (record === undefined || !context.roster.isMine(record) || context.roster.closing.has(record.id)) return;
    const drafts = draftsOf(change, record);
    // The log keeps the order of its appends: what is told here stands before whatever is appended from now on.
    if (drafts.length > 0) last = bothOf(last, tell(context, drafts));
    if (change.before.is !== change.after.is || change.before.waitingFor !== change.after.waitingFor) {
      void showOnPane(context, record, borderStatus(change.after));
    }
  });
  return { settled: () => last, close: stop };
}

const bothOf = async (one: Promise<void>, other: Promise<void>): Promise<void> => {
  await Promise.all([one, other]);
};

function draftsOf(change: Change, record: WorkerRecord): readonly EventDraft[] {
  return [...movedDraft(change, record), ...newsDrafts(change, record)];
}

/** A conversation the agent began itself is the one to resume later. */
function movedDraft({ signal }: Change, record: WorkerRecord): readonly EventDraft[] {
  const moved = conversationIn(signal);
  if (moved === undefined) return [];
  const { agentSessionId, transcriptPath = record.launch.transcriptPath, reason } = moved;
  const { launch } = record;
  if (agentSessionId === launch.agentSessionId && transcriptPath === launch.transcriptPath) return [];
  const data = { agent_session_id: agentSessionId, reason };
  return [
    { type: 'worker_ready', workerId: record.id, data, set: { launch: { ...launch, agentSessionId, transcriptPath } } },
  ];
}

function conversationIn(signal: Signal) {
  if (signal.from === 'hook' && signal.kind === 'ready') return signal;
  return signal.from === 'pane' && signal.kind === 'conversation' ? { ...signal, reason: 'seen' } : undefined;
}

function newsDrafts(change: Change, record: WorkerRecord): readonly EventDraft[] {
  return newsOf(change.before, change.after).map((news) => ({
    ...news,
    workerId: record.id,
    ...(news.type === 'worker_dead' ? { set: deadSet(change) } : {}),
  }));
}

const deadSet = ({ after }: Change) => ({
  phase: 'dead' as const,
  endedAt: after.evidence.at,
  endDetail: after.evidence.detail,
});

async function tell(context: CrewContext, drafts: readonly EventDraft[]): Promise<void> {
  try {
    await context.log.append(drafts);
  } catch (error) {
    context.logger.write('error', `events could not be written: ${drafts.map((draft) => draft.type).join(' ')}`, error);
  }
}

/** Border text is a courtesy: its failure is logged and nothing else. */
export async function showOnPane(context: CrewContext, record: WorkerRecord, status: string): Promise<void> {
  if (record.pane === undefined) return;
  try {
    await context.terminal.label(paneRef(record.pane), labelOf(record, status));
  } catch (error) {
    context.logger.write('warn', 'a pane could not be labelled', error);
  }
}

export const labelOf = (record: Pick<WorkerRecord, 'name' | 'annotation' | 'bead' | 'colour'>, status: string) => ({
  name: record.name,
  annotation: [record.bead, record.annotation].filter((part) => part !== undefined).join(' '),
  status,
  colour: record.colour,
  alarm: status === 'dead' || status.startsWith('waiting'),
});
