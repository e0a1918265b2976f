// Transcript lines: what each one says of the conversation; how turns end, and what becomes of queued prompts.

import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { parseJson } from '../../model/json.ts';
import type { Signal } from '../../model/turn.ts';
import type { Agent, DecodedLine } from '../agent.ts';
import { stopMarkerStart } from './settings.ts';
import { decodeAssistant } from './transcript-assistant.ts';
import {
  anyLine,
  costLine,
  type QueueLine,
  queuedCommandLine,
  queueLine,
  type RequestLine,
  requestLine,
  type SystemLine,
  systemLine,
  textOf,
} from './transcript-line.ts';
import { continuation, decodeUser, localCommand } from './transcript-user.ts';

const nothing: DecodedLine = { signals: [] };

/** The others are asked for titles, suggestions and subagents. */
const conversation = 'repl_main_thread';

/** Kinds of line that say nothing about a turn. */
const silent = new Set(
  `agent-color agent-name agent-setting ai-title api-request-blob api-request-shape atis-latch custom-title
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

/** What a line of a subagent's file has used; the turn is not the worker's. */
function decodeSubagentLine(line: string): Pick<DecodedLine, 'usage' | 'model'> {
  if (!line.startsWith('{') || !line.includes('"usage"')) return {};
  const { usage, model } = decodeAssistant(parseJson(line)) ?? {};
  return defined({ usage, model });
}

export const subagents: NonNullable<Agent['subagents']> = {
  dirOf: (transcriptPath) => join(transcriptPath.replace(/\.jsonl$/, ''), 'subagents'),
  decodeLine: decodeSubagentLine,
};

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
    case 'api-request': {
      const { data } = requestLine.safeParse(value);
      return data === undefined || data.querySource !== conversation ? nothing : request(data);
    }
    case 'cost-state': {
      const { data } = costLine.safeParse(value);
      return data && { signals: [], ...(!data.hasUnknownModelCost && { costUsd: data.totalCostUSD }) };
    }
    default:
      return silent.has(type) ? nothing : undefined;
  }
}

/** Each try has a line, and the digest of what it sends. */
const request = ({ timestamp: at, requestDigest: id }: RequestLine): DecodedLine => ({
  signals: [{ from: 'transcript', kind: 'request', at, id }],
});

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

const silentSubtypes = new Set(
  `api_error api_metrics away_summary bridge_status compact_boundary informational memory_saved microcompact_boundary
  permission_retry scheduled_task_fire thinking`.split(/\s+/),
);

function decodeSystem(line: SystemLine): DecodedLine | undefined {
  const at = line.timestamp;
  switch (line.subtype) {
    case 'turn_duration': {
      const backgroundTasks = (line.pendingBackgroundAgentCount ?? 0) + (line.pendingWorkflowCount ?? 0);
      const detail = 'turn ended';
      return { signals: [{ from: 'transcript', kind: 'ended', how: 'completed', backgroundTasks, at, detail }] };
    }
    case 'stop_hook_summary': {
      const ours = line.hookInfos.some(({ command }) => command.includes(stopMarkerStart));
      return ours ? { signals: [{ from: 'transcript', kind: 'stop-marker', goesOn: goesOn(line), at }] } : nothing;
    }
    case 'local_command':
      return continuation(at, line.content ?? '') ?? localCommand(at, line.content ?? '') ?? nothing;
    case 'informational':
      return continuation(at, line.content ?? '') ?? nothing;
    default:
      return silentSubtypes.has(line.subtype) ? nothing : undefined;
  }
}

/** A hook's objection or added words send the model back to work; a hook that merely failed does not. */
function goesOn(line: SystemLine): boolean {
  if (line.preventedContinuation) return false;
  const objections = line.hookErrors.length - line.failedHookErrorIndexes.length;
  return objections > 0 || line.hookAdditionalContext.length > 0;
}

function decodeQueue({ operation, timestamp: at, content: text }: QueueLine): DecodedLine | undefined {
  const one = (signal: Signal): DecodedLine => ({ signals: [signal] });
  switch (operation) {
    case 'enqueue':
      return one({ from: 'transcript', kind: 'enqueued', text: text ?? '', at });
    case 'dequeue':
      return one({ from: 'transcript', kind: 'dequeued', absorbed: false, at, ...defined({ text }) });
    // `popAll` hands queued prompts back to the person who wants to edit them; no turn comes of it.
    case 'remove':
    case 'popAll':
      return one({ from: 'transcript', kind: 'dequeued', absorbed: true, at, ...defined({ text }) });
    default:
      return undefined;
  }
}
