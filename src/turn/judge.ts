// What the facts mean: the strongest source that says anything decides what the worker does.

import { defined } from '../model/defined.ts';
import { counted } from '../model/plural.ts';
import { resetTimeIn } from '../model/reset-time.ts';
import type { Dialog, Evidence, WaitingFor } from '../model/turn.ts';
import { type AgentRequest, heldOf, openOf } from './agent-request.ts';
import { backgroundTasks, isQueuePaused, launchMessageId, loggedOut, type TurnFacts } from './facts.ts';
import { questionLine, type WorkerQuestion, waitingQuestion } from './worker-question.ts';

/** A usage limit that a worker has run into. */
export interface Limit {
  /** The agent's own words. */
  readonly detail: string;
  /** Epoch ms; undefined where nothing names a time. */
  readonly resetsAt?: number;
  /** The agent has said that it goes on by itself then. */
  readonly goesOn?: true;
}

export interface Judgement {
  readonly is: 'starting' | 'idle' | 'working' | 'waiting' | 'unknown' | 'gone';
  readonly evidence: Evidence;
  /** Set while waiting. */
  readonly waitingFor: WaitingFor | undefined;
  /** The requests that somebody must answer, oldest first; none where only a dialog is known. */
  readonly requests: readonly AgentRequest[];
  readonly dialog: Dialog | undefined;
  /** Set while it waits for a limit to be over. */
  readonly limit: Limit | undefined;
  /** What it has asked its manager and nobody has answered, oldest first. */
  readonly questions: readonly WorkerQuestion[];
}

/** Pure and total: no facts are an error, and none make an unknown idle. */
export function judge(facts: TurnFacts): Judgement {
  const { is, evidence, waitingFor } = parked(asking(byStrongest(facts), facts), facts);
  const isWaiting = is === 'waiting';
  return {
    is,
    evidence,
    waitingFor,
    requests: isWaiting ? openOf(facts.asked) : [],
    dialog: isWaiting ? facts.dialog?.dialog : undefined,
    limit: waitingFor === 'limit' ? limitOf(facts) : undefined,
    questions: facts.questions,
  };
}

type Verdict = Pick<Judgement, 'is' | 'evidence'> & { readonly waitingFor?: WaitingFor };

/** A worker at work whose own tool waits for an answer waits. */
function asking(verdict: Verdict, { questions }: TurnFacts): Verdict {
  const question = verdict.is === 'working' ? waitingQuestion(questions) : undefined;
  if (question === undefined) return verdict;
  const detail = `asks its manager: ${questionLine(question.text)}`;
  return { is: 'waiting', waitingFor: 'question', evidence: { source: 'us', at: question.at, detail } };
}

const parkedDetail = 'a kept message waits until the usage limit of its account is over';

/** An idle one that has something to do waits as if it had met the limit itself. */
function parked(verdict: Verdict, { parked: by }: TurnFacts): Verdict {
  if (verdict.is !== 'idle' || by === undefined) return verdict;
  return { is: 'waiting', waitingFor: 'limit', evidence: { source: 'us', at: by.at, detail: parkedDetail } };
}

function byStrongest(facts: TurnFacts): Verdict {
  const { gone, unseen, agent, leaving, readyAt, screen } = facts;
  if (gone !== undefined) return { is: 'gone', evidence: { source: 'pane', ...gone } };
  if (unseen !== undefined) return { is: 'unknown', evidence: { source: 'pane', ...unseen } };
  if (agent !== undefined) return judgeByAgent(facts, agent);
  if (leaving !== undefined) {
    return { is: 'gone', evidence: { source: 'hook', at: leaving.at, detail: `the agent ended: ${leaving.detail}` } };
  }
  if (readyAt === undefined) return judgeStarting(facts);
  return screen === undefined ? judgeByTranscript(facts) : judgeByScreen(facts, screen);
}

function judgeStarting(facts: TurnFacts): Verdict {
  const { dialog, screen } = facts;
  if (dialog !== undefined) return waitingByScreen(dialog);
  if (screen !== undefined) return { is: 'starting', evidence: byScreen(screen) };
  return { is: 'starting', evidence: { source: 'us', at: facts.launchedAt, detail: 'launched, not heard of yet' } };
}

const byScreen = ({ at, detail }: NonNullable<TurnFacts['screen']>): Evidence => ({ source: 'screen', at, detail });

/** Of an agent that only the screen shows, anything but rest since the last prompt counts as work. */
function judgeByScreen(facts: TurnFacts, screen: NonNullable<TurnFacts['screen']>): Verdict {
  if (facts.dialog !== undefined) return waitingByScreen(facts.dialog);
  return unfinished(facts) ?? { is: screen.rests ? 'idle' : 'working', evidence: byScreen(screen) };
}

function waitingByScreen({ at, dialog }: NonNullable<TurnFacts['dialog']>): Verdict {
  return { is: 'waiting', waitingFor: dialog.waitingFor, evidence: { source: 'screen', at, detail: dialog.title } };
}

const waitingByHook = ({ at, tool, waitingFor }: AgentRequest): Verdict => ({
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
function whatFor(facts: TurnFacts, said: WaitingFor | undefined): WaitingFor {
  if (said !== undefined && said !== 'permission' && said !== 'dialog') return said;
  return openOf(facts.asked)[0]?.waitingFor ?? facts.dialog?.dialog.waitingFor ?? said ?? 'dialog';
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

/** The transcript holds the end of that prompt's turn: a hook reports the end before the last line is there. */
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
  isQueuePaused(facts)
    ? `; ${counted(facts.handed.length, 'message')} in the agent's own queue ${facts.handed.length === 1 ? 'waits' : 'wait'} for the next turn's end`
    : '';

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
    return {
      is: 'working',
      evidence: { source: 'transcript', at, detail: `${counted(facts.queued.length, 'prompt')} queued` },
    };
  }
  const handed = isQueuePaused(facts) ? undefined : facts.handed.at(-1);
  if (handed !== undefined) {
    const detail = `${counted(facts.handed.length, 'message')} in the agent's own queue`;
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

/** A dialog about a limit says the same as the end of the turn, or more. */
function limitOf({ witness: { end }, dialog, parked: by }: TurnFacts): Limit | undefined {
  if (end?.how === 'limit') {
    const { detail, resetsAt, goesOn } = end;
    return { detail, ...defined({ resetsAt, goesOn }) };
  }
  if (dialog?.dialog.waitingFor !== 'limit') return by && { detail: parkedDetail, resetsAt: by.until };
  const { title: detail, text } = dialog.dialog;
  return { detail, ...defined({ resetsAt: resetTimeIn(text, { at: dialog.at }) }) };
}
