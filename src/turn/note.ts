// A signal changes the facts. Every source writes here; `judge` alone decides which of them to believe.
import { defined } from '../model/defined.ts';
import type {
  AgentSignal,
  HookSignal,
  OwnSignal,
  PaneSignal,
  ScreenSignal,
  Signal,
  TranscriptSignal,
} from '../model/turn.ts';
import {
  type AgentRequest,
  askedAfterTurn,
  askedSince,
  noteAnswered,
  noteAsked,
  noteDialog,
  noteHandedOver,
  stillOpen,
} from './agent-request.ts';
import { launchMessageId, loggedOut, noFacts, type TurnFacts } from './facts.ts';
import { promptTaken, queuedByAgent, queueTakenUp, unqueued, withoutMessage } from './prompts.ts';
import { noteStep } from './steps.ts';
import { after, exactReset, goingOn, type TurnClose, withEnd } from './turn-end.ts';
import { noteQuestion, questionsAfterTurn } from './worker-question.ts';

/** The facts after one more signal. Transcript lines of the time before this launch are history and change nothing. */
export function note(facts: TurnFacts, signal: Signal): TurnFacts {
  const noted = noteSource(facts, signal);
  const questions = questionsAfterTurn(noted.questions, idleSince(noted));
  return questions === noted.questions ? noted : { ...noted, questions };
}

function noteSource(facts: TurnFacts, signal: Signal): TurnFacts {
  switch (signal.from) {
    case 'pane':
      return notePane(facts, signal);
    case 'agent':
      return noteAgent(facts, signal);
    case 'hook':
      return noteHook(facts, signal);
    case 'transcript':
      return signal.at < facts.launchedAt
        ? facts
        : { ...noteTranscript(facts, signal), steps: noteStep(facts.steps, signal) };
    case 'screen':
      return noteScreen(facts, signal);
    case 'us':
      return noteOwn(facts, signal);
    case 'worker':
      return { ...facts, questions: noteQuestion(facts.questions, signal) };
  }
}

function notePane(facts: TurnFacts, signal: PaneSignal): TurnFacts {
  switch (signal.kind) {
    case 'gone':
      return { ...facts, gone: { at: signal.at, detail: signal.detail } };
    case 'unseen':
      return { ...facts, unseen: { at: facts.unseen?.at ?? signal.at, detail: signal.detail } };
    case 'seen':
      return { ...facts, unseen: undefined };
    case 'alive':
    case 'conversation':
      return facts;
  }
}

/** When the newest turn ended, by the best source that this agent has. */
function idleSince({ agent, witness }: TurnFacts): number | undefined {
  if (agent === undefined) return witness.end?.at;
  return agent.status === 'idle' ? agent.at : undefined;
}

function noteAgent(facts: TurnFacts, signal: AgentSignal): TurnFacts {
  if (signal.kind === 'absent') return { ...facts, agent: undefined };
  const { status, at, detail, waitingFor } = signal;
  // Two reads of one file may come in the wrong order.
  if (facts.agent !== undefined && at < facts.agent.at) return facts;
  // Only the state file tells when a background shell was ended by hand: no turn follows that.
  const shellsEnded = facts.agent?.status === 'background' && status === 'idle';
  const noted: TurnFacts = {
    ...shown(facts, signal),
    agent: { status, at, detail, waitingFor },
    leaving: undefined,
    background: shellsEnded ? 0 : facts.background,
  };
  if (status === 'waiting') return noted;
  return { ...noted, dialog: loggedOut(facts), asked: askedSince(facts.asked, at) };
}

/** Keeps the first source that shows the agent is there. */
const shown = (
  facts: TurnFacts,
  { at, from }: AgentSignal | HookSignal | TranscriptSignal | ScreenSignal,
): TurnFacts => (facts.readyAt === undefined ? { ...facts, readyAt: at, readyBy: from } : facts);

function noteHook(facts: TurnFacts, signal: HookSignal): TurnFacts {
  const ready = { ...shown(facts, signal), mode: signal.mode ?? facts.mode };
  switch (signal.kind) {
    case 'ready':
      return { ...ready, leaving: undefined, dialog: undefined };
    case 'prompt':
      // The hook runs when a prompt is queued, too; only the transcript tells when a queued one is taken up.
      return promptTaken(ready, signal);
    case 'permission':
      return { ...ready, asked: askedAfterTurn(noteAsked(ready.asked, signal), ready.overAt) };
    case 'unwalled':
      return facts;
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
    case 'failed': {
      const { at, error: detail, limit, resetsAt } = signal;
      const how = limit ? 'limit' : 'error';
      return ended({ ...ready, lastError: detail }, { at, how, by: 'hook', detail, ...defined({ resetsAt }) });
    }
    case 'ended':
      return signal.reason === 'clear' ? ready : { ...ready, leaving: { at: signal.at, detail: signal.reason } };
  }
}

function noteTranscript(facts: TurnFacts, signal: TranscriptSignal): TurnFacts {
  const ready: TurnFacts = { ...shown(facts, signal), trouble: undefined };
  const open = (detail: string): TurnFacts => ({ ...ready, transcript: { open: true, at: signal.at, detail } });
  switch (signal.kind) {
    case 'prompt':
      return unqueued(
        promptTaken(open(signal.origin === 'notice' ? 'a turn the agent began itself' : 'prompt'), signal),
        signal.text,
      );
    case 'enqueued':
      return queuedByAgent(ready, signal.text);
    case 'dequeued':
      return unqueued(signal.absorbed ? ready : queueTakenUp(open('queued prompt taken up'), signal.at), signal.text);
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
    // Whether a turn is open, other lines tell.
    case 'request':
      return facts;
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
  { at, how, detail, backgroundTasks, resetsAt: worded, ofAccount }: Extract<TranscriptSignal, { kind: 'ended' }>,
): TurnFacts {
  const isFailure = how === 'error' || how === 'limit';
  const resetsAt = how === 'limit' ? exactReset(worded, after(ready.spentUntil, at)) : undefined;
  const byHook = ready.witness.end?.by === 'hook';
  const closed: TurnFacts = {
    ...ready,
    transcript: { open: false, at, detail },
    // The Stop hook counts shells too, the transcript only agents.
    background: byHook || how !== 'completed' ? ready.background : backgroundTasks,
    lastError: isFailure ? detail : ready.lastError,
  };
  return ended(closed, { at, how, by: 'transcript', detail, ...defined({ resetsAt, ofAccount }) });
}

function ended(facts: TurnFacts, end: TurnClose): TurnFacts {
  const overAt = Math.max(facts.overAt, end.at);
  const witness = withEnd(facts.witness, end);
  if (witness === undefined) return { ...facts, overAt, asked: askedAfterTurn(facts.asked, overAt) };
  return { ...facts, witness, overAt, asked: facts.agent === undefined ? [] : facts.asked };
}

function noteScreen(facts: TurnFacts, signal: ScreenSignal): TurnFacts {
  const { at } = signal;
  switch (signal.kind) {
    case 'dialog':
      return { ...facts, dialog: { at, dialog: signal.dialog }, asked: noteDialog(facts.asked) };
    case 'no-dialog':
      return { ...facts, dialog: undefined };
    case 'queued':
      return queuedByAgent(facts, signal.text);
    case 'prompt':
      return promptSeen(shown(facts, signal), signal);
    case 'stirs': {
      const known = signal.isTurn === true ? shown(facts, signal) : facts;
      return { ...known, screen: { at, rests: false, detail: signal.detail } };
    }
    case 'rests': {
      const detail = 'its prompt is in sight and the screen stands still';
      return { ...shown(facts, signal), screen: { at, rests: true, detail }, dialog: undefined };
    }
    case 'taken':
      return promptTaken(typed(facts, at), signal);
  }
}

/** A request is not drawn at once, and one that a rule answers is never drawn. */
const drawnWithinMs = 1_500;
/** A queued prompt leaves the screen a moment before its turn begins. */
const takenUpWithinMs = 1_500;
/** The screen shows what keeps a turn from going on for a moment longer than it is so. */
const drawnForMs = 500;

/** The prompt in sight: no dialog is open, and what the screen does not show as still to come is not. */
function promptSeen(
  facts: TurnFacts,
  { at, queued, background, trouble }: Extract<ScreenSignal, { kind: 'prompt' }>,
): TurnFacts {
  const { asked, dialog, transcript, witness } = facts;
  // What our hook holds is not drawn.
  const isOpen = (one: AgentRequest) => one.held === true || (dialog === undefined && at <= one.at + drawnWithinMs);
  // What an interrupted turn had queued goes back into the prompt box, and no line tells.
  const isOver = transcript?.open !== true && at > (transcript?.at ?? 0) + takenUpWithinMs;
  const isOld = facts.trouble === undefined && transcript !== undefined && at < transcript.at + drawnForMs;
  const isDropped = queued === 0 && isOver && facts.queued.length > 0;
  return {
    ...facts,
    dialog: undefined,
    asked: asked.filter(isOpen),
    queued: isDropped ? [] : facts.queued,
    returned: isDropped && witness.end?.how === 'interrupted' ? facts.queued : facts.returned,
    // In a turn that runs, one that has just been left is not drawn yet.
    terminals: background === 0 && transcript?.open !== true ? [] : facts.terminals,
    trouble: isOld || trouble === undefined ? undefined : { at: facts.trouble?.at ?? at, detail: trouble },
  };
}

/** The rest that a screen showed before we typed says nothing of the time after. */
const typed = (facts: TurnFacts, at: number): TurnFacts =>
  facts.screen?.rests === true ? { ...facts, screen: { at, rests: false, detail: 'a message was typed' } } : facts;

function noteOwn(facts: TurnFacts, signal: OwnSignal): TurnFacts {
  const { at } = signal;
  switch (signal.kind) {
    case 'launched':
      return { ...noFacts(at), sends: signal.withPrompt ? [{ messageId: launchMessageId, text: '', at }] : [] };
    case 'sent': {
      const { messageId, text } = signal;
      return { ...typed(facts, at), sends: [...facts.sends, { messageId, text, at }] };
    }
    case 'parked':
      return { ...facts, parked: signal.until === undefined ? undefined : { at, until: signal.until } };
    case 'untaken':
      return { ...facts, asked: facts.asked.filter((one) => one.requestId !== signal.requestId) };
    case 'handed':
      return { ...facts, handed: [...facts.handed, { messageId: signal.messageId, at }] };
    case 'answers':
      return { ...facts, chosen: { at, option: signal.option } };
    case 'given-up':
      return withoutMessage(facts, signal.messageId);
  }
}
