// Lines of the signal file: which hook ran, with what payload, and what crewmux made of a request.
import { z } from 'zod';
import { defined } from '../model/defined.ts';
import { parseJson } from '../model/json.ts';
import type { HookSignal } from '../model/turn.ts';
import { unwalledEvent } from './bwrap.ts';

const signalLine = z.object({
  at: z.number(),
  payload: z.looseObject({ hook_event_name: z.string() }),
  /** The decision of our hook program, where the agent ran it. */
  ruling: z.unknown().optional(),
});

export type SignalLine = z.output<typeof signalLine>;

const started = z.looseObject({
  session_id: z.string(),
  source: z.string().catch('unknown'),
  transcript_path: z.string().nullish().catch(undefined),
});
const prompted = z.looseObject({ prompt: z.string() });
const asked = z.looseObject({
  tool_name: z.string(),
  tool_input: z.unknown().optional(),
  agent_id: z.string().optional().catch(undefined),
});
const ended = z.looseObject({ reason: z.string().catch('other') });

type Asked = Extract<HookSignal, { kind: 'permission' }>;

/** The part of a hook's signals in which the agents differ. */
export interface HookWords {
  waitingFor(tool: string): Asked['waitingFor'];
  /** A held request hides the agent's dialog, or belongs to a subagent beside the conversation. */
  placeOf(request: { readonly isSubagent: boolean }): Pick<Asked, 'hidden' | 'besides'>;
  /** The permission mode, by crewmux's word, where the payload tells that of the conversation. */
  modeOf?(payload: SignalLine['payload']): string | undefined;
  /** Events that no other agent has. */
  own?(line: SignalLine): HookSignal | undefined;
}

/** Never throws; anything but a known line of a signal file yields no signal. */
export function hookSignals(text: string, words: HookWords): readonly HookSignal[] {
  const { data: line } = signalLine.safeParse(parseJson(text));
  const signal = line && (signalOf(line, words) ?? words.own?.(line));
  if (line === undefined || signal === undefined) return [];
  // What was parked ends with the payload that it began with.
  const isOld = signal.kind === 'answered' || signal.kind === 'handed-over';
  return [isOld ? signal : { ...signal, ...defined({ mode: words.modeOf?.(line.payload) }) }];
}

function signalOf(line: SignalLine, { waitingFor, placeOf }: HookWords): HookSignal | undefined {
  const { at, payload } = line;
  switch (payload.hook_event_name) {
    case 'SessionStart':
      return readySignal(at, started.safeParse(payload).data);
    case 'UserPromptSubmit': {
      const { data } = prompted.safeParse(payload);
      return data && { from: 'hook', kind: 'prompt', at, text: data.prompt };
    }
    case 'PreToolUse':
    case 'PermissionRequest': {
      const { data } = asked.safeParse(payload);
      if (data === undefined) return undefined;
      const { tool_name: tool, tool_input: input, agent_id } = data;
      const request: Asked = { from: 'hook', kind: 'permission', at, waitingFor: waitingFor(tool), tool, input };
      return ruledSignal(line, request, placeOf({ isSubagent: agent_id !== undefined }));
    }
    case unwalledEvent:
      return { from: 'hook', kind: 'unwalled', at, reason: ended.safeParse(payload).data?.reason ?? 'other' };
    case 'SessionEnd':
      return { from: 'hook', kind: 'ended', at, reason: ended.safeParse(payload).data?.reason ?? 'other' };
    default:
      return undefined;
  }
}

function readySignal(at: number, start: z.infer<typeof started> | undefined): HookSignal | undefined {
  // After a compaction the same conversation goes on, perhaps in the middle of a turn.
  if (start === undefined || start.source === 'compact') return undefined;
  const { session_id: agentSessionId, source: reason, transcript_path } = start;
  const transcriptPath = transcript_path || undefined;
  return { from: 'hook', kind: 'ready', at, reason, agentSessionId, ...defined({ transcriptPath }) };
}

const ruling = z.discriminatedUnion('decision', [
  z.looseObject({ decision: z.enum(['allowed', 'denied']) }),
  z.looseObject({
    decision: z.literal('parked'),
    request_id: z.string(),
    rule: z.string().optional(),
    suggestions: z.array(z.unknown()).optional(),
    person_only: z.boolean().optional(),
  }),
  z.looseObject({ decision: z.literal('shown'), rule: z.string().optional(), person_only: z.boolean().optional() }),
  z.looseObject({
    decision: z.literal('answered'),
    request_id: z.string(),
    by: z.string(),
    answer: z.string(),
    mode: z.string().optional(),
  }),
  z.looseObject({ decision: z.literal('handed-over'), request_id: z.string() }),
]);

/** A request as the agent made it, with the decision of our program; without a decision it stays as it is. */
function ruledSignal(line: SignalLine, request: Asked, place: Pick<Asked, 'hidden' | 'besides'>): HookSignal {
  const { data } = ruling.safeParse(line.ruling);
  if (data === undefined) return request;
  const { from, at } = request;
  switch (data.decision) {
    case 'allowed':
    case 'denied':
      return { from, kind: 'ruled', at, tool: request.tool, decision: data.decision === 'allowed' ? 'allow' : 'deny' };
    case 'shown':
      return { ...request, ...reasonOf(data) };
    case 'parked': {
      const { request_id: requestId, suggestions } = data;
      return { ...request, requestId, ...place, ...reasonOf(data), ...defined({ suggestions }) };
    }
    case 'answered': {
      const { request_id: requestId, by, answer: decision, mode } = data;
      return { from, kind: 'answered', at, requestId, by, decision, ...defined({ mode }) };
    }
    case 'handed-over':
      return { from, kind: 'handed-over', at, requestId: data.request_id };
  }
}

const reasonOf = ({
  rule,
  person_only,
}: {
  readonly rule?: string | undefined;
  readonly person_only?: boolean | undefined;
}) => defined({ rule, personOnly: person_only === true ? (true as const) : undefined });
