// Items of a turn: messages and tool calls.

import type { DecodedLine } from '../agent.ts';
import { failureLine } from '../tool-line.ts';
import { type CommandExecution, commandExecution, itemCompleted, message, serverCall } from './rollout-line.ts';

const nothing: DecodedLine = { signals: [] };

/** Items that other lines repeat, or that hold no words for a reader. */
const silent = new Set(
  `FileChange Reasoning WebSearch ContextCompaction HookPrompt Plan ImageView ImageGeneration EnteredReviewMode
  ExitedReviewMode CollabAgentToolCall TodoList Error`.split(/\s+/),
);

export function decodeItem(at: number, payload: unknown): DecodedLine | undefined {
  const { data } = itemCompleted.safeParse(payload);
  if (data === undefined) return undefined;
  const { item } = data;
  switch (item.type) {
    case 'UserMessage': {
      const text = textOf(item);
      return {
        signals: [{ from: 'transcript', kind: 'prompt', at, text, origin: 'person' }],
        entry: { role: 'user', content: text, at },
      };
    }
    case 'AgentMessage':
      return {
        signals: [{ from: 'transcript', kind: 'activity', at, detail: 'answers', does: 'answering' }],
        entry: { role: 'assistant', content: textOf(item), at },
      };
    case 'McpToolCall':
      return calledServer(item);
    case 'CommandExecution':
      return ranCommand(at, item);
    default:
      return silent.has(item.type) ? nothing : undefined;
  }
}

const textOf = (item: unknown): string => {
  const { data } = message.safeParse(item);
  return (data?.content ?? []).flatMap(({ text }) => text ?? []).join('\n');
};

/** The item of a background command comes when the command ends, perhaps after its turn. What the model runs, its call says. */
function ranCommand(at: number, item: unknown): DecodedLine | undefined {
  const { data } = commandExecution.safeParse(item);
  if (data === undefined) return undefined;
  const { process_id: processId } = data;
  return {
    signals:
      processId === undefined ? [] : [{ from: 'transcript', kind: 'background', id: processId, runs: false, at }],
    ...(data.source === 'user_shell' ? personsCommand(at, data) : {}),
  };
}

/** What the model is answered does not say that the call failed. */
function calledServer(item: unknown): DecodedLine {
  const { id = '', status, error, result } = serverCall.safeParse(item).data ?? {};
  if (id === '' || status !== 'failed') return nothing;
  const output = error?.message ?? textOf(result);
  return { signals: [], toolResults: [{ id, output, failure: failureLine(output) }] };
}

function personsCommand(at: number, { id, command, exit_code: exit = 0, ...ran }: CommandExecution) {
  const output = ran.aggregated_output;
  const [shell, flag, script] = command;
  const isScript = command.length === 3 && /(^|\/)\w*sh$/.test(shell ?? '') && /^-\w*c$/.test(flag ?? '');
  const input = isScript && script !== undefined ? script : command.join(' ');
  return {
    entry: { role: 'assistant', content: '', at, toolUses: [{ id, name: 'exec_command', input }] },
    toolResults: [{ id, output, ...(exit !== 0 && { failure: failureLine(output, String(exit)) }) }],
  } as const;
}
