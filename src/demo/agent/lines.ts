// The transcript's lines, in the forms of the real program's.
import type { Fields } from '../../model/json.ts';

export interface PromptLine {
  readonly text: string;
  readonly promptId: string;
  readonly source: 'typed' | 'queued' | 'system';
  readonly permissionMode: string;
}

export const promptLine = ({ text, promptId, source, permissionMode }: PromptLine): Fields => ({
  promptId,
  type: 'user',
  message: { role: 'user', content: text },
  permissionMode,
  origin: { kind: source === 'system' ? 'task-notification' : 'human' },
  promptSource: source,
  turnOrigin: source === 'system' ? 'task_notification' : 'human',
});

export interface AnswerLine {
  readonly messageId: string;
  readonly model: string;
  readonly block: Fields;
  readonly stop: 'end_turn' | 'tool_use' | null;
  readonly outputTokens: number;
}

export const answerLine = ({ messageId, model, block, stop, outputTokens }: AnswerLine): Fields => ({
  message: {
    id: messageId,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: stop,
    stop_sequence: null,
    usage: usageOf(outputTokens),
  },
  apiBlockIndex: 0,
  requestId: messageId.replace('msg_', 'req_'),
  type: 'assistant',
  ...(stop === null ? { isAbortedMidStream: true } : {}),
});

const inputTokens = 3_000;
const usageOf = (outputTokens: number): Fields => ({
  input_tokens: inputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: outputTokens,
  service_tier: 'standard',
});

export const toolResultLine = (
  to: { promptId: string; toolUseId: string },
  content: string,
  isError: boolean,
): Fields => ({
  promptId: to.promptId,
  type: 'user',
  message: {
    role: 'user',
    content: [{ tool_use_id: to.toolUseId, type: 'tool_result', content, is_error: isError }],
  },
  toolUseResult: isError ? `Error: ${content}` : { stdout: content, stderr: '', interrupted: false },
});

const refusal =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

export const refusedLine = (to: { promptId: string; toolUseId: string }): Fields => ({
  promptId: to.promptId,
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', content: refusal, is_error: true, tool_use_id: to.toolUseId }],
  },
  toolUseResult: 'User rejected tool use',
  toolDenialKind: 'user-rejected',
});

export const interruptedLine = (promptId: string, forTool: boolean): Fields => ({
  promptId,
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'text', text: `[Request interrupted by user${forTool ? ' for tool use' : ''}]` }],
  },
});

export interface ApiError {
  readonly text: string;
  readonly status: number;
  readonly error: string;
  /** Epoch seconds. */
  readonly resetsAt?: number;
}

export const apiErrorLine = ({ text, status, error, resetsAt }: ApiError, messageId: string): Fields => ({
  type: 'assistant',
  message: {
    id: messageId,
    model: '<synthetic>',
    role: 'assistant',
    stop_reason: 'stop_sequence',
    stop_sequence: '',
    type: 'message',
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    content: [{ type: 'text', text }],
  },
  error,
  isApiErrorMessage: true,
  apiErrorStatus: status,
  ...(resetsAt === undefined ? {} : { quotaLimits: { status: 'rejected', resetsAt, rateLimitType: 'five_hour' } }),
});

export interface HookRun {
  readonly command: string;
  readonly durationMs: number;
}

export const stopSummaryLine = (runs: readonly HookRun[], objections: readonly string[]): Fields => ({
  type: 'system',
  subtype: 'stop_hook_summary',
  hookCount: runs.length,
  hookInfos: runs,
  hookErrors: objections,
  failedHookErrorIndexes: [],
  hookAdditionalContext: [],
  preventedContinuation: false,
  stopReason: '',
  hasOutput: objections.length > 0,
  level: 'suggestion',
});

export const turnDurationLine = (durationMs: number, agents: number): Fields => ({
  type: 'system',
  subtype: 'turn_duration',
  durationMs,
  messageCount: 2,
  ...(agents > 0 ? { pendingBackgroundAgentCount: agents } : {}),
  isMeta: false,
});

/** Words put before the model without being asked of it. */
export const metaLine = (promptId: string, text: string): Fields => ({
  promptId,
  type: 'user',
  message: { role: 'user', content: text },
  isMeta: true,
});

export const localCommandLine = (content: string): Fields => ({
  type: 'system',
  subtype: 'local_command',
  content,
  level: 'info',
  isMeta: false,
});

export const queueNote = (operation: 'enqueue' | 'dequeue' | 'remove' | 'popAll', more: Fields = {}): Fields => ({
  type: 'queue-operation',
  operation,
  ...more,
});

/** A queued prompt that joins the running turn. */
export const absorbedLine = (text: string, isNotice: boolean): Fields => ({
  attachment: {
    type: 'queued_command',
    prompt: text,
    commandMode: isNotice ? 'task-notification' : 'prompt',
    origin: { kind: isNotice ? 'task-notification' : 'human' },
  },
  type: 'attachment',
});

/** A shell line as it was typed, and what it printed. */
export const shellLines = (promptId: string, command: string): readonly [Fields, (output: string) => Fields] => {
  const user = (content: string): Fields => ({ promptId, type: 'user', message: { role: 'user', content } });
  return [
    user(`<bash-input>${command}</bash-input>`),
    (output) => user(`<bash-stdout>${output}</bash-stdout><bash-stderr></bash-stderr>`),
  ];
};

export const compactLines = (promptId: string): readonly Fields[] => {
  const user = (content: string): Fields => ({ promptId, type: 'user', message: { role: 'user', content } });
  return [
    {
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      level: 'info',
      compactMetadata: { trigger: 'manual', preTokens: 3_000, postTokens: 2_000 },
    },
    {
      ...user('This session is being continued from a previous conversation that ran out of context.'),
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
    },
    user(
      '<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>',
    ),
    user('<local-command-stdout>Compacted (ctrl+o to see full summary)</local-command-stdout>'),
  ];
};
