// Proves that a message or a command arrived: by what the agent writes, or by its screen where nothing else shows it.

import type { OnlyScreen } from '../../agents/agent.ts';
import type { Disposer } from '../../model/clock.ts';
import type { Evidence, Signal } from '../../model/turn.ts';
import { repeat } from '../../system/pace.ts';
import { samePrompt } from '../../turn/prompts.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import { readScreen } from '../screen/screen-look.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { awaitFact } from '../workers/timing.ts';
import { turnId } from '../workers/view.ts';
import { proved, type Recipient, unconfirmed } from './sending.ts';

/** The agent takes a while to read in a long text before it can say that it has it. */
const proofCeilingMs = (text: string): number => 10_000 + text.length / 5;
// The transcript is flushed in batches; the hook is not.
const lineCeilingMs = 3_000;
// Not at once: the box is empty, too, before a slow agent has drawn the command.
const commandLooksMs = [3_000, 1_000, 2_000, 4_000];
// A message nobody has shown by then is not coming: a worker must not look busy for ever because of it.
const giveUpMs = 60_000;
const screenLookEveryMs = 100;

export interface TypedMessage {
  readonly id: string;
  readonly text: string;
  /** A turn was running when it was typed. */
  readonly midTurn: boolean;
  /** It is meant for the running turn, so that it may be queued for a moment and no longer. */
  readonly steers: boolean;
}

type Found = { readonly verdict: 'submitted' | 'queued'; readonly evidence: Evidence };

/** Listens from now on; what the agent shows while the keystrokes are still being typed counts. */
export async function messageProof(sent: Recipient, message: TypedMessage) {
  const { context, following } = sent;
  const giveUp = () =>
    following.apply({ from: 'us', kind: 'given-up', messageId: message.id, at: context.clock.now() });
  let found: Found | undefined;
  let hook: Evidence | undefined;
  const stop = following.onSignal((signal) => {
    found ??= shows(signal, message.text);
    if (signal.from !== 'hook' || signal.kind !== 'prompt' || !samePrompt(signal.text, message.text)) return;
    hook ??= { source: 'hook', at: signal.at, detail: 'UserPromptSubmit with this very text' };
    // In the middle of a turn the hook runs for a prompt that is only queued: the transcript tells which it is.
    if (!message.midTurn) found ??= { verdict: 'submitted', evidence: hook };
  });
  const screen = await watchScreen(sent, message);
  return {
    withdraw() {
      stop();
      screen.stop();
      giveUp();
    },
    async outcome(): Promise<MessageOutcome> {
      const seen = await awaitFact(
        following,
        { clock: context.clock, ceilingMs: proofCeilingMs(message.text) },
        () => found ?? hook ?? (isHopeless(following, screen) ? 'hopeless' : undefined),
      );
      if (found === undefined && seen !== undefined && seen !== 'hopeless') {
        await awaitFact(following, { clock: context.clock, ceilingMs: lineCeilingMs }, () => found);
      }
      if (found === undefined) await following.drain();
      stop();
      screen.stop();
      if (hook !== undefined) found ??= { verdict: 'queued', evidence: hook };
      if (found !== undefined) return proved(found.verdict, found.evidence, turnNow(sent, found));
      context.clock.after(giveUpMs, giveUp);
      return unconfirmed(await lastLook(sent, message.text, screen));
    },
  };
}

/** The agent is gone, or its screen, the only source, shows nothing but a dialog until somebody answers that. */
const isHopeless = ({ state }: Following, { isAlone }: ScreenProof): boolean =>
  state.is === 'gone' || (isAlone && state.is === 'waiting');

function shows(signal: Signal, text: string): Found | undefined {
  const { from: source, kind, at } = signal;
  if (source !== 'screen' && source !== 'transcript') return undefined;
  if (!('text' in signal) || !samePrompt(signal.text, text)) return undefined;
  const found = (verdict: Found['verdict'], detail: string): Found => ({ verdict, evidence: { source, at, detail } });
  switch (kind) {
    case 'taken':
      return found('submitted', signal.detail);
    case 'queued':
      return found('queued', 'it waits for the end of this turn');
    case 'prompt':
      return found('submitted', 'the prompt stands in the transcript');
    case 'enqueued':
      return found('queued', 'the agent has queued it for after this step or turn');
    default:
      return undefined;
  }
}

function turnNow({ record, following }: Recipient, found: Found): MessageOutcome['turn'] {
  const turn = following.state.turn;
  if (turn === undefined || found.verdict === 'queued') return null;
  return { id: turnId(record, turn.number) };
}

async function lastLook(
  { context, record, agent, following }: Recipient,
  text: string,
  { isAlone }: ScreenProof,
): Promise<Evidence> {
  const at = context.clock.now();
  const { is, evidence } = following.state;
  if (is === 'gone') return { ...evidence, detail: `typed; then its process was gone: ${evidence.detail}` };
  const reading = await readScreen(context, record, agent).catch(() => undefined);
  if (reading?.draft) return { source: 'screen', at, detail: 'the text still stands in the prompt box' };
  if (isAlone && reading?.dialog !== undefined) {
    return { source: 'screen', at, detail: `typed; now a dialog is open: ${reading.dialog.title}` };
  }
  const waitedSeconds = Math.round(proofCeilingMs(text) / 1000);
  return { source: 'us', at, detail: `typed; the agent showed no sign of it within ${waitedSeconds} s` };
}

/** An agent's own command leaves no prompt behind: the only proof is that the box took it, or that something moved. */
export function commandProof(sent: Recipient, messageId: string) {
  const { context, following } = sent;
  const since = context.clock.now();
  let moved: Evidence | undefined;
  const unlisten = following.onSignal((signal) => {
    // The last lines of the turn before may be read only now; they prove nothing.
    const isNoProof = signal.from === 'us' || signal.from === 'worker' || signal.from === 'screen';
    if (isNoProof || signal.at < since) return;
    moved ??= { source: signal.from, at: signal.at, detail: `${signal.from} ${signal.kind} after the command` };
  });
  const stop = () => {
    unlisten();
    following.apply({ from: 'us', kind: 'given-up', messageId, at: context.clock.now() });
  };
  return {
    withdraw: stop,
    async outcome(): Promise<MessageOutcome> {
      try {
        for (const ceilingMs of commandLooksMs) {
          const seen = await awaitFact(following, { clock: context.clock, ceilingMs }, () => moved);
          if (seen !== undefined) return proved('submitted', seen, null);
          const reading = await readScreen(context, sent.record, sent.agent).catch(() => undefined);
          const isGone = reading?.draft === '' || (reading?.draft === undefined && reading?.busy !== undefined);
          const taken = isGone || reading?.dialog !== undefined;
          const at = context.clock.now();
          // Before the command is accounted for: between the two the worker would count as idle.
          if (reading?.dialog !== undefined)
            following.apply({ from: 'screen', kind: 'dialog', dialog: reading.dialog, at });
          if (taken) return proved('submitted', { source: 'screen', at, detail: 'the prompt box took it' }, null);
        }
      } finally {
        stop();
      }
      const at = context.clock.now();
      return unconfirmed({ source: 'screen', at, detail: 'the command still stands in the prompt box' });
    },
  };
}

/** The part of the screen in the proof of one message. */
interface ScreenProof {
  /** Nothing but the screen can show the message. */
  readonly isAlone: boolean;
  readonly stop: Disposer;
}

/** Resolves when the screen before the typing is known. Looks on until it is stopped or nobody awaits the message. */
async function watchScreen(sent: Recipient, message: TypedMessage): Promise<ScreenProof> {
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

async function watchTaken({ context, record, following }: Recipient, message: TypedMessage, { taken }: OnlyScreen) {
  if (record.pane === undefined) return;
  const ref = paneRef(record.pane);
  const capture = () => context.terminal.capture(ref, { colours: true });
  const before = await capture();
  const isAwaited = () =>
    following.state.is !== 'gone' && following.state.facts.sends.some(({ messageId }) => messageId === message.id);
  const stop = lookAgain(context, async () => {
    const after = await capture().catch(() => before);
    const detail = isAwaited() ? taken({ before, after }, message.text) : undefined;
    const at = context.clock.now();
    if (detail !== undefined) following.apply({ from: 'screen', kind: 'taken', text: message.text, detail, at });
    if (detail !== undefined || !isAwaited()) stop();
  });
}

/** The agent writes nowhere that a message waits for the end of the turn; only its screen shows it. */
function watchQueue({ context, record, following, agent }: Recipient, { text, steers }: TypedMessage): Disposer {
  const sightingsNeeded = steers ? 15 : 1;
  let sightings = 0;
  const stop = lookAgain(context, async () => {
    const reading = await readScreen(context, record, agent).catch(() => undefined);
    const isThere = reading?.queued?.some((shown) => beginsWith(text, shown)) ?? false;
    sightings = isThere ? sightings + 1 : 0;
    if (sightings < sightingsNeeded) return;
    stop();
    following.apply({ from: 'screen', kind: 'queued', text, at: context.clock.now() });
  });
  return stop;
}

const lookAgain = ({ clock, logger }: CrewContext, look: () => Promise<void>): Disposer => {
  const onTrouble = (error: unknown) => logger.write('warn', 'the screen of a worker could not be looked at', error);
  return repeat({ clock, delayMs: screenLookEveryMs, onTrouble }, look);
};

/** The screen shows only the first line of a text, and breaks it where it must. */
function beginsWith(text: string, shown: string): boolean {
  const letters = (words: string) => words.replace(/\s+/g, '');
  return letters(shown) !== '' && letters(text).startsWith(letters(shown));
}
