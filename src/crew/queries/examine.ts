// Everything about one worker, and the text of its pane.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { writeAtomic } from '../../system/atomic.ts';
import type { ExaminedWorker, ScreenResult, WorkerGit } from '../../wire/examine.ts';
import { usageView } from '../../wire/usage.ts';
import { type WorkState, workState } from '../../worktree/state/work-state.ts';
import { attentionFor } from '../attention/attention.ts';
import type { Totals } from '../workers/conversation.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import { reportsOf, wordOf } from '../workers/reports.ts';
import { transcriptOf } from '../workers/transcript.ts';
import { presentView } from './list.ts';
import { ledgerOf, usageIn } from './usage.ts';

export interface ScreenQuery {
  readonly worker: string;
  readonly lines?: number;
  readonly since?: string;
}

const mostCommits = 20;

export async function examineWorker(
  context: CrewContext,
  query: { readonly worker: string; readonly screenLines: number },
): Promise<ExaminedWorker> {
  const record = context.roster.resolve(query.worker);
  await context.roster.following(record.id)?.drain();
  const attention = attentionFor(context, record)[0] ?? null;
  const { totals } = (await transcriptOf(context, record)).conversation;
  const usage = usageIn(context, record, await ledgerOf(context, record));
  const { screenLines: lines } = query;
  const showsScreen = lines > 0 && record.pane !== undefined && record.phase !== 'closed';
  return {
    ...(await presentView(context, record)),
    conversation_stats: context.agents.of(record).keepsTranscript ? countsOf(totals) : null,
    ...defined({ usage: usage && usageView(usage) }),
    ...(await gitOf(context, record)),
    attention,
    ...(await lastWords(context, record)),
    ...(showsScreen ? { screen: (await readWorkerScreen(context, { worker: record.id, lines })).screen } : {}),
  };
}

async function lastWords(
  context: CrewContext,
  record: WorkerRecord,
): Promise<Pick<ExaminedWorker, 'report' | 'last_word'>> {
  const [newest, ...older] = await reportsOf(context, record);
  const report = [newest, ...older].find((one) => one?.kind === 'report');
  return defined({ report, last_word: newest && wordOf(newest) });
}

const countsOf = (totals: Totals): ExaminedWorker['conversation_stats'] => ({
  total_messages: totals.messages,
  user_messages: totals.userMessages,
  assistant_messages: totals.assistantMessages,
  last_user_prompt: totals.lastUserPrompt ?? null,
  last_assistant_preview: totals.lastAssistantText ?? null,
});

/** Null where the worker has no worktree of its own, or git cannot read it. */
async function gitOf(
  context: CrewContext,
  record: WorkerRecord,
): Promise<Pick<ExaminedWorker, 'git' | 'git_unreadable'>> {
  const { worktreePath, base } = record;
  if (worktreePath === undefined) return { git: null };
  try {
    return { git: gitView(await workState({ worktreePath, env: context.environment.git, ...defined({ base }) })) };
  } catch (error) {
    context.logger.write('warn', `git could not tell of the worktree of ${record.id}`, error);
    return { git: null, git_unreadable: messageOf(error) };
  }
}

const gitView = (state: WorkState): WorkerGit => ({
  branch: state.branch ?? null,
  commit: state.headSha ?? null,
  base: state.base ?? null,
  ahead: state.ahead,
  behind: state.behind,
  dirty_files: state.dirtyFiles + state.untrackedFiles,
  untracked_files: state.untrackedFiles,
  commits: state.commits.slice(0, mostCommits),
  merged: state.merged,
  detached: state.detached,
  unreachable: state.unreachable,
  locked: state.locked,
  ...defined({
    lock_reason: state.lockReason,
    operation: state.operation,
    nested_repositories: state.nestedRepos.length === 0 ? undefined : state.nestedRepos,
  }),
});

const mostCharacters = 20_000;

/** The token says whether the text changed since an earlier call. */
export async function readWorkerScreen(context: CrewContext, query: ScreenQuery): Promise<ScreenResult> {
  const record = context.roster.resolve(query.worker);
  if (record.pane === undefined || record.phase === 'closed') {
    const message = `${record.name} has no pane: it is ${record.phase}.`;
    throw new CrewError('worker_dead', message, 'read_worker_logs still shows its conversation.');
  }
  const options = defined({ lines: query.lines });
  const screen = (await context.terminal.capture(paneRef(record.pane), options)).replace(/\s+$/, '');
  const token = createHash('sha256').update(screen).digest('hex').slice(0, 16);
  const changed = query.since !== token;
  const whole = { session_id: query.worker, token, changed };
  if (!changed) return { ...whole, screen: '', truncated: false };
  if (screen.length <= mostCharacters) return { ...whole, screen, truncated: false };
  const path = join(await context.home.workerDir(record.id), 'screen.txt');
  await writeAtomic(path, `${screen}\n`);
  // The newest part is what a caller looks for.
  return { ...whole, screen: screen.slice(-mostCharacters), truncated: true, path };
}
