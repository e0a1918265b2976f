import { z } from 'zod';
import { gitLine } from './git-words.ts';
import { sessionId } from './parameters.ts';
import { attention, list, report, shortened, word, worker } from './shapes.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, workerLine } from './words.ts';

export const examineWorker = defineTool({
  name: 'examine_worker',
  title: 'Examine a worker',
  description: `Everything about one worker: status with evidence, message counts, its last prompt and last words, tokens, and the state of its branch (commits ahead and behind, uncommitted files, merged or not). Use it before you decide what to do with a worker. To read the conversation use read_worker_logs, for the screen alone read_worker_screen, for all workers at a glance list_workers. It changes nothing and does not disturb the worker.`,
  input: z.strictObject({
    session_id: sessionId,
    screen_lines: z.int().min(0).max(500).default(0).describe('Also show this many last lines of its screen.'),
  }),
  output: z.object({
    ...worker.shape,
    conversation_stats: z
      .object({
        total_messages: z.number(),
        user_messages: z.number(),
        assistant_messages: z.number(),
        last_user_prompt: z.string().nullable(),
        last_assistant_preview: z.string().nullable(),
      })
      .nullable(),
    usage: z
      .object({
        input_tokens: z.number(),
        output_tokens: z.number(),
        cache_tokens: z.number(),
        cost_usd: z.number().exactOptional(),
        context_used: z.number().exactOptional(),
      })
      .nullable(),
    git: z
      .object({
        branch: z.string().nullable(),
        commit: z.string().nullable(),
        base: z.string().nullable(),
        ahead: z.number(),
        behind: z.number(),
        dirty_files: z.number(),
        untracked_files: z.number(),
        commits: list(z.string()),
        merged: z.boolean(),
        detached: z.boolean(),
        unreachable: z.boolean(),
        locked: z.boolean(),
        lock_reason: z.string().exactOptional(),
        operation: z.string().exactOptional(),
        nested_repositories: list(z.string()).exactOptional(),
      })
      .nullable(),
    git_unreadable: z.string().exactOptional(),
    attention: attention.nullable(),
    report: report.exactOptional(),
    last_word: word.exactOptional(),
    screen: z.string().exactOptional(),
    ...shortened,
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.examine(args),
  text(found) {
    const { git, conversation_stats: stats } = found;
    return lines([
      workerLine(found),
      git === null ? '' : gitLine(git),
      found.git_unreadable === undefined ? '' : `Its git state cannot be told: ${found.git_unreadable}`,
      stats === null
        ? `What was said and what it cost is not known of ${found.agent_type}: read_worker_screen shows what stands there.`
        : `${stats.total_messages} messages. Last words: ${stats.last_assistant_preview ?? 'none'}`,
      ...attentionLines(found.attention === null ? [] : [found.attention]),
      found.screen === undefined ? '' : `Screen:\n${found.screen}`,
    ]);
  },
});
