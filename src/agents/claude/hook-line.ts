// The signals of Claude Code's hooks.
import { z } from 'zod';
import { defined } from '../../model/defined.ts';
import { wordOf } from '../../model/json.ts';
import type { HookSignal } from '../../model/turn.ts';
import { hookSignals, type SignalLine } from '../hook-line.ts';
import { currentMode } from '../permission-mode.ts';
import { isLimit, resetOf } from './limit.ts';
import { kindOf } from './permission-hook.ts';

const stopped = z.looseObject({
  background_tasks: z.array(z.looseObject({ status: z.string().optional().catch(undefined) })).catch([]),
  last_assistant_message: z.string().optional().catch(undefined),
});
const failed = z.looseObject({
  error: z.string().catch('unknown'),
  last_assistant_message: z.string().optional().catch(undefined),
});

export const decodeHook = (line: string): readonly HookSignal[] =>
  hookSignals(line, {
    waitingFor: kindOf,
    placeOf: ({ isSubagent }) => (isSubagent ? { besides: true } : {}),
    own: turnEnd,
    modeOf,
  });

/** An agent behind the conversation may have a mode of its own. */
function modeOf({ permission_mode, agent_id }: SignalLine['payload']): string | undefined {
  const mode = agent_id === undefined ? wordOf(permission_mode) : undefined;
  return mode === undefined ? undefined : currentMode(mode);
}

function turnEnd({ at, payload }: SignalLine): HookSignal | undefined {
  switch (payload.hook_event_name) {
    case 'Stop':
      return stoppedSignal(at, stopped.safeParse(payload).data);
    case 'StopFailure':
      return failedSignal(at, failed.safeParse(payload).data);
    default:
      return undefined;
  }
}

const over = new Set(['completed', 'failed', 'killed', 'stopped', 'cancelled']);

function stoppedSignal(at: number, stop: z.infer<typeof stopped> | undefined): HookSignal | undefined {
  if (stop === undefined) return undefined;
  const backgroundTasks = stop.background_tasks.filter((task) => !over.has(task.status ?? 'running')).length;
  return { from: 'hook', kind: 'stopped', at, backgroundTasks, ...defined({ lastText: stop.last_assistant_message }) };
}

function failedSignal(at: number, stop: z.infer<typeof failed> | undefined): HookSignal | undefined {
  if (stop === undefined) return undefined;
  const error = stop.last_assistant_message ?? stop.error;
  const failure = { at, kind: stop.error, text: error };
  const limit = isLimit(failure);
  return { from: 'hook', kind: 'failed', at, error, limit, ...(limit ? resetOf(failure) : {}) };
}
