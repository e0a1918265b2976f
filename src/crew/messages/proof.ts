import { newNonce } from '../../model/ids.ts';
import type { Evidence, Signal } from '../../model/turn.ts';
import { samePrompt } from '../../turn/prompts.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import { readScreen } from '../screen/screen-look.ts';
import type { Following } from '../workers/following.ts';
import { awaitFact } from '../workers/timing.ts';
import { turnId } from '../workers/view.ts';
import { proved, unconfirmed } from './outcome.ts';
import { type Message, type ScreenProof, type Sent, watchScreen } from './screen-proof.ts';

/** The agent takes a while to read in a long text before it can say that it has it. */
const proofCeilingMs = (text: string): number => 10_000 + text.length / 5;
// The transcript is flushed in batches; the hook is not.
const lineCeilingMs = 3_000;
// Not at once: the box is empty, too, before a slow agent has drawn the command.
const commandLooksMs = [3_000, 1_000, 2_000, 4_000];
// A message nobody has shown by then is not coming: a worker must not look busy for ever because of it.
const giveUpMs = 60_000;

type Found = { readonly verdict: 'submitted' | 'queued'; readonly evidence: Evidence };

/** Listens from now on; what the agent shows while the keystrokes are still being typed counts. */
export async function messageProof(sent: Sent, message: Message) {
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

/** The one who could show it is gone, or shows nothing but a dialog until somebody answers that. */
const isHopeless = ({ state }: Following, { isAlone }: ScreenProof): boolean =>
  state.is === 'gone' || (isAlone && state.is === 'waiting');

function shows(signal: Signal, text: string): Found | undefined {
  const { at } = signal;
  if (signal.from === 'screen' && signal.kind === 'taken' && samePrompt(signal.text, text)) {
    return { verdict: 'submitted', evidence: { source: 'screen', at, detail: signal.detail } };
  }
  if (signal.from === 'screen' && signal.kind === 'queued' && samePrompt(signal.text, text)) {
    return { verdict: 'queued', evidence: { source: 'screen', at, detail: 'it waits for the end of this turn' } };
  }
  if (signal.from !== 'transcript') return undefined;
  if (signal.kind === 'prompt' && samePrompt(signal.text, text)) {
    return {
      verdict: 'submitted',
      evidence: { source: 'transcript', at, detail: 'the prompt stands in the transcript' },
    };
  }
  if (signal.kind === 'enqueued' && samePrompt(signal.text, text)) {
    return {
      verdict: 'queued',
      evidence: { source: 'transcript', at, detail: 'the agent has queued it for after this step or turn' },
    };
  }
  return undefined;
}

function turnNow({ record, following }: Sent, found: Found): MessageOutcome['turn'] {
  const turn = following.state.turn;
  if (turn === undefined || found.verdict === 'queued') return null;
  return { id: turnId(record, turn.number) };
}

async function lastLook(
  { context, record, agent, following }: Sent,
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

/** A command of the agent's own leaves no prompt behind: that the box took it, and something moved, is all there is. */
export function commandProof(sent: Sent) {
  const { context, following } = sent;
  const messageId = newNonce();
  const since = context.clock.now();
  let moved: Evidence | undefined;
  const unlisten = following.onSignal((signal) => {
    // The last lines of the turn before may be read only now; they prove nothing.
    const isTold = signal.from === 'us' || signal.from === 'worker' || signal.from === 'screen';
    if (isTold || signal.at < since) return;
    moved ??= { source: signal.from, at: signal.at, detail: `${signal.from} ${signal.kind} after the command` };
  });
  // Until the agent shows what it makes of the command the worker is not idle.
  following.apply({ from: 'us', kind: 'sent', messageId, text: '', at: context.clock.now() });
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
          // Said before the command is accounted for: between the two the worker would be called idle.
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
