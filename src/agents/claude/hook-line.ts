// What the hooks of this launch were told.
import { z } from 'zod';
import type { HookSignal } from '../../model/turn.ts';
import { ruledSignal } from '../ruling-line.ts';
import { readSignalLine, type SignalLine } from '../signal-line.ts';
import { isLimit, resetOf } from './limit.ts';
import { kindOf } from './permission-hook.ts';

const started = z.looseObject({
  session_id: z.string(),
  source: z.string().catch('unknown'),
  transcript_path: z.string().optional().catch(undefined),
});
const prompted = z.looseObject({ prompt: z.string() });
const asked = z.looseObject({
  tool_name: z.string(),
  tool_input: z.unknown().optional(),
  agent_id: z.string().optional().catch(undefined),
});
const stopped = z.looseObject({
  background_tasks: z.array(z.looseObject({ status: z.string().optional().catch(undefined) })).catch([]),
  last_assistant_message: z.string().optional().catch(undefined),
});
const failed = z.looseObject({
  error: z.string().catch('unknown'),
  last_assistant_message: z.string().optional().catch(undefined),
});
const ended = z.looseObject({ reason: z.string().catch('other') });

export function decodeHook(line: string): readonly HookSignal[] {
  const read = readSignalLine(line);
  if (read === undefined) return [];
  const signal = signalOf(read);
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
      if (data === undefined) return undefined;
      const { tool_name: tool, tool_input: input, agent_id } = data;
      return ruledSignal(
        line,
        { from: 'hook', kind: 'permission', at, waitingFor: kindOf(tool), tool, input },
        agent_id === undefined ? {} : { besides: true },
      );
    }
    case 'Stop':
      return stoppedSignal(at, stopped.safeParse(payload).data);
    case 'StopFailure':
      return failedSignal(at, failed.safeParse(payload).data);
    case 'SessionEnd':
      return { from: 'hook', kind: 'ended', at, reason: ended.safeParse(payload).data?.reason ?? 'other' };
    default:
      return undefined;
  }
}

function readySignal(at: number, told: z.infer<typeof started> | undefined): HookSignal | undefined {
  // After a compaction the same conversation goes on, perhaps in the middle of a turn.
  if (told === undefined || told.source === 'compact') return undefined;
  return {
    from: 'hook',
    kind: 'ready',
    at,
    reason: told.source,
    agentSessionId: told.session_id,
    ...(told.transcript_path === undefined ? {} : { transcriptPath: told.transcript_path }),
  };
}

const over = new Set(['completed', 'failed', 'killed', 'stopped', 'cancelled']);

function stoppedSignal(at: number, told: z.infer<typeof stopped> | undefined): HookSignal | undefined {
  if (told === undefined) return undefined;
  const backgroundTasks = told.background_tasks.filter((task) => !over.has(task.status ?? 'running')).length;
  const lastText = told.last_assistant_message;
  return { from: 'hook', kind: 'stopped', at, backgroundTasks, ...(lastText === undefined ? {} : { lastText }) };
}

function failedSignal(at: number, told: z.infer<typeof failed> | undefined): HookSignal | undefined {
  if (told === undefined) return undefined;
  const error = told.last_assistant_message ?? told.error;
  const failure = { at, kind: told.error, text: error };
  const limit = isLimit(failure);
  return { from: 'hook', kind: 'failed', at, error, limit, ...(limit ? resetOf(failure) : {}) };
}
