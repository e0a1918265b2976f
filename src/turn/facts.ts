// What crewmux knows about one conversation. Each source has fields of its own, so that `judge` can weigh them.
import type { AgentSignal, Dialog, EvidenceSource, WaitingFor } from '../model/turn.ts';
import type { AgentRequest } from './agent-request.ts';
import { noSteps, type Steps } from './steps.ts';
import type { TurnWitness } from './turn-end.ts';
import type { WorkerQuestion } from './worker-question.ts';

export interface TurnFacts {
  readonly launchedAt: number;
  readonly gone: Said | undefined;
  /** Why nobody can tell whether it lives; undefined where somebody can. */
  readonly unseen: Said | undefined;
  /** The agent has shown itself: a hook, its state file or its transcript. */
  readonly readyAt: number | undefined;
  readonly readyBy: EvidenceSource | undefined;
  /** It said goodbye; it may still show itself again under a wrapper. */
  readonly leaving: Said | undefined;
  readonly agent: (Said & { readonly status: AgentStatus; readonly waitingFor: WaitingFor | undefined }) | undefined;
  readonly witness: TurnWitness;
  /** The newest end of any turn. */
  readonly overAt: number;
  /** Whether the transcript alone would call the turn open. */
  readonly transcript: (Said & { readonly open: boolean }) | undefined;
  readonly steps: Steps;
  readonly background: number;
  /** Ids of programs left running, where the transcript names each of them. */
  readonly terminals: readonly string[];
  /** Requests that nothing has answered yet, oldest first. */
  readonly asked: readonly AgentRequest[];
  /** What the worker has asked its manager and nobody has answered, oldest first. */
  readonly questions: readonly WorkerQuestion[];
  readonly dialog: { readonly at: number; readonly dialog: Dialog } | undefined;
  /** What the screen shows of an agent that has no other source; undefined for any other agent. */
  readonly screen: (Said & { readonly rests: boolean }) | undefined;
  /** Our sends that nothing has proved yet. */
  readonly sends: readonly { readonly messageId: string; readonly text: string; readonly at: number }[];
  /** Prompts the agent has queued and not yet taken up. */
  readonly queued: readonly string[];
  /** What an interrupted turn had queued and gave back; nobody will run it. */
  readonly returned: readonly string[];
  /** Messages in a queue of the agent's own that only it can see. */
  readonly handed: readonly { readonly messageId: string; readonly at: number }[];
  /** The permission mode that the agent's hooks told last. */
  readonly mode: string | undefined;
  readonly lastError: string | undefined;
  /** The first failure in the way of a command that its sandbox keeps in. */
  readonly keptIn: string | undefined;
  /** Until when the agent counts its allowance as spent, epoch ms. */
  readonly spentUntil: number | undefined;
  /** What is kept for it waits for the end of its account's limit. */
  readonly parked: { readonly at: number; readonly until: number } | undefined;
  /** The newest choice of ours in a dialog on its screen. */
  readonly chosen: { readonly at: number; readonly option: string } | undefined;
  /** What keeps the running turn from going on, while the screen shows it and no other source speaks. */
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
  unseen: undefined,
  readyAt: undefined,
  readyBy: undefined,
  leaving: undefined,
  agent: undefined,
  witness: { promptAt: undefined, end: undefined },
  transcript: undefined,
  steps: noSteps,
  background: 0,
  terminals: [],
  asked: [],
  questions: [],
  dialog: undefined,
  screen: undefined,
  sends: [],
  queued: [],
  returned: [],
  handed: [],
  mode: undefined,
  lastError: undefined,
  keptIn: undefined,
  spentUntil: undefined,
  parked: undefined,
  overAt: 0,
  chosen: undefined,
  trouble: undefined,
});

/** The id under which the prompt given at launch is awaited. */
export const launchMessageId = 'launch';

/** Its agent was given a prompt and has not shown that it has it: what is typed now might overtake it. */
export const awaitsFirstPrompt = ({ sends }: Pick<TurnFacts, 'sends'>): boolean =>
  sends.some(({ messageId }) => messageId === launchMessageId);

/** Messages that have no turn yet. */
export const pending = ({ sends, queued, handed }: TurnFacts): number => sends.length + queued.length + handed.length;

/** Escape stops the agent's own queue, too, until the next turn ends by itself. */
export const isQueuePaused = ({ handed, witness }: TurnFacts): boolean =>
  handed.length > 0 && witness.end?.how === 'interrupted';

/** Programs that go on behind the turns, whichever source counts them. */
export const backgroundTasks = (facts: TurnFacts): number => facts.background + facts.terminals.length;

/** The notice that nobody is logged in; an agent that shows it calls itself idle. */
export const loggedOut = ({ dialog }: TurnFacts): TurnFacts['dialog'] =>
  dialog?.dialog.waitingFor === 'login' ? dialog : undefined;
