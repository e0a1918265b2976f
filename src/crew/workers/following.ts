// Follows the hooks, transcript and state file of one launch, and keeps the turn that they prove.
import type { Agent, DecodedState } from '../../agents/agent.ts';
import { followFile, type Tail } from '../../jsonl/tail.ts';
import type { Clock, Disposer } from '../../model/clock.ts';
import type { AgentSignal, Signal } from '../../model/turn.ts';
import type { LaunchRecord, WorkerRecord } from '../../model/worker.ts';
import { questionSignal, signalsPath } from '../../store/question-line.ts';
import { digestOf } from '../../system/digest.ts';
import { initialTurn, reduceTurn, type TurnState } from '../../turn/reduce-turn.ts';
import { settlingsOf } from '../../turn/settle.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import { Conversation, type Words } from './conversation.ts';
import type { LastWord } from './last-word.ts';
import { earlierSignals } from './rest-signals.ts';
import { Spending } from './spending.ts';
import type { StateFiles } from './state-files.ts';
import { awaitFact } from './timing.ts';

export interface FollowingParts {
  readonly agent: Agent;
  readonly clock: Clock;
  readonly stateFiles: StateFiles;
  readonly onTrouble: (error: unknown) => void;
  /** The last word of the worker's server, to go on from. */
  readonly word?: LastWord | undefined;
}

interface FollowedTranscript {
  readonly path: string;
  readonly conversation: Conversation;
  readonly tail?: Tail;
}

export type OnSignal = (signal: Signal, change: { readonly before: TurnState; readonly after: TurnState }) => void;

/** The clock of a hook may count whole seconds. */
const hookClockMs = 1_000;
const firstStateMs = 1_000;

const launched = ({ startedAt, withPrompt }: LaunchRecord): TurnState =>
  reduceTurn(initialTurn(startedAt), { from: 'us', kind: 'launched', withPrompt, at: startedAt });

export class Following {
  readonly workerId: string;
  readonly launch: LaunchRecord;
  readonly word: LastWord | undefined;
  readonly spending: Spending;
  readonly #parts: FollowingParts;
  readonly #listeners = new Set<OnSignal>();
  readonly #signals: Tail;
  readonly #stopStates: Disposer | undefined;
  #transcript: FollowedTranscript;
  #state: TurnState;
  #agentSessionId: string;
  #agentPid: number | undefined;
  #hasOwnPid = false;
  #lastPrompt: string | undefined;
  #lastQueue: string | undefined;
  /** When this launch last showed each prompt, by its digest, for sends that a killed server left open. */
  readonly #prompts = new Map<string, number>();
  /** When each text was last sent, by its digest, and what became of it where that came later; only in memory. */
  readonly #sent = new Map<string, { readonly at: number; readonly outcome?: MessageOutcome }>();
  #closed = false;

  constructor(record: WorkerRecord, parts: FollowingParts) {
    const { launch } = record;
    const { word } = parts;
    this.workerId = record.id;
    this.launch = launch;
    this.word = word;
    this.#parts = parts;
    this.#agentSessionId = word?.agentSessionId ?? launch.agentSessionId;
    this.#agentPid = launch.process?.pid ?? record.pane?.pid;
    this.#state = word?.state ?? launched(launch);
    const { clock, onTrouble } = parts;
    this.#signals = followFile(signalsPath(launch.dir), {
      clock,
      from: word?.signalsAt ?? 'start',
      onTrouble,
      onLines: (lines) => this.#takeHooks(lines),
    });
    this.spending = new Spending(record, parts);
    this.#transcript = this.#followTranscript(word?.transcript.path ?? launch.transcriptPath, word?.transcript);
    if (word === undefined) this.#takeHooks(earlierSignals(launch.dir));
    this.spending.begin(() => this.#readTranscript());
    this.#stopStates =
      launch.stateDir === undefined
        ? undefined
        : parts.stateFiles.follow(launch.stateDir, {
            agent: parts.agent,
            claims: (state) => this.#claims(state),
            take: (state) => void this.#takeState(state),
          });
  }

  get state(): TurnState {
    return this.#state;
  }
  /** What a look from outside needs to go on from here. */
  get soFar(): Pick<LastWord, 'state' | 'signalsAt' | 'transcript' | 'agentSessionId'> {
    const { path, conversation, tail } = this.#transcript;
    return {
      state: this.#state,
      signalsAt: this.#signals.offset,
      transcript: { path, at: tail?.offset ?? 0, soFar: conversation.soFar },
      agentSessionId: this.#agentSessionId,
    };
  }
  get conversation(): Conversation {
    return this.#transcript.conversation;
  }
  /** Empty until the agent names it. */
  get transcriptPath(): string {
    return this.#transcript.path;
  }
  /** The conversation's id now; it changes when the agent begins a new one. */
  get agentSessionId(): string {
    return this.#agentSessionId;
  }
  /** The agent's own process, which a wrapper may have started; the pane's until it is known. */
  get agentPid(): number | undefined {
    return this.#agentPid;
  }
  /** The agent's own process is known, and `agentPid` is not merely the pane's. */
  get hasOwnPid(): boolean {
    return this.#hasOwnPid;
  }
  /** Notes which process under the pane's is the agent's. */
  runsAs(pid: number): void {
    this.#agentPid = pid;
    this.#hasOwnPid = true;
  }

  /** The newest prompt, whoever sent it; only in memory. */
  get lastPrompt(): string | undefined {
    return this.#lastPrompt;
  }

  /** The messages in the agent's queue, or the last that were there; only in memory. */
  get lastQueue(): string | undefined {
    const { queued } = this.#state.facts;
    return queued.length > 0 ? queued.join('\n') : this.#lastQueue;
  }

  /** From now on the answer to this text is told from those to the same text before. */
  noteSent(digest: string): void {
    this.#sent.set(digest, { at: this.#parts.clock.now() });
  }

  noteOutcome(digest: string, outcome: MessageOutcome): void {
    this.#sent.set(digest, { at: this.#parts.clock.now(), ...this.#sent.get(digest), outcome });
  }

  /** Of a text that was kept, once it was typed. */
  outcomeOf(digest: string): MessageOutcome | undefined {
    return this.#sent.get(digest)?.outcome;
  }

  /** What was said last in the turn of a text of ours; undefined where it had no turn, or nothing was said. */
  replyTo(digest: string): Words | undefined {
    const sent = this.#sent.get(digest);
    return sent === undefined ? undefined : this.conversation.replyTo({ digest, since: sent.at });
  }

  /** Whether this launch has shown the text as a prompt since then. */
  hasShown({ digest, at }: { readonly digest: string; readonly at: number }): boolean {
    return (this.#prompts.get(digest) ?? 0) >= at - hookClockMs;
  }

  onSignal(listen: OnSignal): Disposer {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  apply(signal: Signal): void {
    if (signal.from === 'pane' && signal.kind === 'conversation') this.#moveTo(signal);
    const before = this.#state;
    this.#notePrompt(signal);
    this.#state = reduceTurn(before, signal);
    const { queued } = before.facts;
    if (this.#state.facts.queued.length < queued.length) this.#lastQueue = queued.join('\n');
    const change = { before, after: this.#state };
    for (const listen of [...this.#listeners]) listen(signal, change);
  }

  /** Reads hooks and transcript to their present end. */
  async drain(): Promise<void> {
    // Hooks first: the agent runs them for a prompt and a stop before it flushes the transcript.
    await this.#signals.drain().catch(this.#parts.onTrouble);
    await this.#readTranscript();
    await this.spending.drain().catch(this.#parts.onTrouble);
  }

  async #readTranscript(): Promise<void> {
    await this.#transcript.tail?.drain().catch(this.#parts.onTrouble);
  }

  /** Resolves when hooks, transcript and state file are read, so that the state is the present one. */
  async caughtUp(): Promise<void> {
    await this.drain();
    if (this.launch.stateDir === undefined) return;
    await this.#until(firstStateMs, ({ is, facts }) => facts.agent !== undefined || is === 'gone');
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopStates?.();
    this.spending.close();
    await Promise.all([this.#signals.close(), this.#transcript.tail?.close()]);
  }

  #followTranscript(path: string, known?: LastWord['transcript']): FollowedTranscript {
    const { agent, clock, onTrouble } = this.#parts;
    const conversation = known === undefined ? new Conversation() : Conversation.from(known.soFar, known.at);
    if (path === '') return { path, conversation };
    this.spending.follow(path);
    const tail = followFile(path, {
      clock,
      from: known?.at ?? 'start',
      onTrouble,
      onLines: (lines, at) => {
        const decoded = lines.map((line) => agent.decodeLine(line));
        conversation.add(decoded, at);
        this.spending.take(path, { lines: decoded, texts: lines }, at);
        for (const line of decoded) this.#applyAll(line.signals);
      },
    });
    return { path, conversation, tail };
  }

  #takeHooks(lines: readonly string[]): void {
    for (const line of lines) {
      const asked = questionSignal(line);
      if (asked === undefined) this.#applyAll(this.#parts.agent.decodeHook(line));
      else this.apply(asked);
    }
  }

  #applyAll(signals: readonly Signal[]): void {
    for (const signal of signals) {
      if (signal.from === 'hook' && signal.kind === 'ready') this.#moveTo(signal);
      this.apply(signal);
    }
  }

  #until(ceilingMs: number, holds: (state: TurnState) => boolean): Promise<unknown> {
    const { clock } = this.#parts;
    return awaitFact(this, { clock, ceilingMs }, () => (holds(this.#state) ? true : undefined));
  }

  #notePrompt(signal: Signal): void {
    const isTaken = signal.from === 'screen' && signal.kind === 'taken';
    const isPrompt = isTaken || ((signal.from === 'hook' || signal.from === 'transcript') && signal.kind === 'prompt');
    const isQueued = signal.from === 'transcript' && signal.kind === 'enqueued';
    if ((!isPrompt && !isQueued) || signal.at < this.launch.startedAt) return;
    if (isPrompt) this.#lastPrompt = signal.text;
    const digest = digestOf(signal.text);
    this.#prompts.set(digest, Math.max(signal.at, this.#prompts.get(digest) ?? 0));
  }

  /** The agent may begin a new conversation, in a new file, at any time. */
  #moveTo(ready: { readonly agentSessionId: string; readonly transcriptPath?: string }): void {
    this.#agentSessionId = ready.agentSessionId;
    const path = ready.transcriptPath;
    if (path === undefined || path === this.#transcript.path || this.#closed) return;
    void this.#transcript.tail?.close();
    this.#transcript = this.#followTranscript(path);
  }

  #claims(state: DecodedState): boolean {
    if (state.signal.at < this.launch.startedAt) return false;
    return state.pid === this.#agentPid || state.agentSessionId === this.#agentSessionId;
  }

  async #takeState(state: DecodedState | undefined): Promise<void> {
    // The agent wrote the reasons for a state before the state: read them first.
    await this.drain();
    if (this.#closed) return;
    if (state !== undefined) this.#agentPid = state.pid;
    const signal: AgentSignal = state?.signal ?? { from: 'agent', kind: 'absent', at: this.#parts.clock.now() };
    if (signal.kind === 'state')
      for (const { ceilingMs, hasCome } of settlingsOf(signal, this.#state.facts))
        await this.#until(ceilingMs, ({ facts }) => hasCome(facts));
    if (!this.#closed) this.apply(signal);
  }
}
