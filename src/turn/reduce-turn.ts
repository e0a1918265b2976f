// The heart: what the facts, weighed by who says them, mean for the caller.

import type { Dialog, Evidence, Signal, TurnEnd, WaitingFor } from '../model/turn.ts';
import { heldOf, openOf, type PermissionAsked } from './asked.ts';
import { isQueuePaused, launchMessageId } from './awaited.ts';
import { type Limit, limitOf } from './limit.ts';
import { noteQuestion, type OwnQuestion, questionLine, released, waitingQuestion } from './own-question.ts';
import { loggedOut } from './screen-facts.ts';
import type { TurnWitness } from './turn-end.ts';
import { backgroundTasks, noFacts, noteSignal, type TurnFacts } from './turn-facts.ts';

export interface Turn {
  /** Counts the turns of this launch, from 1. */
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Undefined while it runs, and after its end for as long as nobody has said how it ended. */
  readonly endedBy: TurnEnd | undefined;
}

export interface TurnState {
  readonly is: 'starting' | 'idle' | 'working' | 'waiting' | 'gone';
  readonly since: number;
  readonly evidence: Evidence;
  /** Set while waiting. */
  readonly waitingFor: WaitingFor | undefined;
  /** What it waits for somebody to answer, oldest first; none where only a dialog is known. */
  readonly requests: readonly PermissionAsked[];
  readonly dialog: Dialog | undefined;
  /** Set while it waits for a limit to be over. */
  readonly limit: Limit | undefined;
  /** What it has asked its manager and nobody has answered, oldest first. */
  readonly questions: readonly OwnQuestion[];
  readonly turn: Turn | undefined;
  readonly lastActivityAt: number;
  readonly facts: TurnFacts;
}

type Verdict = Pick<TurnState, 'is' | 'evidence'> & { readonly waitingFor?: WaitingFor };

export function initialTurn(at: number): TurnState {
  return {
    is: 'starting',
    since: at,
    evidence: { source: 'us', at, detail: 'launched' },
    waitingFor: undefined,
    requests: [],
    dialog: undefined,
    limit: undefined,
    questions: [],
    turn: undefined,
    lastActivityAt: at,
    facts: noFacts(at),
  };
}

/** The state after one more signal. Pure and total: no signal is an error, and none makes an unknown idle. */
export function reduceTurn(state: TurnState, signal: Signal): TurnState {
  const facts = signal.from === 'worker' ? state.facts : noteSignal(state.facts, signal);
  const questions = released(noteQuestion(state.questions, signal), facts);
  const verdict = asking(judge(facts), questions);
  const changed = verdict.is !== state.is || verdict.waitingFor !== state.waitingFor;
  return {
    is: verdict.is,
    since: changed ? verdict.evidence.at : state.since,
    evidence: verdict.evidence,
    waitingFor: verdict.waitingFor,
    requests: verdict.is === 'waiting' ? openOf(facts.asked) : [],
    dialog: verdict.is === 'waiting' ? facts.dialog?.dialog : undefined,
    limit: verdict.waitingFor === 'limit' ? limitOf(facts) : undefined,
    questions,
    turn: turnOf(state, { facts, verdict, signal }),
    lastActivityAt: isActivity(signal) ? Math.max(state.lastActivityAt, signal.at) : state.lastActivityAt,
    facts,
  };
}

const isActivity = (signal: Signal): boolean =>
  signal.from === 'hook' ||
  signal.from === 'worker' ||
  signal.from === 'transcript' ||
  (signal.from === 'agent' && signal.kind === 'state') ||
  (signal.from === 'screen' && (signal.kind === 'stirs' || signal.kind === 'taken'));

/** A worker at work whose own tool waits for an answer waits. */
function asking(verdict: Verdict, questions: readonly OwnQuestion[]): Verdict {
  const question = verdict.is === 'working' ? waitingQuestion(questions) : undefined;
  if (question === undefined) return verdict;
  const detail = `asks its manager: ${questionLine(question.text)}`;
  return { is: 'waiting', waitingFor: 'question', evidence: { source: 'us', at: question.at, detail } };
}

/** Weighs the facts, strongest source first. */
function judge(facts: TurnFacts): Verdict {
  if (facts.gone !== undefined) return { is: 'gone', evidence: { source: 'pane', ...facts.gone } };
  const { agent, leaving } = facts;
  if (leaving !== undefined && agent === undefined) {
    return { is: 'gone', evidence: { source: 'hook', at: leaving.at, detail: `the agent ended: ${leaving.detail}` } };
  }
  if (agent !== undefined) return judgeByAgent(facts, agent);
  if (facts.readyAt === undefined) return judgeStarting(facts);
  if (facts.screen !== undefined) return judgeByScreen(facts, facts.screen);
  return judgeByTranscript(facts);
}

function judgeStarting(facts: TurnFacts): Verdict {
  const { dialog, screen } = facts;
  if (dialog !== undefined) return waitingByScreen(dialog);
  if (screen !== undefined) return { is: 'starting', evidence: byScreen(screen) };
  return { is: 'starting', evidence: { source: 'us', at: facts.launchedAt, detail: 'launched, not heard of yet' } };
}

const byScreen = ({ at, detail }: NonNullable<TurnFacts['screen']>): Evidence => ({ source: 'screen', at, detail });

/** Where only the screen tells, anything but rest since the last prompt counts as work. */
function judgeByScreen(facts: TurnFacts, screen: NonNullable<TurnFacts['screen']>): Verdict {
  if (facts.dialog !== undefined) return waitingByScreen(facts.dialog);
  return unfinished(facts) ?? { is: screen.rests ? 'idle' : 'working', evidence: byScreen(screen) };
}

function waitingByScreen({ at, dialog }: NonNullable<TurnFacts['dialog']>): Verdict {
  return { is: 'waiting', waitingFor: dialog.waitingFor, evidence: { source: 'screen', at, detail: dialog.title } };
}

const waitingByHook = ({ at, tool, waitingFor }: PermissionAsked): Verdict => ({
  is: 'waiting',
  waitingFor,
  evidence: { source: 'hook', at, detail: `asks for ${tool}` },
});

function judgeByAgent(facts: TurnFacts, agent: NonNullable<TurnFacts['agent']>): Verdict {
  const evidence: Evidence = { source: 'agent', at: agent.at, detail: agent.detail };
  if (agent.status !== 'waiting') {
    // The hook holds the agent: it says so before the agent does.
    const held = heldOf(facts.asked)[0];
    if (held !== undefined) return waitingByHook(held);
  }
  switch (agent.status) {
    case 'waiting':
      return { is: 'waiting', waitingFor: whatFor(facts, agent.waitingFor), evidence };
    case 'busy':
    case 'unknown':
    case 'background':
      return { is: 'working', evidence };
    case 'idle':
      return unfinished(facts) ?? overByAgent(facts, evidence);
  }
}

/** The hook knows what is asked; the state file may say no more than that something is. */
function whatFor(facts: TurnFacts, told: WaitingFor | undefined): WaitingFor {
  if (told !== undefined && told !== 'permission' && told !== 'dialog') return told;
  return openOf(facts.asked)[0]?.waitingFor ?? facts.dialog?.dialog.waitingFor ?? told ?? 'dialog';
}

/** The agent's "idle" counts for the prompts it had when it said so. */
function overByAgent(facts: TurnFacts, evidence: Evidence): Verdict {
  const { promptAt: at } = facts.witness;
  if (at !== undefined && evidence.at <= at && !isReadable(facts, at)) {
    return { is: 'working', evidence: { source: 'hook', at, detail: 'a prompt later than the last idle' } };
  }
  const login = loggedOut(facts);
  if (login !== undefined) return waitingByScreen(login);
  return limited(facts) ?? { is: 'idle', evidence };
}

/** How the turn of that prompt ended, in the transcript itself: a hook tells of the end before the last line is there. */
function isReadable({ witness: { end }, transcript }: TurnFacts, promptAt: number): boolean {
  if (end === undefined) return false;
  return end.by !== 'hook' || (transcript !== undefined && !transcript.open && transcript.at >= promptAt);
}

function judgeByTranscript(facts: TurnFacts): Verdict {
  const { transcript, asked, witness } = facts;
  if (facts.dialog !== undefined) return waitingByScreen(facts.dialog);
  const request = openOf(asked)[0];
  if (request !== undefined) return waitingByHook(request);
  const open = troubled(facts) ?? unfinished(facts);
  if (open !== undefined) return open;
  if (transcript === undefined) {
    if (witness.promptAt === undefined) return { is: 'idle', evidence: readyEvidence(facts) };
    return { is: 'working', evidence: { source: 'hook', at: witness.promptAt, detail: 'prompt taken' } };
  }
  const evidence: Evidence = { source: 'transcript', at: transcript.at, detail: transcript.detail };
  const newerPrompt = witness.promptAt !== undefined && witness.promptAt > transcript.at;
  if (transcript.open || newerPrompt) return { is: 'working', evidence };
  return limited(facts) ?? { is: 'idle', evidence: { ...evidence, detail: evidence.detail + pausedWords(facts) } };
}

const pausedWords = (facts: TurnFacts): string =>
  isQueuePaused(facts) ? `; ${facts.handed.length} messages in the agent's own queue wait for the next turn's end` : '';

/** The transcript is silent then, and its last word is no news. */
const troubled = ({ transcript, trouble }: TurnFacts): Verdict | undefined =>
  trouble && transcript?.open ? { is: 'working', evidence: { source: 'screen', ...trouble } } : undefined;

const readyEvidence = (facts: TurnFacts): Evidence => ({
  source: facts.readyBy ?? 'hook',
  at: facts.readyAt ?? facts.launchedAt,
  detail: 'started, nothing asked yet',
});

/** Work that is still to come, whatever an "idle" says. */
function unfinished(facts: TurnFacts): Verdict | undefined {
  const send = facts.sends.at(-1);
  if (send !== undefined) {
    const detail =
      send.messageId === launchMessageId ? 'first prompt not taken up yet' : 'our message is not proved yet';
    return { is: 'working', evidence: { source: 'us', at: send.at, detail } };
  }
  const at = facts.witness.end?.at ?? facts.witness.promptAt ?? facts.launchedAt;
  if (facts.queued.length > 0) {
    return { is: 'working', evidence: { source: 'transcript', at, detail: `${facts.queued.length} prompts queued` } };
  }
  const handed = isQueuePaused(facts) ? undefined : facts.handed.at(-1);
  if (handed !== undefined) {
    const detail = `${facts.handed.length} messages in the agent's own queue`;
    return { is: 'working', evidence: { source: 'us', at: handed.at, detail } };
  }
  const background = backgroundTasks(facts);
  if (background > 0) {
    const source = facts.witness.end?.by ?? 'hook';
    return { is: 'working', evidence: { source, at, detail: `${background} background tasks still running` } };
  }
  return undefined;
}

function limited({ witness: { end } }: TurnFacts): Verdict | undefined {
  if (end?.how !== 'limit') return undefined;
  return { is: 'waiting', waitingFor: 'limit', evidence: { source: end.by, at: end.at, detail: end.detail } };
}

function turnOf(before: TurnState, now: { facts: TurnFacts; verdict: Verdict; signal: Signal }): Turn | undefined {
  const { witness } = now.facts;
  if (now.signal.from === 'us' && now.signal.kind === 'launched') return undefined;
  const last = before.turn;
  const promptAt = witness.promptAt;
  const fresh = promptAt !== undefined && promptAt !== before.facts.witness.promptAt && beginsTurn(before, witness);
  const turn = fresh ? begin(last, promptAt) : last;
  if (turn === undefined) return undefined;
  const over = now.verdict.is === 'idle' || now.verdict.is === 'gone' || now.verdict.waitingFor === 'limit';
  if (!over) return turn.endedAt === undefined ? turn : { ...turn, endedAt: undefined, endedBy: undefined };
  return closeTurn(turn, now);
}

/** A prompt while a turn runs joins that turn, also where its word comes when the turn's later end is known already. */
function beginsTurn(before: TurnState, { promptAt = 0, end }: TurnWitness): boolean {
  if (before.turn === undefined) return true;
  if (end !== undefined && end.at > promptAt) return false;
  return before.turn.endedAt !== undefined || before.facts.witness.end !== undefined;
}

const begin = (last: Turn | undefined, startedAt: number): Turn => ({
  number: (last?.number ?? 0) + 1,
  startedAt,
  endedAt: undefined,
  endedBy: undefined,
});

function closeTurn(turn: Turn, { facts, verdict }: { facts: TurnFacts; verdict: Verdict }): Turn {
  const { end } = facts.witness;
  if (end !== undefined) return { ...turn, endedAt: end.at, endedBy: end.how };
  // A screen at rest does not tell how the turn came to its end.
  if (facts.screen !== undefined && verdict.is !== 'gone')
    return { ...turn, endedAt: turn.endedAt ?? verdict.evidence.at };
  // At the prompt again, and neither a Stop hook nor the transcript told of an end: that is how an early Esc looks.
  const endedBy = verdict.is === 'gone' ? 'error' : 'interrupted';
  return { ...turn, endedAt: turn.endedAt ?? verdict.evidence.at, endedBy: turn.endedBy ?? endedBy };
}
