import { counted } from '../model/plural.ts';
import { examineInput, examineOutput } from '../wire/examine.ts';
import { gitLine } from './git-words.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, workerLine } from './words.ts';

export const examineWorker = defineTool({
  name: 'examine_worker',
  set: 'core',
  title: 'Examine a worker',
  description: `Everything about one worker: status with evidence, message counts, its last prompt and last words, tokens, and its branch (commits ahead and behind, uncommitted files, merged or not). Use it before you decide about a worker. For the conversation use read_worker_logs, for all workers list_workers.`,
  input: examineInput,
  output: examineOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.examine({ worker: args.session_id, screenLines: args.screen_lines }),
  text(found) {
    const { git, conversation_stats: stats } = found;
    return lines([
      workerLine(found),
      git === null ? '' : gitLine(git),
      found.git_unreadable === undefined ? '' : `Its git state cannot be told: ${found.git_unreadable}`,
      stats === null
        ? `What was said and what it cost is not known of ${found.agent_type}: read_worker_screen shows what stands there.`
        : `${counted(stats.total_messages, 'message')}. Last words: ${stats.last_assistant_preview ?? 'none'}`,
      ...attentionLines(found.attention === null ? [] : [found.attention]),
      found.screen === undefined ? '' : `Screen:\n${found.screen}`,
    ]);
  },
});
