// Everything about one worker.
import { messageOf } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { ExaminedWorker, WorkerGit } from '../../wire/examine.ts';
import { type WorkState, workState } from '../../worktree/work-state.ts';
import { attentionFor } from '../attention/attention.ts';
import type { Totals } from '../workers/conversation.ts';
import { reportsOf, wordOf } from '../workers/reports.ts';
import type { CrewContext } from '../workers/roster.ts';
import { transcriptOf } from '../workers/transcript.ts';
import { readWorkerScreen } from './screen.ts';

const mostCommits = 20;

export async function examineWorker(
  context: CrewContext,
  query: { readonly worker: string; readonly screenLines: number },
): Promise<ExaminedWorker> {
  const record = context.roster.resolve(query.worker);
  await context.roster.following(record.id)?.drain();
  const attention = attentionFor(context, record)[0] ?? null;
  const { totals } = (await transcriptOf(context, record)).conversation;
  const { screenLines: lines } = query;
  return {
    ...context.roster.view(record),
    ...(context.agentOf(record).keepsTranscript ? countsOf(totals) : { conversation_stats: null, usage: null }),
    ...(await gitOf(context, record)),
    attention,
    ...(await lastWords(context, record)),
    ...(lines > 0 && record.pane !== undefined && record.phase !== 'closed'
      ? { screen: (await readWorkerScreen(context, { worker: record.id, lines })).screen }
      : {}),
  };
}

async function lastWords(
  context: CrewContext,
  record: WorkerRecord,
): Promise<Pick<ExaminedWorker, 'report' | 'last_word'>> {
  const [newest, ...older] = await reportsOf(context, record);
  const report = [newest, ...older].find((one) => one?.kind === 'report');
  return {
    ...(report === undefined ? {} : { report }),
    ...(newest === undefined ? {} : { last_word: wordOf(newest) }),
  };
}

const countsOf = (totals: Totals): Pick<ExaminedWorker, 'conversation_stats' | 'usage'> => ({
  conversation_stats: {
    total_messages: totals.messages,
    user_messages: totals.userMessages,
    assistant_messages: totals.assistantMessages,
    last_user_prompt: totals.lastUserPrompt ?? null,
    last_assistant_preview: totals.lastAssistantText ?? null,
  },
  usage: {
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    cache_tokens: totals.cacheTokens,
    ...(totals.costUsd === undefined ? {} : { cost_usd: totals.costUsd }),
    ...(totals.contextTokens === undefined ? {} : { context_used: totals.contextTokens }),
  },
});

/** Null where there is no worktree of its own, or git cannot tell. */
async function gitOf(
  context: CrewContext,
  record: WorkerRecord,
): Promise<Pick<ExaminedWorker, 'git' | 'git_unreadable'>> {
  if (record.worktreePath === undefined) return { git: null };
  const base = record.base === undefined ? {} : { base: record.base };
  try {
    return { git: gitView(await workState({ worktreePath: record.worktreePath, env: context.env, ...base })) };
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
  ...(state.lockReason === undefined ? {} : { lock_reason: state.lockReason }),
  ...(state.operation === undefined ? {} : { operation: state.operation }),
  ...(state.nestedRepos.length === 0 ? {} : { nested_repositories: state.nestedRepos }),
});
