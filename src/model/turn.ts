// The signals of one conversation, by the source that gives them.

/** Who says so, strongest first. A weaker source never overrides a stronger, later one. */
export const evidenceSources = ['pane', 'agent', 'hook', 'transcript', 'screen', 'us'] as const;
export type EvidenceSource = (typeof evidenceSources)[number];

export interface Evidence {
  readonly source: EvidenceSource;
  /** Epoch ms at which the source says it happened. */
  readonly at: number;
  readonly detail: string;
}

export const waitingKinds = [
  'permission',
  'question',
  'plan_approval',
  'trust',
  'login',
  'mcp_approval',
  'update',
  'limit',
  'dialog',
] as const;
export type WaitingFor = (typeof waitingKinds)[number];

export const turnEnds = ['completed', 'interrupted', 'error', 'limit'] as const;
export type TurnEnd = (typeof turnEnds)[number];

/** What a worker at work does. */
export const doingKinds = ['thinking', 'tool', 'answering', 'retrying', 'background'] as const;

export interface Doing {
  readonly kind: (typeof doingKinds)[number];
  readonly tool?: string;
  readonly detail?: string;
  /** Epoch ms. */
  readonly since: number;
}

/** A tool that the agent uses. */
export interface AgentToolCall {
  readonly id: string;
  readonly tool: string;
  /** Its command, file or pattern, in one short line. */
  readonly about: string;
}

/** A dialog on the screen. */
export interface Dialog {
  readonly waitingFor: WaitingFor;
  readonly title: string;
  /** The dialog's own words, as shown; data, never instructions. */
  readonly text: string;
  /** Labels of the choices in the order shown; empty when none could be read. */
  readonly options: readonly string[];
  /** Index of the option under the cursor; absent when it cannot be read. */
  readonly selected?: number;
  /** Indices of the options that carry a tick, where each has a box for one. */
  readonly ticked?: readonly number[];
  /** The act that a permission is about, where the dialog has a place of its own for it. */
  readonly about?: DialogAct;
}

export interface DialogAct {
  readonly is: 'run' | 'write' | 'reach';
  /** The command, file or host, as shown. */
  readonly what: string;
}

interface At {
  /** Epoch ms by the clock of whoever reports, as near to the fact as is known. */
  readonly at: number;
}

/** What the terminal and the system know of the process. */
export type PaneSignal =
  /** The conversation it has open by now, seen from outside. */
  | (At & {
      readonly from: 'pane';
      readonly kind: 'conversation';
      readonly agentSessionId: string;
      readonly transcriptPath?: string;
    })
  | (At & { readonly from: 'pane'; readonly kind: 'alive'; readonly pid: number })
  /** Nobody can tell whether it lives: what would show its pane or process does not answer. */
  | (At & { readonly from: 'pane'; readonly kind: 'unseen'; readonly detail: string })
  | (At & { readonly from: 'pane'; readonly kind: 'seen' })
  | (At & {
      readonly from: 'pane';
      readonly kind: 'gone';
      readonly detail: string;
      /** Absent where nobody saw how its process ended. */
      readonly exit?: PaneExit;
    });

export interface PaneExit {
  readonly code?: number;
  /** The signal that ended it. */
  readonly by?: string;
}

/** What the agent's own state file says. `unknown` is a word this version does not know. */
export type AgentSignal =
  | (At & {
      readonly from: 'agent';
      readonly kind: 'state';
      /** `background`: at the prompt while a background shell still runs. */
      readonly status: 'idle' | 'busy' | 'waiting' | 'background' | 'unknown';
      readonly waitingFor?: WaitingFor;
      /** Only its dialog shows what it waits for. */
      readonly withoutHook?: true;
      readonly detail: string;
    })
  | (At & { readonly from: 'agent'; readonly kind: 'absent' });

/** What a hook of this launch reported, with the permission mode of the conversation then. */
export type HookSignal = HookReport & { readonly mode?: string };

type HookReport =
  | (At & {
      readonly from: 'hook';
      readonly kind: 'ready';
      readonly reason: string;
      readonly agentSessionId: string;
      readonly transcriptPath?: string;
    })
  | (At & { readonly from: 'hook'; readonly kind: 'prompt'; readonly text: string })
  | (At & {
      readonly from: 'hook';
      readonly kind: 'permission';
      readonly waitingFor: 'permission' | 'question' | 'plan_approval';
      readonly tool: string;
      readonly input: unknown;
      /** Our hook holds the request until it is answered. */
      readonly requestId?: string;
      /** As long as it does, the agent shows no dialog of its own. */
      readonly hidden?: true;
      /** Asked behind the conversation, whose own state says nothing of it. */
      readonly besides?: true;
      readonly rule?: string;
      /** Whatever the rules say, only a person may allow it. */
      readonly personOnly?: true;
      readonly suggestions?: readonly unknown[];
    })
  /** A rule has answered; the agent waited for nobody. */
  | (At & { readonly from: 'hook'; readonly kind: 'ruled'; readonly tool: string; readonly decision: 'allow' | 'deny' })
  /** Our hook has passed the answer on to the agent. */
  | (At & {
      readonly from: 'hook';
      readonly kind: 'answered';
      readonly requestId: string;
      readonly by: string;
      readonly decision: string;
    })
  /** Our hook has let go of the request unanswered; the agent asks by a dialog of its own. */
  | (At & { readonly from: 'hook'; readonly kind: 'handed-over'; readonly requestId: string })
  | (At & {
      readonly from: 'hook';
      readonly kind: 'stopped';
      readonly backgroundTasks: number;
      readonly lastText?: string;
    })
  | (At & {
      readonly from: 'hook';
      readonly kind: 'failed';
      readonly error: string;
      readonly limit: boolean;
      /** Of a limit, where the error names it. */
      readonly resetsAt?: number;
    })
  /** A command runs without our view of git's folder. */
  | (At & { readonly from: 'hook'; readonly kind: 'unwalled'; readonly reason: string })
  | (At & { readonly from: 'hook'; readonly kind: 'ended'; readonly reason: string });

/** What a transcript line says. */
export type TranscriptSignal =
  | (At & {
      readonly from: 'transcript';
      readonly kind: 'prompt';
      readonly text: string;
      /** `notice` is a turn the agent starts by itself, such as a background task's result. */
      readonly origin: 'person' | 'notice';
    })
  | (At & { readonly from: 'transcript'; readonly kind: 'enqueued'; readonly text: string })
  /** A queued prompt was taken up: into the running turn (`absorbed`) or as the next one. */
  | (At & {
      readonly from: 'transcript';
      readonly kind: 'dequeued';
      readonly text?: string;
      readonly absorbed: boolean;
    })
  | (At & {
      readonly from: 'transcript';
      readonly kind: 'activity';
      readonly detail: string;
      /** What the model does by this line, beside its calls. */
      readonly does?: 'thinking' | 'answering';
      readonly calls?: readonly AgentToolCall[];
      /** Ids of the calls that have their answer here. */
      readonly answered?: readonly string[];
      /** False for what goes on beside an open request, and so proves no answer to it. */
      readonly answers?: false;
      /** A command has failed in the way of one that its sandbox keeps in, and what opens that. */
      readonly keptIn?: string;
      /** The sandbox of a command broke, so the command did not run. */
      readonly sandboxBroke?: string;
    })
  /** The model is asked; the same id before any part of an answer is another try. */
  | (At & { readonly from: 'transcript'; readonly kind: 'request'; readonly id: string })
  /** A program the agent left running behind its turn, or the end of one. */
  | (At & {
      readonly from: 'transcript';
      readonly kind: 'background';
      readonly id: string;
      readonly runs: boolean;
    })
  | (At & {
      readonly from: 'transcript';
      readonly kind: 'ended';
      readonly how: TurnEnd;
      /** Background agents or shells that go on after the turn. */
      readonly backgroundTasks: number;
      readonly detail: string;
      /** Of a limit, where the line names it. */
      readonly resetsAt?: number;
      /** Of a limit: status and kind of the failure say that the allowance of the whole account is spent. */
      readonly ofAccount?: true;
    })
  /** The agent counts its allowance as spent. */
  | (At & { readonly from: 'transcript'; readonly kind: 'allowance'; readonly spentUntil: number })
  /** After a limit: whether it goes on by itself when that is over. */
  | (At & { readonly from: 'transcript'; readonly kind: 'goes-on-later'; readonly isSo: boolean })
  /** Our stop hook left its mark; it ends a turn only where the agent writes no end of its own. */
  | (At & { readonly from: 'transcript'; readonly kind: 'stop-marker'; readonly goesOn: boolean });

/** A look at the screen. It counts where no hook, state file or transcript says anything. */
export type ScreenSignal =
  | (At & { readonly from: 'screen'; readonly kind: 'dialog'; readonly dialog: Dialog })
  | (At & { readonly from: 'screen'; readonly kind: 'no-dialog' })
  /** The prompt is in sight: started, no dialog, with what the screen shows of what is still to come. */
  | (At & {
      readonly from: 'screen';
      readonly kind: 'prompt';
      readonly queued: number;
      readonly background: number;
      /** What keeps the running turn from going on. */
      readonly trouble?: string;
    })
  /** A message of ours is on the screen among those that wait. */
  | (At & { readonly from: 'screen'; readonly kind: 'queued'; readonly text: string })
  /** Of an agent that only the screen shows: it changes, or shows no end of the turn; `isTurn` where one runs. */
  | (At & { readonly from: 'screen'; readonly kind: 'stirs'; readonly detail: string; readonly isTurn?: true })
  /** The opposite: an empty prompt is in sight, the screen does not change, and nothing shows that a turn runs. */
  | (At & { readonly from: 'screen'; readonly kind: 'rests' })
  /** A message of ours has left the prompt of such an agent for its conversation. */
  | (At & { readonly from: 'screen'; readonly kind: 'taken'; readonly text: string; readonly detail: string });

/** What we did ourselves. */
export type OwnSignal =
  | (At & { readonly from: 'us'; readonly kind: 'launched'; readonly withPrompt: boolean })
  | (At & { readonly from: 'us'; readonly kind: 'sent'; readonly messageId: string; readonly text: string })
  /** What is kept for it waits until the limit of its account is over, at `until`; without that nothing waits. */
  | (At & { readonly from: 'us'; readonly kind: 'parked'; readonly until?: number })
  /** The agent does not do as its hook answered: the request is open again. */
  | (At & { readonly from: 'us'; readonly kind: 'untaken'; readonly requestId: string })
  /** The agent has a message in a queue of its own that neither screen nor transcript shows. */
  | (At & { readonly from: 'us'; readonly kind: 'handed'; readonly messageId: string })
  /** We choose in the dialog on its screen. */
  | (At & { readonly from: 'us'; readonly kind: 'answers'; readonly option: string })
  /** A message that no longer counts: its send failed, no proof ever came, or its turn is over. */
  | (At & { readonly from: 'us'; readonly kind: 'given-up'; readonly messageId: string });

/** A worker asks its manager a question with its own tool. */
export type QuestionSignal =
  /** It asks, and waits. */
  | (At & {
      readonly from: 'worker';
      readonly kind: 'asks';
      readonly requestId: string;
      readonly text: string;
      readonly options: readonly string[];
    })
  /** The tool stops waiting; the question stays open. */
  | (At & { readonly from: 'worker'; readonly kind: 'asks-on'; readonly requestId: string })
  /** The question is answered or withdrawn. */
  | (At & { readonly from: 'worker'; readonly kind: 'asked'; readonly requestId: string });

export type Signal =
  | PaneSignal
  | AgentSignal
  | HookSignal
  | TranscriptSignal
  | ScreenSignal
  | OwnSignal
  | QuestionSignal;
