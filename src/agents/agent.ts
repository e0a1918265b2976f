// The contract of an agent CLI: everything the crew may know of one, and all of it pure.
import type { Act } from '../model/act.ts';
import type { Keystroke } from '../model/keystroke.ts';
import type { RememberProposal, RequestAnswer, RequestKind } from '../model/request.ts';
import type { Rules } from '../model/rule.ts';
import type { AgentSignal, Dialog, Signal } from '../model/turn.ts';
import type { AgentType } from '../model/worker.ts';
import type { AgentProcess, ProcessTraces } from './agent-process.ts';
import type { AgentRules } from './agent-rules.ts';
import type { DecodedLine, Subagents } from './decoded-line.ts';
import type { Headless } from './headless.ts';
import type { WrittenFile } from './long-argv.ts';
import type { AgentSandbox, SandboxSpec } from './sandbox.ts';
import type { OnScreen, ScreenReading } from './screen-reading.ts';
import type { StatusLine, StatusOrder } from './status-line.ts';
import type { DeliveryPlan } from './typing-plan.ts';

export type { AgentProcess, OpenFile, ProcessTraces } from './agent-process.ts';
export type { GitWalls } from './bwrap.ts';
export type { ConversationEntry, DecodedLine, TokenUsage, ToolResult, ToolUse } from './decoded-line.ts';
export type { Headless, PrintedLine, QuestionSpec, RunUsage } from './headless.ts';
export type { LeftOut, SandboxHole, SandboxProbe, SandboxSpec } from './sandbox.ts';
export type { OnlyScreen, ScreenReading } from './screen-reading.ts';
export type { StatusTexts } from './status-line.ts';
export type { Piece, TypingPlan, Whole } from './typing-plan.ts';

/** What an order for a worker may ask of a launch. */
export const launchWords = [
  'model',
  'skipPermissions',
  'resume',
  'fork',
  'permissionMode',
  'mcpServers',
  'appendSystemPrompt',
  'tools',
  'prompt',
] as const;
export type LaunchWord = (typeof launchWords)[number];

/** Everything a launch depends on. Paths are absolute and real (symlinks resolved). */
export interface LaunchSpec {
  readonly workerId: string;
  readonly name: string;
  readonly cwd: string;
  /** A private folder of this launch, made by the caller; `files` of the plan go there. */
  readonly launchDir: string;
  /** The file to which hooks append their payloads; it lies in `launchDir`. */
  readonly signalsPath: string;
  /** The program and its leading arguments, `['claude']` unless configured. */
  readonly command: readonly string[];
  /** How this very program is started again, for hooks and the worker's own tools: program and leading arguments. */
  readonly program: readonly string[];
  readonly agentSessionId: string;
  /** Go on with a conversation that exists; `fork` leaves the old one as it is. */
  readonly resume?: { readonly agentSessionId: string; readonly fork: boolean };
  readonly prompt?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly skipPermissions: boolean;
  /** What it may do without asking, must ask about, and may not do. */
  readonly rules: Rules;
  /** Words that make the hook examine a tool call before it runs. An entry of several words needs all of them. */
  readonly tripwire: readonly (readonly string[])[];
  readonly appendSystemPrompt?: string;
  /** Its own tools are these alone; MCP servers are no part of them. */
  readonly tools?: readonly string[];
  /** The MCP server of the worker's own tools. The agent may use it without asking. */
  readonly ownTools?: OwnTools;
  /** Extra MCP servers for this worker, by name. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** Allow-listed environment of the user with the worker's own `env` laid over it. */
  readonly env: Readonly<Record<string, string>>;
  /** Git's folders for `cwd`: the one of its worktree, and the one all worktrees share. */
  readonly git?: { readonly gitDir: string; readonly commonDir: string };
  /** Its commands run in the agent's own sandbox. */
  readonly sandbox?: SandboxSpec;
  /** Absent where the settings that its pane's line depends on cannot be read. */
  readonly status?: StatusOrder;
}

export interface OwnTools {
  /** Tells the server from those of the user. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The longest that one of its tools takes to answer. */
  readonly longestCallSeconds: number;
  /** Its program is there, so that an agent may wait for it and count on it. */
  readonly canStart: boolean;
  /** Its server makes this file once the agent has the tools; absent where no turn should wait for that. */
  readonly connectedPath?: string;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  /** The whole environment of the pane. */
  readonly env: Readonly<Record<string, string>>;
  /** Written with mode 0600 before the pane opens. */
  readonly files: readonly WrittenFile[];
  /** The conversation's id once it runs; a fork gets a new one. Undefined where the agent itself chooses it. */
  readonly agentSessionId?: string;
}

/** Where an agent leaves its traces for one worker. */
export interface Traces {
  /** May not exist yet. Undefined where a hook reports it later. */
  readonly transcriptPath?: string;
  /** Where it lies if it exists, when its name holds more than the conversation's id: the first file in these folders that ends so. */
  readonly transcriptAmong?: { readonly dirs: readonly string[]; readonly ending: string };
  /** Where it lies once its project has another path: a file of this name in a folder of this one. */
  readonly transcriptBelow?: { readonly dir: string; readonly name: string };
  /** A folder of small state files rewritten in place, one of them this worker's. */
  readonly stateDir?: string;
}

export interface DecodedState {
  readonly pid: number;
  /** Start time as the system counts it, where the file has it; guards against a reused pid. */
  readonly processStart?: string;
  readonly agentSessionId?: string;
  /** `%12`, when the agent knows its pane. */
  readonly paneId?: string;
  readonly signal: AgentSignal;
}

/** A message handed to the agent's own queue by running its program: no key is pressed. */
export interface Handover {
  /** Follow the program and its leading arguments. */
  readonly args: readonly string[];
  /** The program prints this when the queue has the message. */
  readonly accepted: RegExp;
}

export interface MessagePlan {
  readonly text: string;
  /** Send it as a command of the agent's own. */
  readonly asCommand: boolean;
  /** A turn runs: the message joins it, or has a turn of its own afterwards. */
  readonly midTurn?: 'steer' | 'queue';
}

/** The releases that the suite on the real program has run with, both ends included; `doctor` warns of any other. */
export interface TestedVersions {
  readonly testedFrom: string;
  readonly testedTo: string;
}

/** The question of a hook, in words that do not depend on the agent. */
export interface HookQuestion {
  /** `asking`: the agent is about to ask a person. `before`: it is about to use a tool, perhaps without asking. */
  readonly when: 'asking' | 'before';
  /** The agent ignores an answer that orders it to ask, and goes on. */
  readonly asksInVain: boolean;
  /** As long as the hook runs, the agent shows no dialog that a person could answer. */
  readonly hidesDialog: boolean;
  readonly kind: RequestKind;
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string;
  /** The agent's own proposals of what to remember. */
  readonly suggestions?: readonly unknown[];
}

/** How our hook program reads and answers the agent's permission hooks. It imports little: each request starts it. */
export interface PermissionHook extends Pick<Agent, 'actOf'> {
  /** What a tool would do to a file, in lines; undefined for any other tool. */
  changeOf(tool: string, input: unknown): string | undefined;
  /** The file as the tool would leave it; undefined where that cannot be said. */
  afterOf?(tool: string, input: unknown, before: string): string | undefined;
  /** The plan that it asks approval of, where it names one. */
  planOf?(input: unknown): string | undefined;
  /** Undefined for what is no such question. */
  asked(payload: unknown): HookQuestion | undefined;
  /** The output of the hook; the empty text changes nothing. */
  say(
    question: HookQuestion,
    answer: Pick<RequestAnswer, 'decision' | 'message' | 'input' | 'answers' | 'remember' | 'edits'>,
  ): string;
  /** What can be taken of the agent's own proposals, for a worker in this folder; never another folder. */
  proposed(suggestions: readonly unknown[], folder: string): RememberProposal;
  /** Before a tool, the hook can make the agent ask by its own dialog. */
  readonly asksWhenTold: boolean;
  /** An answer may change the tool's input. */
  readonly changesInput: boolean;
}

/** How long a request may wait with a hook that hides the agent's own dialog. */
export const hiddenHoldMs = 10 * 60_000;

/** The words of a refusal without a reason. */
export const deniedUnsaid = 'Denied by the manager of this worker.';

export type DialogDecision = 'allow' | 'deny' | 'text';

export interface Agent {
  readonly type: AgentType;
  /** Undefined where no program is tested in particular. */
  readonly tested?: TestedVersions;
  readonly onScreen: OnScreen;
  /** False where nothing records what was said; then there are no logs, no counts and no transcript to resume. */
  readonly keepsTranscript: boolean;
  /** `itself`: its own figure; `tokens`: what a price makes a cost of; `nothing` of either. */
  readonly tellsCost: 'itself' | 'tokens' | 'nothing';
  /** It hands its figures to a command; absent where its transcript alone tells them. */
  readonly statusLine?: StatusLine;
  /** What its launch has words for. */
  readonly takes: ReadonlySet<LaunchWord>;
  /** Variables of the manager that it needs besides those that every agent gets. */
  readonly passesEnv: readonly string[];
  /** Names of models that are for another agent. */
  readonly foreignModel?: RegExp;
  /** Where it records that its user trusts a folder; undefined where a worker needs no such record. */
  readonly trust?: {
    fileFor(env: Readonly<Record<string, string>>): string;
    /** `text` is that file's, '' when there is none. Never throws. */
    isTrusted(
      text: string,
      at: { readonly folder: string; readonly isRepository: boolean; readonly env: Readonly<Record<string, string>> },
    ): boolean;
  };
  /** The permission mode that its user's own settings name. Absent: each worker starts in `manual` unless one is named. */
  readonly usersMode?: {
    fileFor(env: Readonly<Record<string, string>>): string;
    /** `text` is that file's, '' when there is none. Undefined where it names none that a worker may have. Never throws. */
    modeIn(text: string): string | undefined;
  };
  readonly sandbox?: AgentSandbox;
  /** Untracked files in which it keeps the permissions of a project; a worktree needs copies of them. */
  readonly localFiles: readonly string[];
  /** Throws `CrewError` for an order it cannot carry out; touches nothing. */
  launch(spec: LaunchSpec): LaunchPlan;
  traces(at: {
    readonly cwd: string;
    readonly agentSessionId: string;
    readonly env: Readonly<Record<string, string>>;
  }): Traces;
  /** What tells the account that it works on from others: its key or token, else the folder of its credentials. */
  accountIn?(env: Readonly<Record<string, string>>): string;
  /** Never throws; an unreadable line is `unknown`. */
  decodeLine(line: string): DecodedLine;
  /** Where what it delegates is written, when that is not the transcript itself. */
  readonly subagents?: Subagents;
  /** What a tool call is about, from its input, in one line of any length. Never throws. */
  gistOf(input: string): string;
  /** A line of the signal file. `unknown` lines yield none. */
  decodeHook(line: string): readonly Signal[];
  readonly rules: AgentRules;
  /** Undefined for an agent that answers no question without a pane. */
  readonly headless?: Headless;
  /** Undefined for an agent that runs none. */
  readonly permissionHook?: PermissionHook;
  /** Undefined for a file that is not a state file. */
  decodeState(text: string): DecodedState | undefined;
  /**
   * Undefined for a process that is not this agent in its interactive form, or only what starts it. Without the method,
   * crewmux cannot recognise the agent's process.
   */
  readProcess?(seen: ProcessTraces): AgentProcess | undefined;
  /** Whether a process is what the agent starts around a command to keep it in its sandbox; it can outlive a killed agent. */
  isOfSandbox?(argv: readonly string[]): boolean;
  /** Reads a screen captured with colours, one line a row; with the title of its pane, where that is known. */
  readScreen(screen: string, title?: string): ScreenReading;
  /**
   * The label that allows or denies the request of a dialog once; for `text`, the entry that takes a text. Undefined
   * where no single label does that.
   */
  choiceFor(dialog: Dialog, decision: DialogDecision): string | undefined;
  planDelivery(message: MessagePlan): DeliveryPlan;
  /** What a tool call does, from the payload of a hook. Total: an unknown tool keeps its name. */
  actOf(tool: string, input: unknown, cwd: string): Act;
  /** Undefined where the agent has no such queue; the conversation must have begun. */
  planHandover?(message: { readonly text: string; readonly agentSessionId: string }): Handover;
  /** Ends the running turn. */
  readonly interrupt: readonly Keystroke[];
  /** Whether the screen shows what those keys would end; undefined where the agent takes them at any moment. */
  takesInterrupt?(reading: ScreenReading): boolean;
  /** Empties the prompt box of a draft that no person typed; only for a box known to be non-empty. */
  readonly clearDraft: readonly Keystroke[];
  /** Leaves the program politely, from an empty prompt. */
  readonly exit: readonly Keystroke[];
}
