// System and queue lines: how turns end, and what becomes of prompts that came meanwhile.
import { defined } from '../../model/defined.ts';
import type { Signal } from '../../model/turn.ts';
import type { DecodedLine } from '../agent.ts';
import { stopMarkerStart } from './settings.ts';
import type { QueueLine, SystemLine } from './transcript-line.ts';
import { continuation, localCommand } from './transcript-user.ts';

const nothing: DecodedLine = { signals: [] };

const silentSubtypes = new Set(
  `api_error api_metrics away_summary bridge_status compact_boundary informational memory_saved microcompact_boundary
  permission_retry scheduled_task_fire thinking`.split(/\s+/),
);

export function decodeSystem(line: SystemLine): DecodedLine | undefined {
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

export function decodeQueue({ operation, timestamp: at, content: text }: QueueLine): DecodedLine | undefined {
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
