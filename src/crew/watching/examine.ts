// Everything about one worker.
import { messageOf } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type WorkState, workState } from '../../worktree/work-state.ts';
import type { ExaminedWorker, WorkerGit } from '../api.ts';
import { escapesOf } from '../escapes/escapes.ts';
import type { House } from '../house.ts';
import { readWorkerScreen } from '../screen/screen.ts';
import type { Totals } from './conversation.ts';
import { reportsOf, wordOf } from './reports.ts';
import { transcriptOf } from './transcript.ts';

const mostCommits = 20;

export async function examineWorker(
  house: House,
  request: { readonly session_id: string; readonly screen_lines: number },
): Promise<ExaminedWorker> {
  const record = house.roster.resolve(request.session_id);
  await house.roster.following(record.id)?.drain();
  const attention = house.roster.attention(record)[0] ?? null;
  const { totals } = (await transcriptOf(house, record)).conversation;
  const { screen_lines: lines } = request;
  const escapes = (await escapesOf(house, [record])).filter(({ workers }) => workers.includes(record.name));
  return {
    ...house.roster.view(record),
    ...(house.agentOf(record).keepsTranscript ? countsOf(totals) : { conversation_stats: null, usage: null }),
    ...(await gitOf(house, record)),
    ...(escapes.length === 0 ? {} : { escapes }),
    attention,
    ...(await lastWords(house, record)),
    ...(lines > 0 && record.pane !== undefined && record.phase !== 'closed'
      ? { screen: (await readWorkerScreen(house, { session_id: record.id, lines })).screen }
      : {}),
  };
}

async function lastWords(house: House, record: WorkerRecord): Promise<Pick<ExaminedWorker, 'report' | 'last_word'>> {
  const [newest, ...older] = await reportsOf(house, record);
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
async function gitOf(house: House, record: WorkerRecord): Promise<Pick<ExaminedWorker, 'git' | 'git_unreadable'>> {
  if (record.worktreePath === undefined) return { git: null };
  const base = record.base === undefined ? {} : { base: record.base };
  try {
    return { git: gitView(await workState({ worktreePath: record.worktreePath, env: house.env, ...base })) };
  } catch (error) {
    house.logger.write('warn', `git could not tell of the worktree of ${record.id}`, error);
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
