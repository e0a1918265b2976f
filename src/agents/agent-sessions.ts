// The contract of an agent's own records of its sessions, all of them, whoever started them. Pure.
import type { SessionKind, todoStates } from '../model/session-words.ts';
import type { AgentSignal } from '../model/turn.ts';
import type { Agent } from './agent.ts';
import type { DecodedLine } from './decoded-line.ts';

/** One item of an agent's own list of what it has to do. */
export interface Todo {
  readonly subject: string;
  /** How it reads while the agent does it. */
  readonly activeForm?: string;
  readonly status: (typeof todoStates)[number];
  readonly blockedBy: readonly string[];
}

/** Where the records lie; none of it need be there. */
export interface SessionPlaces {
  /** Folders with transcripts, at any depth. */
  readonly transcripts: readonly string[];
  /** Small files, one for each process that runs. */
  readonly states?: string;
  /** A folder for each session, with a file for each of its to-do items. */
  readonly todos?: string;
  /** A file whose lines name sessions. */
  readonly names?: string;
}

/** Whose conversation a file holds. */
export interface SessionFile {
  readonly agentSessionId: string;
  readonly isSubagent?: true;
  /** Of a subagent: the session that started it. */
  readonly parent?: string;
  /** The file that says when it has ended, where there is one. */
  readonly ending?: string;
}

/** What one line of a transcript adds; what it does not say is undefined. */
export interface SessionNews {
  readonly at?: number | undefined;
  readonly projectPath?: string | undefined;
  readonly branch?: string | undefined;
  readonly kind?: SessionKind | undefined;
  /** A name that a person or the agent gave. */
  readonly name?: string | undefined;
  /** The words of a person, which name a session that has no name. */
  readonly prompt?: string | undefined;
  readonly todos?: readonly Todo[] | undefined;
  readonly version?: string | undefined;
}

/** A process that runs, by its state file. */
export interface SessionState {
  readonly pid: number;
  /** Guards against a reused pid. */
  readonly processStart?: string;
  /** Absent where the file does not say which session the process has. */
  readonly session?: {
    readonly agentSessionId: string;
    readonly projectPath?: string;
    readonly startedAt?: number;
    readonly name?: string;
    readonly kind?: SessionKind;
    /** Absent while it starts. */
    readonly signal?: AgentSignal;
  };
}

/** What one line of a transcript says of usage. */
export type UsageNews = Pick<DecodedLine, 'usage' | 'model' | 'costUsd' | 'contextLeft' | 'limits'>;

export interface AgentSessions extends Pick<Agent, 'type' | 'decodeLine'> {
  readonly tested: Agent['tested'];
  places(env: Readonly<Record<string, string>>): SessionPlaces;
  /** By the path below a folder of transcripts; undefined for a file that is none. */
  fileAt(path: string): SessionFile | undefined;
  isEnding(text: string): boolean;
  /** A line that changes a name, a prompt or to-do items holds one of these; of any other the last one says enough. */
  readonly tellingWords: readonly string[];
  /** Undefined for a line that is no JSON. Never throws. */
  newsIn(line: string): SessionNews | undefined;
  /** Lines that a fork has copied say nothing. Never throws. */
  usageIn(line: string, file: Pick<SessionFile, 'isSubagent'>): UsageNews;
  /** `name` is that of the file. Undefined for a file of another form. */
  stateIn(name: string, text: string): SessionState | undefined;
  todoIn(text: string): Todo | undefined;
  nameIn(line: string): { readonly agentSessionId: string; readonly name: string } | undefined;
  /** Whether a process of this command line may have sessions open, which only its open files tell. */
  mayHold?(argv: readonly string[]): boolean;
  /** The session that a process with this file open has open since the file was made. */
  heldBy(openFile: string): string | undefined;
}
