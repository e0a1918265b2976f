// Transcript lines: what each one says of the conversation.

import { parseJson } from '../../model/json.ts';
import type { DecodedLine } from '../agent.ts';
import { decodeAssistant } from './transcript-assistant.ts';
import { anyLine, costLine, queuedCommandLine, queueLine, systemLine, textOf } from './transcript-line.ts';
import { decodeQueue, decodeSystem } from './transcript-turns.ts';
import { decodeUser } from './transcript-user.ts';

const nothing: DecodedLine = { signals: [] };

/** Kinds of line that say nothing about a turn. */
const silent = new Set(
  `agent-color agent-name agent-setting ai-title api-request api-request-blob api-request-shape atis-latch custom-title
  file-history-delta file-history-snapshot last-prompt mode permission-mode pr-link progress relocated summary tag
  task-summary tools-used worktree-state`.split(/\s+/),
);

/** A line longer than this is looked at before it is parsed: the big ones carry what the model was sent. */
const longLine = 8_192;
const silentStart =
  /^\{(?:"type":"api-request|(?:"[a-zA-Z]+":(?:"[^"]{0,80}"|null|true|false),){0,8}"attachment":\{"type":"(?!queued_command))/;

export function decodeLine(line: string): DecodedLine {
  if (line.length > longLine && silentStart.test(line)) return nothing;
  const value = parseJson(line);
  const any = anyLine.safeParse(value);
  if (!any.success) return { signals: [], unknown: value === undefined ? 'no JSON' : 'no type' };
  // Subagents write files of their own; older versions mixed their lines in.
  if (any.data.isSidechain === true) return nothing;
  return decodeKnown(any.data.type, value) ?? { signals: [], unknown: any.data.type };
}

function decodeKnown(type: string, value: unknown): DecodedLine | undefined {
  switch (type) {
    case 'user':
      return decodeUser(value);
    case 'assistant':
      return decodeAssistant(value);
    case 'system': {
      const { data } = systemLine.safeParse(value);
      return data && decodeSystem(data);
    }
    case 'queue-operation': {
      const { data } = queueLine.safeParse(value);
      return data && decodeQueue(data);
    }
    case 'attachment':
      return decodeAttachment(value);
    case 'cost-state': {
      const { data } = costLine.safeParse(value);
      return data && { signals: [], costUsd: data.totalCostUSD };
    }
    default:
      return silent.has(type) ? nothing : undefined;
  }
}

/** Of all attachments only a prompt taken into the running turn belongs to the conversation. */
function decodeAttachment(value: unknown): DecodedLine {
  const { data } = queuedCommandLine.safeParse(value);
  if (data === undefined) return nothing;
  const { attachment, timestamp: at } = data;
  const typed = (attachment.commandMode ?? 'prompt') === 'prompt' && (attachment.origin?.kind ?? 'human') === 'human';
  return {
    signals: [{ from: 'transcript', kind: 'activity', at, detail: 'took a queued prompt into the turn' }],
    ...(typed ? { entry: { role: 'user', content: textOf(attachment.prompt), at } } : {}),
  };
}
