// The transcript's lines, in the forms that the real program writes.
import { defined } from '../../model/defined.ts';
import type { Fields } from '../../model/json.ts';

const userLine = (promptId: string, content: string | readonly Fields[]): Fields => ({
  promptId,
  type: 'user',
  message: { role: 'user', content },
});

export interface PromptLine {
  readonly text: string;
  readonly promptId: string;
  readonly source: 'typed' | 'queued' | 'system';
  readonly permissionMode: string;
}

export const promptLine = ({ text, promptId, source, permissionMode }: PromptLine): Fields => ({
  ...userLine(promptId, text),
  permissionMode,
  origin: { kind: source === 'system' ? 'task-notification' : 'human' },
  promptSource: source,
});

/** `null`: the message was broken off. */
export type Stop = 'end_turn' | 'tool_use' | null;

export interface AnswerLine {
  readonly messageId: string;
  readonly model: string;
  readonly block: Fields;
  readonly stop: Stop;
}

const usage = { input_tokens: 3_000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export const answerLine = ({ messageId, model, block, stop }: AnswerLine): Fields => ({
  message: {
    id: messageId,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: stop,
    usage: { ...usage, output_tokens: JSON.stringify(block).length },
  },
  type: 'assistant',
});

interface ToolCall {
  readonly promptId: string;
  readonly toolUseId: string;
}

export const toolResultLine = ({ promptId, toolUseId }: ToolCall, content: string, isError: boolean): Fields =>
  userLine(promptId, [{ tool_use_id: toolUseId, type: 'tool_result', content, is_error: isError }]);

const refusal =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

export const refusedLine = (to: ToolCall): Fields => ({
  ...toolResultLine(to, refusal, true),
  toolDenialKind: 'user-rejected',
});

export const interruptedLine = (promptId: string, forTool: boolean): Fields =>
  userLine(promptId, [{ type: 'text', text: `[Request interrupted by user${forTool ? ' for tool use' : ''}]` }]);

export interface ApiError {
  readonly text: string;
  readonly status: number;
  readonly error: string;
  /** Epoch seconds. */
  readonly resetsAt?: number;
}

export const apiErrorLine = ({ text, status, error, resetsAt }: ApiError, messageId: string): Fields => ({
  type: 'assistant',
  message: { id: messageId, model: '<synthetic>', role: 'assistant', content: [{ type: 'text', text }] },
  error,
  isApiErrorMessage: true,
  apiErrorStatus: status,
  ...defined({ quotaLimits: resetsAt && { status: 'rejected', resetsAt, rateLimitType: 'five_hour' } }),
});

export const stopSummaryLine = (commands: readonly string[]): Fields => ({
  type: 'system',
  subtype: 'stop_hook_summary',
  hookCount: commands.length,
  hookInfos: commands.map((command) => ({ command })),
  hookErrors: [],
  preventedContinuation: false,
});

export const turnDurationLine = (durationMs: number, agents: number): Fields => ({
  type: 'system',
  subtype: 'turn_duration',
  durationMs,
  ...(agents > 0 ? { pendingBackgroundAgentCount: agents } : {}),
});

export const queueNote = (operation: 'enqueue' | 'dequeue', more: Fields = {}): Fields => ({
  type: 'queue-operation',
  operation,
  ...more,
});

export interface TaskNews {
  readonly taskId: string;
  readonly toolUseId: string;
  readonly summary: string;
  readonly result?: string;
}

/** A prompt that the program writes itself when background work has ended. */
export const taskNotification = ({ taskId, toolUseId, summary, result }: TaskNews): string =>
  [
    '<task-notification>',
    `<task-id>${taskId}</task-id>`,
    `<tool-use-id>${toolUseId}</tool-use-id>`,
    '<status>completed</status>',
    `<summary>${summary}</summary>`,
    ...(result === undefined ? [] : [`<result>${result}</result>`]),
    '</task-notification>',
  ].join('\n');
