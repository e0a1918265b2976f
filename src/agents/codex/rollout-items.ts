// Items of a turn: messages and tool calls.

import { z } from 'zod';
import { defined } from '../../model/defined.ts';
import type { DecodedLine } from '../agent.ts';
import { commandExecution, fileChange, itemCompleted, mcpToolCall, message } from './rollout-line.ts';

const nothing: DecodedLine = { signals: [] };

/** Items that other lines repeat, or that hold no words for a reader. */
const silent = new Set(
  `Reasoning WebSearch ContextCompaction HookPrompt Plan ImageView ImageGeneration EnteredReviewMode
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
        signals: [{ from: 'transcript', kind: 'activity', at, detail: 'answers' }],
        entry: { role: 'assistant', content: textOf(item), at },
      };
    case 'CommandExecution':
      return ranCommand(at, item);
    case 'FileChange':
      return used(at, { name: 'apply_patch', input: fileChange.safeParse(item).data?.changes ?? {} });
    case 'McpToolCall': {
      const call = mcpToolCall.safeParse(item).data;
      return call && used(at, { name: `${call.server}.${call.tool}`, input: call.arguments ?? {} });
    }
    default:
      return silent.has(item.type) ? nothing : undefined;
  }
}

const textOf = (item: unknown): string => {
  const { data } = message.safeParse(item);
  return (data?.content ?? []).flatMap(({ text }) => text ?? []).join('\n');
};

/** The item of a background command comes when the command ends, perhaps after its turn. */
function ranCommand(at: number, item: unknown): DecodedLine | undefined {
  const { data } = commandExecution.safeParse(item);
  if (data === undefined) return undefined;
  const [shell, flag, script] = data.command;
  const isScript = data.command.length === 3 && /(^|\/)\w*sh$/.test(shell ?? '') && /^-\w*c$/.test(flag ?? '');
  const { entry } = used(at, { name: 'exec_command', input: isScript ? script : data.command.join(' ') });
  const { process_id: id } = data;
  return {
    signals: id === undefined ? [] : [{ from: 'transcript', kind: 'background', id, runs: false, at }],
    ...defined({ entry }),
  };
}

function used(at: number, { name, input }: { name: string; input: unknown }): DecodedLine {
  const words = z.string().safeParse(input).data ?? JSON.stringify(input);
  return { signals: [], entry: { role: 'assistant', content: '', at, toolUses: [{ name, input: words }] } };
}
