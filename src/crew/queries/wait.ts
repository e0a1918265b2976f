// Waits until workers are idle or need somebody; looks only at changes.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { digestOf } from '../../system/digest.ts';
import { repeat } from '../../system/pace.ts';
import { type AttentionView, attentionKey } from '../../wire/attention.ts';
import type { WaitResult } from '../../wire/events.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import { type AlreadyShown, idleKey } from '../attention/already-shown.ts';
import { attentionOrStuck, isStuckNeed } from '../attention/stuck.ts';
import type { MessageOrder } from '../messages/sending.ts';
import type { Run } from '../orders.ts';
import { keptWords, type Words } from '../workers/conversation.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { awaitFact, type Signals } from '../workers/timing.ts';
import { cursorOf } from './changes.ts';
import { pagesBefore } from './logs.ts';

export interface WaitOrder {
  readonly workers: readonly string[];
  readonly mode: 'all' | 'any';
  readonly timeoutMs: number;
  /** Whether a worker that needs somebody ends the wait: only news, anything, or nothing does. */
  readonly onAttention: 'new' | 'any' | 'ignore';
  /** Sent just before, so that the answer tells what was said to it. */
  readonly message?: Pick<MessageOrder, 'text' | 'asCommand'>;
}

/** The answer of a wait, the newest turn of each worker, and what those that are idle said to the order's message. */
export interface WaitOutcome extends WaitResult {
  readonly turns: Readonly<Record<string, MessageOutcome['turn']>>;
  readonly replies: Readonly<Record<string, Said>>;
  /** What has become of the message where it was kept and is typed. */
  readonly typed: Readonly<Record<string, MessageOutcome>>;
}

type Said = Required<Pick<MessageOutcome, 'reply'>> & Pick<MessageOutcome, 'truncated' | 'hint'>;

const progressEveryMs = 15_000;
/** Of all that is told of one wait, whatever the number of workers. */
const longestTold = 24_000;

/** Whether a wait is over, and with what. Pure. */
export function waitOver(
  mode: 'all' | 'any',
  now: { readonly total: number; readonly idle: number; readonly ended: number; readonly alarming: boolean },
): boolean {
  if (now.alarming) return true;
  if (mode === 'any') return now.idle > 0 || now.ended === now.total;
  return now.idle + now.ended === now.total;
}

interface WaitSources {
  readonly alreadyShown: AlreadyShown;
  /** Of the workers and of the log unless given. */
  readonly changes?: Signals;
}

/** Waits for the workers as a whole; the answer names each as the order did. */
export async function waitIdle(
  context: CrewContext,
  { alreadyShown, changes = changesIn(context) }: WaitSources,
  order: WaitOrder,
  run: Run,
): Promise<WaitOutcome> {
  const workers = order.workers.map((asked) => ({ asked, record: context.roster.resolve(asked) }));
  if (workers.length === 0)
    throw new CrewError('invalid_argument', 'session_ids is empty.', 'Name at least one worker.');
  const drain = () => Promise.all(workers.map(({ record }) => context.roster.following(record.id)?.drain()));
  await drain();
  const startedAt = context.clock.now();
  const look = () => snapshot(context, alreadyShown, workers, order.onAttention);
  const over = () => {
    const { idle, ended, alarming } = look();
    return waitOver(order.mode, { total: workers.length, idle: idle.length, ended: ended.length, alarming });
  };
  const progress = { clock: context.clock, delayMs: progressEveryMs, onTrouble: () => undefined };
  const stopProgress = repeat(progress, async () => run.tell(`waiting on ${look().waitingOn.join(', ')}`));
  let isOver: boolean | undefined;
  do {
    const ceilingMs = Math.max(0, startedAt + order.timeoutMs - context.clock.now());
    const options = { clock: context.clock, ceilingMs, abort: run.signal };
    isOver = await awaitFact(changes, options, () => over() || undefined);
    // The log may tell that another server has typed a message before its prompt is read here.
    await drain();
  } while (isOver === true && !run.signal.aborted && !over());
  stopProgress();
  // Nobody reads the answer of a cancelled run.
  const timedOut = isOver === undefined && !run.signal.aborted && !over();
  const now = look();
  const idle = workers.filter(({ asked }) => now.idle.includes(asked));
  const said = saidBy(context, idle, order.message);
  alreadyShown.note(now.attention);
  alreadyShown.noteKeys(now.turns);
  return {
    session_ids: order.workers,
    idle_session_ids: now.idle,
    all_idle: now.idle.length === workers.length,
    waiting_on: now.waitingOn,
    mode: order.mode,
    waited_seconds: Math.round((context.clock.now() - startedAt) / 100) / 10,
    timed_out: timedOut,
    ...lastWords(said.last),
    attention: now.attention,
    cursor: cursorOf(context.log.lastSeq),
    replies: said.replies,
    typed: said.typed,
    turns: Object.fromEntries(workers.map(({ asked, record }) => [asked, lastTurn(context, record)])),
  };
}

const lastWords = (last: WaitOutcome['replies']): Pick<WaitResult, 'last_words' | 'truncated' | 'note'> => ({
  ...(Object.keys(last).length > 0 && {
    last_words: Object.fromEntries(Object.entries(last).map(([asked, { reply }]) => [asked, reply])),
  }),
  ...(Object.values(last).some(({ truncated }) => truncated) && {
    truncated: true,
    note: Object.values(last)
      .flatMap(({ hint }) => hint ?? [])
      .join(' '),
  }),
});

/** The last words of each, and those to the message. */
function saidBy(context: CrewContext, workers: readonly Asked[], message: WaitOrder['message']) {
  const followed = workers.flatMap(({ asked, record }) => {
    const following = context.roster.following(record.id);
    return following === undefined ? [] : [{ asked, record, following }];
  });
  const addressed = followed.flatMap(({ asked, record, following }) => {
    const plan = message && context.agents.of(record).planDelivery(message);
    return plan && 'expect' in plan ? [{ asked, following, digest: digestOf(plan.expect) }] : [];
  });
  const typed = addressed.flatMap(({ asked, following, digest }) => {
    const outcome = following.outcomeOf(digest);
    return outcome === undefined ? [] : [[asked, outcome] as const];
  });
  return {
    last: told(followed.map(({ asked, following }) => [asked, following.conversation.lastWords])),
    replies: told(addressed.map(({ asked, following, digest }) => [asked, following.replyTo(digest)])),
    typed: Object.fromEntries(typed),
  };
}

/** As much of each as all of them leave room for. Pure. */
export function told(said: readonly (readonly [string, Words | undefined])[]): WaitOutcome['replies'] {
  const room = Math.min(keptWords, Math.floor(longestTold / Math.max(1, said.length)));
  return Object.fromEntries(
    said.flatMap(([asked, words]) => {
      if (words === undefined) return [];
      const reply = words.text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
      if (words.length <= reply.length) return [[asked, { reply }]];
      return [[asked, { reply, truncated: true, hint: `The words of ${asked} are cut: ${readsOn(asked, words)}.` }]];
    }),
  );
}

/** The call that shows those words in full. Pure. */
function readsOn(asked: string, { after = 0 }: Words): string {
  const offset = pagesBefore(after);
  return `read_worker_logs ${JSON.stringify({ session_id: asked, ...(offset > 0 && { offset }), format: 'full' })}`;
}

function lastTurn(context: CrewContext, { id }: WorkerRecord): WaitOutcome['turns'][string] {
  const { turn } = context.roster.view(context.roster.record(id));
  return turn === undefined ? null : { id: turn.id, ...defined({ ended_by: turn.ended_by }) };
}

export const changesIn = ({ roster, log }: CrewContext): Signals => ({
  onSignal(listen) {
    const stops = [roster.onChange(({ signal }) => listen(signal)), log.onEvents(() => listen())];
    return () => {
      for (const stop of stops) stop();
    };
  },
});

interface Asked {
  readonly asked: string;
  readonly record: WorkerRecord;
}

function snapshot(
  context: CrewContext,
  alreadyShown: AlreadyShown,
  workers: readonly Asked[],
  on: WaitOrder['onAttention'],
) {
  const idle: string[] = [];
  const ended: string[] = [];
  const waitingOn: string[] = [];
  const turns: string[] = [];
  const attention: AttentionView[] = [];
  for (const { asked, record: known } of workers) {
    const record = context.roster.record(known.id);
    const { status, is_idle: isIdle } = context.roster.view(record);
    attention.push(...attentionOrStuck(context, record));
    const turn = context.roster.turn(known.id)?.turn;
    if (isIdle && turn !== undefined) turns.push(idleKey(known.id, turn.number));
    if (isIdle) idle.push(asked);
    else waitingOn.push(asked);
    const isOver = status === 'dead' || status === 'closed';
    if (isOver && !context.roster.returning.has(known.id)) ended.push(asked);
  }
  const isShown = (need: AttentionView) => alreadyShown.has(attentionKey(need));
  return { idle, turns, ended, waitingOn, attention, alarming: isAlarming(attention, on, isShown) };
}

/** Whether a need ends the wait. Pure. */
export function isAlarming(
  attention: readonly AttentionView[],
  on: WaitOrder['onAttention'],
  isShown: (need: AttentionView) => boolean,
): boolean {
  if (on === 'ignore') return false;
  return on === 'any' ? attention.length > 0 : attention.some((need) => !isStuckNeed(need) && !isShown(need));
}
