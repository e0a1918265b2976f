// What each source last said about a conversation, kept apart so that it can be weighed.

import type {
  AgentSignal,
  Dialog,
  EvidenceSource,
  HookSignal,
  ScreenSignal,
  TranscriptSignal,
  TurnSignal,
  WaitingFor,
} from '../model/turn.ts';
import {
  askedAfterTurn,
  askedSince,
  noteAnswered,
  noteAsked,
  noteDialog,
  noteHandedOver,
  type PermissionAsked,
  stillOpen,
} from './asked.ts';
import { launchMessageId, unqueued, withoutFirst, withoutMessage } from './awaited.ts';
import { shown } from './first-shown.ts';
import { loggedOut, notePromptSeen, noteRests, noteStirs, stirred } from './screen-facts.ts';
import { after, afterPrompt, exactReset, goingOn, type TurnClose, type TurnWitness, withEnd } from './turn-end.ts';

export interface TurnFacts {
  readonly launchedAt: number;
  readonly gone: Said | undefined;
  /** The agent has shown itself: a hook, its state file or its transcript. */
  readonly readyAt: number | undefined;
  readonly readyBy: EvidenceSource | undefined;
  /** It said goodbye; it may still show itself again under a wrapper. */
  readonly leaving: Said | undefined;
  readonly agent: (Said & { readonly status: AgentStatus; readonly waitingFor: WaitingFor | undefined }) | undefined;
  readonly witness: TurnWitness;
  /** The newest end of any turn. */
  readonly overAt: number;
  /** Where the transcript alone would say the turn stands. */
  readonly transcript: (Said & { readonly open: boolean }) | undefined;
  readonly background: number;
  /** Ids of programs left running, where the transcript tells of each by itself. */
  readonly terminals: readonly string[];
  /** Requests that nothing has answered yet, oldest first. */
  readonly asked: readonly PermissionAsked[];
  readonly dialog: { readonly at: number; readonly dialog: Dialog } | undefined;
  /** What the screen says of an agent of which nothing else tells; undefined for any other. */
  readonly screen: (Said & { readonly rests: boolean }) | undefined;
  /** Our sends that nothing has proved yet. */
  readonly sends: readonly { readonly messageId: string; readonly text: string; readonly at: number }[];
  /** Prompts the agent has queued and not yet taken up. */
  readonly queued: readonly string[];
  /** What an interrupted turn had queued and gave back; nobody will run it. */
  readonly returned: readonly string[];
  /** Messages in a queue of the agent's own that only it can see. */
  readonly handed: readonly { readonly messageId: string; readonly at: number }[];
  readonly lastError: string | undefined;
  /** The first failure in the way of a command that its sandbox keeps in. */
  readonly keptIn: string | undefined;
  /** Until when the agent counts its allowance as spent, epoch ms. */
  readonly spentUntil: number | undefined;
  /** The newest choice of ours in a dialog on its screen. */
  readonly chosen: { readonly at: number; readonly option: string } | undefined;
  /** What keeps the running turn from going on, for as long as the screen shows it and nothing else is heard. */
  readonly trouble: Said | undefined;
}

interface Said {
  readonly at: number;
  readonly detail: string;
}

type AgentStatus = Extract<AgentSignal, { kind: 'state' }>['status'];

export const noFacts = (at: number): TurnFacts => ({
  launchedAt: at,
  gone: undefined,
  readyAt: undefined,
  readyBy: undefined,
  leaving: undefined,
  agent: undefined,
  witness: { promptAt: undefined, end: undefined },
  transcript: undefined,
  background: 0,
  terminals: [],
  asked: [],
  dialog: undefined,
  screen: undefined,
  sends: [],
  queued: [],
  returned: [],
  handed: [],
  lastError: undefined,
  keptIn: undefined,
  spentUntil: undefined,
  overAt: 0,
  chosen: undefined,
  trouble: undefined,
});

/** What goes on behind the turns, whoever tells of it. */
export const backgroundTasks = (facts: TurnFacts): number => facts.background + facts.terminals.length;

/** Records one signal. Signals of the time before this launch are history and change nothing. */
export function noteSignal(facts: TurnFacts, signal: TurnSignal): TurnFacts {
  switch (signal.from) {
    case 'pane':
      return signal.kind === 'gone' ? { ...facts, gone: { at: signal.at, detail: signal.detail } } : facts;
    case 'agent':
      return noteAgent(facts, signal);
    case 'hook':
      return noteHook(facts, signal);
    case 'transcript':
      return signal.at < facts.launchedAt ? facts : noteTranscript(facts, signal);
    case 'screen':
      return noteScreen(facts, signal);
    case 'us':
      return noteOwn(facts, signal);
  }
}

function noteOwn(facts: TurnFacts, signal: Extract<TurnSignal, { from: 'us' }>): TurnFacts {
  switch (signal.kind) {
    case 'launched': {
      const sends = signal.withPrompt ? [{ messageId: launchMessageId, text: '', at: signal.at }] : [];
      return { ...noFacts(signal.at), sends };
    }
    case 'sent':
      return {
        ...stirred(facts, signal.at),
        sends: [...facts.sends, { messageId: signal.messageId, text: signal.text, at: signal.at }],
      };
    case 'untaken':
      return { ...facts, asked: facts.asked.filter((one) => one.requestId !== signal.requestId) };
    case 'handed':
      return { ...facts, handed: [...facts.handed, { messageId: signal.messageId, at: signal.at }] };
    case 'answers':
      return { ...facts, chosen: { at: signal.at, option: signal.option } };
    case 'given-up':
      return withoutMessage(facts, signal.messageId);
  }
}

function noteAgent(facts: TurnFacts, signal: AgentSignal): TurnFacts {
  if (signal.kind === 'absent') return { ...facts, agent: undefined };
  const { status, at, detail, waitingFor } = signal;
  // Two reads of one file may come in the wrong order.
  if (facts.agent !== undefined && at < facts.agent.at) return facts;
  // Only the state file tells when a background shell was ended by hand: no turn follows that.
  const shellsEnded = facts.agent?.status === 'background' && status === 'idle';
  const noted: TurnFacts = {
    ...facts,
    agent: { status, at, detail, waitingFor },
    ...shown(facts, signal),
    leaving: undefined,
    background: shellsEnded ? 0 : facts.background,
  };
  if (status === 'waiting') return noted;
  return { ...noted, dialog: loggedOut(facts), asked: askedSince(facts.asked, at) };
}

function noteHook(facts: TurnFacts, signal: HookSignal): TurnFacts {
  const ready = { ...facts, ...shown(facts, signal) };
  switch (signal.kind) {
    case 'ready':
      return { ...ready, leaving: undefined, dialog: undefined };
    case 'prompt':
      // The hook runs when a prompt is queued, too; only the transcript tells when a queued one is taken up.
      return promptTaken(ready, signal);
    case 'permission':
      return { ...ready, asked: askedAfterTurn(noteAsked(ready.asked, signal), ready.overAt) };
    case 'ruled':
      return ready;
    case 'answered':
      return { ...ready, asked: noteAnswered(ready.asked, signal) };
    case 'handed-over':
      return { ...ready, asked: noteHandedOver(ready.asked, signal) };
    case 'stopped':
      return ended(
        { ...ready, background: signal.backgroundTasks },
        { at: signal.at, how: 'completed', by: 'hook', detail: 'Stop hook' },
      );
    case 'failed':
      return ended(
        { ...ready, lastError: signal.error },
        {
          at: signal.at,
          how: signal.limit ? 'limit' : 'error',
          by: 'hook',
          detail: signal.error,
          ...(signal.resetsAt === undefined ? {} : { resetsAt: signal.resetsAt }),
        },
      );
    case 'ended':
      return signal.reason === 'clear' ? ready : { ...ready, leaving: { at: signal.at, detail: signal.reason } };
  }
}

function noteTranscript(facts: TurnFacts, signal: TranscriptSignal): TurnFacts {
  const ready = { ...facts, ...shown(facts, signal), trouble: undefined };
  const open = (detail: string) => ({ ...ready, transcript: { open: true, at: signal.at, detail } });
  switch (signal.kind) {
    case 'prompt':
      return unqueued(
        promptTaken(open(signal.origin === 'notice' ? 'a turn the agent began itself' : 'prompt'), signal),
        signal.text,
      );
    case 'enqueued':
      return { ...ready, sends: withoutFirst(ready.sends, signal.text), queued: [...ready.queued, signal.text] };
    case 'dequeued':
      return unqueued(signal.absorbed ? ready : takenUp(open('queued prompt taken up'), signal.at), signal.text);
    case 'activity': {
      const answers = signal.answers !== false;
      const keptIn = ready.keptIn ?? signal.keptIn;
      return { ...open(signal.detail), keptIn, asked: answers ? stillOpen(ready, signal.at) : ready.asked };
    }
    case 'background': {
      const others = ready.terminals.filter((id) => id !== signal.id);
      return { ...ready, terminals: signal.runs ? [...others, signal.id] : others };
    }
    case 'ended':
      return transcriptEnded(ready, signal);
    case 'allowance':
      return { ...facts, spentUntil: signal.spentUntil };
    case 'goes-on-later':
      return { ...ready, witness: goingOn(ready.witness, signal.isSo) };
    case 'stop-marker':
      return signal.goesOn || facts.transcript === undefined
        ? ready
        : { ...ready, transcript: { open: false, at: signal.at, detail: 'stop-hook marker' } };
  }
}

function transcriptEnded(
  ready: TurnFacts,
  { at, how, detail, backgroundTasks, resetsAt: told }: Extract<TranscriptSignal, { kind: 'ended' }>,
): TurnFacts {
  const isFailure = how === 'error' || how === 'limit';
  const resetsAt = how === 'limit' ? exactReset(told, after(ready.spentUntil, at)) : undefined;
  const byHook = ready.witness.end?.by === 'hook';
  const closed = {
    ...ready,
    transcript: { open: false, at, detail },
    // The Stop hook counts shells too, the transcript only agents.
    background: byHook || how !== 'completed' ? ready.background : backgroundTasks,
    ...(isFailure ? { lastError: detail } : {}),
  };
  return ended(closed, { at, how, by: 'transcript', detail, ...(resetsAt === undefined ? {} : { resetsAt }) });
}

function noteScreen(facts: TurnFacts, signal: ScreenSignal): TurnFacts {
  switch (signal.kind) {
    case 'dialog':
      return {
        ...facts,
        dialog: { at: signal.at, dialog: signal.dialog },
        asked: noteDialog(facts.asked),
      };
    case 'no-dialog':
      return { ...facts, dialog: undefined };
    case 'queued':
      return { ...facts, sends: withoutFirst(facts.sends, signal.text), queued: [...facts.queued, signal.text] };
    case 'prompt':
      return notePromptSeen({ ...facts, ...shown(facts, signal) }, signal);
    case 'stirs':
      return noteStirs(facts, signal);
    case 'rests':
      return noteRests(facts, signal);
    case 'taken':
      return promptTaken(stirred(facts, signal.at), signal);
  }
}

/** The agent has said idle between the turns; that idle is over, though the prompt's own line comes later. */
const takenUp = (facts: TurnFacts, at: number): TurnFacts =>
  at > (facts.witness.promptAt ?? 0) ? { ...facts, witness: afterPrompt(facts.witness, at) } : facts;

function promptTaken(facts: TurnFacts, prompt: { at: number; text: string }): TurnFacts {
  const known = facts.witness.promptAt;
  // The hook and the transcript both tell of one prompt; the later word does not open a second turn.
  const fresh = known === undefined || prompt.at > known;
  // The prompt's line may be read after the dialog of its own turn has opened.
  const isNewer = (asked: { readonly at: number } | undefined) => asked !== undefined && asked.at > prompt.at;
  return {
    ...facts,
    asked: stillOpen(facts, prompt.at),
    dialog: isNewer(facts.dialog) ? facts.dialog : undefined,
    sends: withoutFirst(facts.sends, prompt.text),
    returned: [],
    witness: fresh ? afterPrompt(facts.witness, prompt.at) : facts.witness,
  };
}

function ended(facts: TurnFacts, end: TurnClose): TurnFacts {
  const overAt = Math.max(facts.overAt, end.at);
  const witness = withEnd(facts.witness, end);
  if (witness === undefined) return { ...facts, overAt, asked: askedAfterTurn(facts.asked, overAt) };
  return { ...facts, witness, overAt, asked: facts.agent === undefined ? [] : facts.asked };
}
