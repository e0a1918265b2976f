// What the screen shows of messages, where nothing else tells.
import type { Agent, OnlyScreen } from '../../agents/agent.ts';
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { readScreen } from '../screen/screen-look.ts';
import type { Following } from '../workers/following.ts';
import type { CrewContext } from '../workers/roster.ts';
import { paneRef } from '../workers/roster.ts';
import { awaitFact } from '../workers/timing.ts';

const lookEveryMs = 100;
// What a turn had queued is back in the prompt box, or the next turn has begun, well before; a busy machine is slow.
const queueCeilingMs = 20_000;

export interface Sent {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
}

export interface Message {
  readonly id: string;
  readonly text: string;
  /** A turn was running when it was typed. */
  readonly midTurn: boolean;
  /** It is meant for the running turn, so that it may wait for a moment and no longer. */
  readonly steers: boolean;
}

/** The part of the screen in the proof of one message. */
export interface ScreenProof {
  /** Nothing but the screen can show the message. */
  readonly isAlone: boolean;
  readonly stop: Disposer;
}

/** Looks on for as long as nothing stops it and the message is awaited; the screen of before is known when this resolves. */
export async function watchScreen(sent: Sent, message: Message): Promise<ScreenProof> {
  const { onScreen } = sent.agent;
  switch (onScreen.tells) {
    case 'start':
      return { isAlone: false, stop: () => undefined };
    case 'dialogs':
      return { isAlone: false, stop: message.midTurn ? watchQueue(sent, message) : () => undefined };
    case 'turns':
      await watchTaken(sent, message, onScreen);
      return { isAlone: true, stop: () => undefined };
  }
}

async function watchTaken(
  { context, record, following }: Sent,
  message: Message,
  { taken }: OnlyScreen,
): Promise<void> {
  if (record.pane === undefined) return;
  const ref = paneRef(record.pane);
  const before = await context.terminal.capture(ref, { colours: true });
  const isAwaited = () =>
    following.state.is !== 'gone' && following.state.facts.sends.some(({ messageId }) => messageId === message.id);
  const look = async () => {
    const after = await context.terminal.capture(ref, { colours: true }).catch(() => before);
    const detail = isAwaited() ? taken({ before, after }, message.text) : undefined;
    const at = context.clock.now();
    if (detail !== undefined) following.apply({ from: 'screen', kind: 'taken', text: message.text, detail, at });
    else next();
  };
  const next = () => {
    if (isAwaited()) context.clock.after(lookEveryMs, () => void look());
  };
  next();
}

/** A message that waits for the turn's end stands on the screen and nowhere else. */
function watchQueue({ context, record, following, agent }: Sent, { text, steers }: Message): Disposer {
  const sightingsNeeded = steers ? 15 : 1;
  let sightings = 0;
  let cancel: Disposer = () => undefined;
  const next = () => {
    cancel = context.clock.after(lookEveryMs, () => void look());
  };
  const look = async () => {
    const reading = await readScreen(context, record, agent).catch(() => undefined);
    const isThere = reading?.queued?.some((shown) => beginsWith(text, shown)) ?? false;
    sightings = isThere ? sightings + 1 : 0;
    if (sightings === sightingsNeeded)
      following.apply({ from: 'screen', kind: 'queued', text, at: context.clock.now() });
    else if (!stopped) next();
  };
  let stopped = false;
  next();
  return () => {
    stopped = true;
    cancel();
  };
}

/** The screen breaks lines where it must, and shows the first of them. */
function beginsWith(text: string, shown: string): boolean {
  const letters = (words: string) => words.replace(/\s+/g, '');
  return letters(shown) !== '' && letters(text).startsWith(letters(shown));
}

/** Waits until the screen shows no queued message; whether it still shows some then. False where it never shows any. */
export async function stillShowsQueue({ context, following, agent }: Omit<Sent, 'record'>): Promise<boolean> {
  if (agent.onScreen.tells !== 'dialogs') return false;
  const isEmpty = () => (following.state.facts.queued.length === 0 ? true : undefined);
  return (await awaitFact(following, { clock: context.clock, ceilingMs: queueCeilingMs }, isEmpty)) === undefined;
}
