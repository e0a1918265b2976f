// Waiting is a promise on changes; nothing here looks twice without a reason.
import type { Disposer } from '../../model/clock.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AttentionView } from '../../wire/attention.ts';
import type { WaitResult } from '../../wire/events.ts';
import type { CallContext, WaitRequest } from '../api.ts';
import { attentionFor, attentionKey } from '../attention/attention.ts';
import { idleKey, type Told } from '../attention/told.ts';
import type { CrewContext } from '../workers/roster.ts';
import { cursorOf } from './cursor.ts';

const progressEveryMs = 15_000;

export interface Waited {
  readonly idle: readonly string[];
  readonly attention: readonly AttentionView[];
  readonly timedOut: boolean;
}

/** Whether a wait is over, and with what. Pure. */
export function waitOver(
  mode: 'all' | 'any',
  now: { readonly total: number; readonly idle: number; readonly ended: number; readonly alarming: boolean },
): boolean {
  if (now.alarming) return true;
  if (mode === 'any') return now.idle > 0 || now.ended === now.total;
  return now.idle + now.ended === now.total;
}

/** Waits for the workers as a whole; what is asked is keyed by the ids as they were passed. */
export async function waitIdle(
  context: CrewContext,
  told: Told,
  request: WaitRequest,
  call: CallContext,
): Promise<WaitResult> {
  const workers = request.session_ids.map((asked) => ({ asked, record: context.roster.resolve(asked) }));
  if (workers.length === 0)
    throw new CrewError('invalid_argument', 'session_ids is empty.', 'Name at least one worker.');
  await Promise.all(workers.map(({ record }) => context.roster.following(record.id)?.drain()));
  const startedAt = context.clock.now();
  const limitMs = Math.min(request.timeoutSeconds * 1_000, call.maxWaitMs);
  const look = () => snapshot(context, told, workers, request.on_attention);
  const over = () => {
    const { idle, ended, alarming } = look();
    return waitOver(request.mode, { total: workers.length, idle: idle.length, ended: ended.length, alarming });
  };
  const timedOut = await untilOver(context, { over, limitMs, call, waitingOn: () => look().waitingOn });
  const now = look();
  told.note(now.attention);
  told.noteKeys(now.turns);
  return {
    session_ids: request.session_ids,
    idle_session_ids: now.idle,
    all_idle: now.idle.length === workers.length,
    waiting_on: now.waitingOn,
    mode: request.mode,
    waited_seconds: Math.round((context.clock.now() - startedAt) / 100) / 10,
    timed_out: timedOut,
    attention: now.attention,
    cursor: cursorOf(context.log.lastSeq),
  };
}

interface Asked {
  readonly asked: string;
  readonly record: WorkerRecord;
}

function snapshot(context: CrewContext, told: Told, workers: readonly Asked[], on: WaitRequest['on_attention']) {
  const idle: string[] = [];
  const ended: string[] = [];
  const waitingOn: string[] = [];
  const turns: string[] = [];
  const attention: AttentionView[] = [];
  for (const { asked, record: known } of workers) {
    const record = context.roster.record(known.id);
    const { status } = context.roster.view(record);
    attention.push(...attentionFor(context, record));
    const turn = context.roster.turn(known.id)?.turn;
    if (status === 'idle' && turn !== undefined) turns.push(idleKey(known.id, turn.number));
    if (status === 'idle') idle.push(asked);
    else waitingOn.push(asked);
    if (status === 'dead' || status === 'closed') ended.push(asked);
  }
  const news = on === 'any' ? attention : attention.filter((need) => !told.has(attentionKey(need)));
  return { idle, turns, ended, waitingOn, attention, alarming: on !== 'ignore' && news.length > 0 };
}

interface Until {
  readonly over: () => boolean;
  readonly limitMs: number;
  readonly call: CallContext;
  readonly waitingOn: () => readonly string[];
}

/** Resolves with whether time ran out before it was over. A cancelled call is neither: nobody reads its answer. */
function untilOver(context: CrewContext, { over, limitMs, call, waitingOn }: Until): Promise<boolean> {
  return new Promise((resolve) => {
    const stops: Disposer[] = [];
    const end = (timedOut: boolean) => {
      for (const stop of stops.splice(0)) stop();
      resolve(timedOut);
    };
    const check = () => {
      if (over()) end(false);
    };
    const tick = () => {
      call.progress(`waiting on ${waitingOn().join(', ')}`);
      stops.push(context.clock.after(progressEveryMs, tick));
    };
    const onAbort = () => end(false);
    if (over() || call.signal.aborted) return end(false);
    stops.push(context.roster.onChange(check), context.log.onEvents(check));
    stops.push(
      context.clock.after(limitMs, () => end(!over())),
      context.clock.after(progressEveryMs, tick),
    );
    call.signal.addEventListener('abort', onAbort, { once: true });
    stops.push(() => call.signal.removeEventListener('abort', onAbort));
  });
}
