// What a table of the crew shows of each worker: the same state and age as the board, cheap enough to look at often.
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AttentionView } from '../../wire/attention.ts';
import type { WordView } from '../../wire/reports.ts';
import type { UsageView } from '../../wire/usage.ts';
import type { WorkerView } from '../../wire/worker.ts';
import { summarizeWork, type WorkSummary } from '../../worktree/state/work-summary.ts';
import { attentionFor } from '../attention/attention.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';
import { alarmWord, newestReports, wordOf } from '../workers/reports.ts';
import { transcriptOf } from '../workers/transcript.ts';
import { sinceOf } from '../workers/view.ts';
import { usageSeen } from './usage.ts';

export interface Glimpse {
  readonly worker: WorkerView;
  /** Since when it is in its state, epoch ms. */
  readonly since: number;
  /** Undefined without a worktree of its own, and where git cannot tell. */
  readonly work?: WorkSummary;
  /** Other workers, or the base, with which its work would conflict, as its server foresaw last. */
  readonly conflictsWith: readonly string[];
  /** What it said last; empty where nothing is known. */
  readonly words: string;
  readonly usage?: UsageView;
}

export interface CrewSummary {
  readonly workers: readonly Glimpse[];
  readonly attention: readonly AttentionView[];
  /** Last reports that call for somebody. */
  readonly alarms: readonly WordView[];
}

const reportBytes = 16 * 1024;

export async function summarizeCrew(context: CrewContext): Promise<CrewSummary> {
  const records = visibleTo(context).filter(({ phase }) => phase !== 'closed');
  const [works, words] = await Promise.all([
    worksOf(context, records),
    Promise.all(records.map((record) => wordsOf(context, record))),
  ]);
  const { roster } = context;
  return {
    workers: records.map((record, at) => ({
      worker: roster.view(record),
      since: sinceOf(record, roster.turn(record.id)),
      ...defined({ work: works.get(record.id) }),
      conflictsWith: roster.following(record.id)?.word?.conflictsWith ?? [],
      words: words[at] ?? '',
      ...defined({ usage: usageSeen(context, record) }),
    })),
    attention: records.flatMap((record) => attentionFor(context, record)),
    alarms: records.flatMap((record) => alarmWord(record, roster.turn(record.id)) ?? []),
  };
}

async function worksOf(
  { environment: { git: env } }: CrewContext,
  records: readonly WorkerRecord[],
): Promise<ReadonlyMap<string, WorkSummary | undefined>> {
  const own = records.flatMap(({ id, worktreePath: path, mainRepoPath, base }) =>
    path === undefined || mainRepoPath === undefined ? [] : [{ id, path, mainRepoPath, ...defined({ base }) }],
  );
  const seen = await summarizeWork(own, env);
  return new Map(own.map(({ id }, at) => [id, seen[at]]));
}

async function wordsOf(context: CrewContext, record: WorkerRecord): Promise<string> {
  if (context.agents.of(record).keepsTranscript) {
    const { totals } = (await transcriptOf(context, record)).conversation;
    if (totals.lastAssistantText !== undefined) return totals.lastAssistantText;
  }
  const [newest] = await newestReports(context, [record], reportBytes);
  return newest === undefined ? '' : wordOf(newest).says;
}
