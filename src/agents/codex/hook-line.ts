// What the hooks of this launch were told.
import { z } from 'zod';
import type { HookSignal } from '../../model/turn.ts';
import { ruledSignal } from '../ruling-line.ts';
import { readSignalLine, type SignalLine } from '../signal-line.ts';

const started = z.looseObject({
  session_id: z.string(),
  source: z.string().catch('unknown'),
  transcript_path: z.string().nullish().catch(undefined),
});
const prompted = z.looseObject({ prompt: z.string() });
const asked = z.looseObject({ tool_name: z.string(), tool_input: z.unknown().optional() });
const ended = z.looseObject({ reason: z.string().catch('other') });

export function decodeHook(line: string): readonly HookSignal[] {
  const read = readSignalLine(line);
  const signal = read && signalOf(read);
  return signal === undefined ? [] : [signal];
}

function signalOf(line: SignalLine): HookSignal | undefined {
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
      const { tool_name: tool, tool_input: input } = data ?? {};
      if (tool === undefined) return undefined;
      return ruledSignal(
        line,
        { from: 'hook', kind: 'permission', at, waitingFor: 'permission', tool, input },
        { hidden: true },
      );
    }
    case 'SessionEnd':
      return { from: 'hook', kind: 'ended', at, reason: ended.safeParse(payload).data?.reason ?? 'other' };
    default:
      return undefined;
  }
}

/** It runs when the conversation's first prompt is sent, and names the conversation and its file. */
function readySignal(at: number, told: z.infer<typeof started> | undefined): HookSignal | undefined {
  // After a compaction the same conversation goes on, perhaps in the middle of a turn.
  if (told === undefined || told.source === 'compact') return undefined;
  const { session_id: agentSessionId, source: reason, transcript_path: transcriptPath } = told;
  return { from: 'hook', kind: 'ready', at, reason, agentSessionId, ...(transcriptPath ? { transcriptPath } : {}) };
}
