// Assistant lines: one block of an answer each, or an error in the answer's place.
import { defined } from '../../model/defined.ts';
import type { DecodedLine, ToolUse } from '../agent.ts';
import { callsOf } from '../tool-line.ts';
import { isLimit, resetOf } from './limit.ts';
import { type AssistantLine, assistantLine, type ContentBlock, textOf } from './transcript-line.ts';

/** Not a model: words Claude Code puts into the model's mouth. */
const nobody = '<synthetic>';

export function decodeAssistant(value: unknown): DecodedLine | undefined {
  const { data } = assistantLine.safeParse(value);
  if (data === undefined) return undefined;
  if (data.isApiErrorMessage === true) return failed(data);
  return data.message.model === nobody ? { signals: [] } : answered(data);
}

function failed(line: AssistantLine): DecodedLine {
  const at = line.timestamp;
  const detail = textOf(line.message.content);
  const failure = {
    at,
    kind: line.error ?? undefined,
    text: detail,
    resetsAtSeconds: line.quotaLimits?.resetsAt ?? undefined,
  };
  const ofAccount = isOfAccount(line) || undefined;
  const how = isLimit(failure)
    ? ({ how: 'limit', ...resetOf(failure), ...defined({ ofAccount }) } as const)
    : ({ how: 'error' } as const);
  return {
    signals: [{ from: 'transcript', kind: 'ended', ...how, backgroundTasks: 0, at, detail }],
    entry: { role: 'assistant', content: detail, at },
  };
}

/** A full minute is a 429, too, but has no allowance in it; and words alone prove nothing. */
const isOfAccount = ({ apiErrorStatus, error, quotaLimits }: AssistantLine): boolean =>
  apiErrorStatus === 429 && error === 'rate_limit' && quotaLimits != null;

function answered({ timestamp: at, message }: AssistantLine): DecodedLine {
  const blocks = typeof message.content === 'string' ? [] : message.content;
  const toolUses = blocks.flatMap(toolUse);
  const text = textOf(message.content);
  const { id: messageId, model, usage } = message;
  const said = text !== '' || toolUses.length > 0;
  return {
    signals: [{ from: 'transcript', kind: 'activity', at, ...activity(toolUses, text) }],
    ...(said
      ? {
          entry: {
            role: 'assistant',
            content: text,
            at,
            ...(toolUses.length > 0 ? { toolUses } : {}),
            ...(messageId === undefined ? {} : { messageId }),
          },
        }
      : {}),
    ...(usage && messageId !== undefined
      ? {
          usage: {
            at,
            messageId,
            inputTokens: usage.input_tokens,
            outputTokens: usage.output_tokens,
            cacheTokens: usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
            ...(usage.cache_creation_input_tokens > 0 && { cacheWriteTokens: usage.cache_creation_input_tokens }),
          },
        }
      : {}),
    ...(model === undefined ? {} : { model }),
  };
}

function toolUse(block: ContentBlock): ToolUse[] {
  if (block.type !== 'tool_use' || typeof block.name !== 'string') return [];
  const id = typeof block.id === 'string' ? block.id : undefined;
  return [{ ...defined({ id }), name: block.name, input: JSON.stringify(block.input ?? {}) }];
}

function activity(toolUses: readonly ToolUse[], text: string) {
  const tool = toolUses[0];
  if (tool !== undefined) return { detail: `calls ${tool.name}`, calls: callsOf(toolUses) };
  return text === ''
    ? ({ detail: 'thinks', does: 'thinking' } as const)
    : ({ detail: 'answers', does: 'answering' } as const);
}
