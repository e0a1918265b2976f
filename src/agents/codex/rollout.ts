// Rollout lines: what each one says of the conversation.

import { defined, unlessEmpty } from '../../model/defined.ts';
import { parseJson } from '../../model/json.ts';
import { resetTimeIn } from '../../model/reset-time.ts';
import type { LimitUse, Tokens } from '../../model/usage.ts';
import type { DecodedLine, ToolUse } from '../agent.ts';
import { sandboxBroke, sandboxFailure } from '../sandbox-failure.ts';
import { callsOf, failureLine } from '../tool-line.ts';
import { decodeItem } from './rollout-items.ts';
import {
  type AllowanceWindow,
  type AnyLine,
  anyLine,
  sessionMeta,
  type TokenCounts,
  taskComplete,
  tokenCount,
  toolCall,
  toolOutput,
  turnAborted,
  turnContext,
  usageRecord,
} from './rollout-line.ts';

const nothing: DecodedLine = { signals: [] };

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));
const silentTypes = words('world_state compacted inter_agent_communication');
const silentEvents = words(`
  thread_settings_applied thread_rolled_back context_compacted entered_review_mode exited_review_mode
  thread_goal_updated thread_name_updated item_started
`);
const silentItems = words('message additional_tools compaction ghost_snapshot image_generation_call');
const calls = words('function_call custom_tool_call tool_search_call local_shell_call web_search_call');
const outputs = words('function_call_output custom_tool_call_output tool_search_output');

export function decodeLine(line: string): DecodedLine {
  const value = parseJson(line);
  const { data } = anyLine.safeParse(value);
  if (data === undefined) return { signals: [], unknown: value === undefined ? 'no JSON' : 'no type' };
  const { type, payload } = data;
  return decodeKnown(data) ?? { signals: [], unknown: payload.type === undefined ? type : `${type}/${payload.type}` };
}

function decodeKnown({ type, timestamp: at, payload }: AnyLine): DecodedLine | undefined {
  switch (type) {
    case 'event_msg':
      return decodeEvent(at, payload);
    case 'response_item':
      return decodeResponse(at, payload);
    case 'session_meta': {
      const { data } = sessionMeta.safeParse(payload);
      return data?.forked_from_id ? { signals: [], forkedFrom: data.forked_from_id } : nothing;
    }
    case 'turn_context': {
      const { data } = turnContext.safeParse(payload);
      return data === undefined ? nothing : { signals: [], model: data.model };
    }
    case 'token_usage_record':
      return decodeUsage(at, payload);
    default:
      return silentTypes.has(type) ? nothing : undefined;
  }
}

function decodeEvent(at: number, payload: AnyLine['payload']): DecodedLine | undefined {
  switch (payload.type) {
    case 'task_started':
      return { signals: [{ from: 'transcript', kind: 'activity', at, detail: 'turn started' }] };
    case 'task_complete':
      return completed(at, payload);
    case 'turn_aborted': {
      const detail = `turn aborted: ${turnAborted.safeParse(payload).data?.reason ?? 'unknown'}`;
      return {
        signals: [{ from: 'transcript', kind: 'ended', how: 'interrupted', backgroundTasks: 0, at, detail }],
      };
    }
    case 'token_count':
      return allowance(at, payload);
    case 'item_completed':
      return decodeItem(at, payload);
    default:
      return silentEvents.has(payload.type ?? '') ? nothing : undefined;
  }
}

function completed(at: number, payload: unknown): DecodedLine {
  const error = taskComplete.safeParse(payload).data?.error;
  const end = { from: 'transcript', kind: 'ended', backgroundTasks: 0, at } as const;
  if (!error) return { signals: [{ ...end, how: 'completed', detail: 'turn completed' }] };
  const { message: detail } = error;
  const { codex_error_info: info } = error;
  const ofAccount = info === 'usage_limit_exceeded' || undefined;
  const how = isLimit(info) ? { ...limitOf(detail, at), ...defined({ ofAccount }) } : ({ how: 'error' } as const);
  return {
    signals: [{ ...end, ...how, detail }],
    entry: { role: 'assistant', content: detail, at },
  };
}

/** A spent allowance needs time or a person; any other failure another try. */
const isLimit = (info: unknown): boolean => info === 'usage_limit_exceeded' || info === 'rate_limit_exceeded';

/** Its words give the time by the clock of the machine it runs on. */
function limitOf(text: string, at: number): { readonly how: 'limit'; readonly resetsAt?: number } {
  return { how: 'limit', ...defined({ resetsAt: resetTimeIn(text, { at }) }) };
}

/** The count comes before the end of the turn that found the allowance spent. */
function allowance(at: number, payload: unknown): DecodedLine {
  const { info, rate_limits: limits } = tokenCount.safeParse(payload).data ?? {};
  const windows = [limits?.primary, limits?.secondary].flatMap((window) => window ?? []);
  const spent = windows.flatMap(({ used_percent: used, resets_at: resetsAt }) =>
    used >= 100 && resetsAt !== undefined ? [resetsAt * 1_000] : [],
  );
  const left = info ? 1 - info.last_token_usage.total_tokens / info.model_context_window : undefined;
  return {
    signals: spent.length === 0 ? [] : [{ from: 'transcript', kind: 'allowance', at, spentUntil: Math.max(...spent) }],
    ...defined({
      contextLeft: left === undefined ? undefined : Math.max(0, Number(left.toFixed(3))),
      limits: unlessEmpty(windows.flatMap(limitUse)),
    }),
  };
}

function limitUse(window: AllowanceWindow): LimitUse[] {
  const { used_percent: used, window_minutes: minutes, resets_at: resetsAt } = window;
  if (minutes === undefined || resetsAt === undefined) return [];
  const name = minutes % 1_440 === 0 ? `${minutes / 1_440}d` : `${Math.round(minutes / 60)}h`;
  return [{ window: name, used: Math.min(1, used / 100), resetsAt: resetsAt * 1_000 }];
}

/** The model goes on; a call beside it may still wait for its permission, so nothing here answers one. */
function decodeResponse(at: number, payload: AnyLine['payload']): DecodedLine | undefined {
  const type = payload.type ?? '';
  const beside = { from: 'transcript', kind: 'activity', answers: false, at } as const;
  if (calls.has(type)) {
    const use = toolUse(payload);
    const entry = { role: 'assistant', content: '', at, toolUses: [use] } as const;
    return { signals: [{ ...beside, detail: `calls ${use.name}`, calls: callsOf([use]) }], entry };
  }
  if (type === 'reasoning') return { signals: [{ ...beside, detail: 'thinks', does: 'thinking' }] };
  if (!outputs.has(type)) return silentItems.has(type) ? nothing : undefined;
  const { output = '', call_id: callId } = toolOutput.safeParse(payload).data ?? {};
  const text = typeof output === 'string' ? output : output.flatMap((part) => part.text ?? []).join('\n');
  const id = leftRunning(text);
  const failed = failureOf(text);
  const kept = defined({ keptIn: sandboxFailure(failed), sandboxBroke: sandboxBroke(failed) });
  return {
    signals: [
      { ...beside, detail: 'tool result', ...kept, ...(callId !== undefined && { answered: [callId] }) },
      ...(id === undefined ? [] : [{ from: 'transcript', kind: 'background', id, runs: true, at } as const]),
    ],
    ...(callId === undefined
      ? {}
      : { toolResults: [{ id: callId, output: text, ...defined({ failure: failureIn(text) }) }] }),
  };
}

/** A call that has no name of its own goes by its kind, `web_search` or `local_shell`. */
function toolUse(payload: AnyLine['payload']): ToolUse {
  const { data } = toolCall.safeParse(payload);
  const name = data?.name ?? (payload.type ?? 'a tool').replace(/_call$/, '');
  const server = data?.namespace?.replace(/^mcp__/, '');
  const input = data?.arguments ?? data?.input ?? data?.action ?? '';
  return {
    ...defined({ id: data?.call_id }),
    name: server === undefined ? name : `${server}.${name}`,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  };
}

/** The output of a command that failed. */
const failureOf = (text: string): string => (/^(?:.*\n){0,3}Process exited with code [1-9]/.test(text) ? text : '');

const complaint =
  /^(?:aborted by user|(?:apply_patch verification|exec_command|write_stdin) failed|patch rejected|failed to parse function arguments|unsupported call|(?:MCP )?tool call error|execution error)\b/;

/** Undefined for what went well. */
function failureIn(text: string): string | undefined {
  const [head, exit] =
    /^(?:(?!Output:).*\n){0,3}(?:Process exited with code|Exit code:) (-?\d+)(?:\n(?:.*\n)*?Output:(?=\n|$)|\n|$)/.exec(
      text,
    ) ?? [];
  if (head !== undefined) return exit === '0' ? undefined : failureLine(text.slice(head.length), exit);
  const said = text.replace(/^Wall time: .*\n/, '');
  return complaint.test(said) ? failureLine(said) : undefined;
}

/** The head of a result that came before its command ended. */
const leftRunning = (text: string): string | undefined =>
  /^(?:Chunk ID: .*\n)?Wall time: .*\nProcess running with session ID (\d+)$/m.exec(text)?.[1];

function decodeUsage(at: number, payload: unknown): DecodedLine | undefined {
  const { data } = usageRecord.safeParse(payload);
  if (data === undefined) return undefined;
  const { response_id: messageId, usage, thread_token_usage: total } = data;
  return { signals: [], usage: { at, messageId, ...tokensOf(usage), ...defined({ total: total && tokensOf(total) }) } };
}

/** Codex counts the cache as input, too, and its reasoning as output. */
export function tokensOf(counts: TokenCounts): Tokens {
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: outputTokens } = counts;
  const { cache_write_input_tokens: written } = counts;
  return {
    inputTokens: Math.max(0, input - cached - written),
    outputTokens,
    cacheTokens: cached + written,
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}
