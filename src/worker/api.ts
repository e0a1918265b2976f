// The interface that a worker's own tools use. Floor 3 sees only these types of this room.
import type { ContextScope } from '../model/context-scope.ts';
import type { Progress, Report } from '../model/report.ts';
import type { TaskView } from '../model/task.ts';

/** The entry is on disk, where the manager reads it even after this process has ended. */
export interface Taken {
  readonly taken: true;
  readonly id: string;
}

export interface NoteRequest {
  /** Name or id of a worker of the same crew. */
  readonly to: string;
  readonly message: string;
  readonly kind: 'note' | 'finding';
  readonly file?: string;
  readonly severity?: 'info' | 'low' | 'medium' | 'high';
}

export interface SubtaskRequest {
  readonly title: string;
  readonly prompt: string;
  readonly role?: string;
  readonly priority: number;
  readonly wait_for_me: boolean;
}

export interface ContextResult {
  readonly scope: ContextScope;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly caution: string;
}

export interface Question {
  readonly question: string;
  readonly options: readonly string[];
  /** Defaults to the longest time that the client allows. */
  readonly wait_seconds?: number;
}

export interface AskResult {
  readonly request_id: string;
  readonly answered: boolean;
  readonly answer?: string;
  readonly answered_by?: 'manager' | 'person';
  /** The next step, in words. */
  readonly next: string;
}

/** The call that carries a question. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly maxWaitMs: number;
  readonly progress: (message: string) => void;
}

/** Every call first checks the worker's badge, and throws `not_a_worker` when that fails. */
export interface Desk {
  progress(word: Progress): Promise<Taken>;
  report(report: Report): Promise<Taken>;
  send(note: NoteRequest): Promise<Taken & { readonly to: { readonly session_id: string; readonly name: string } }>;
  /** Waits for the answer as long as the call may; a later answer comes as a message. */
  ask(question: Question, call: Waiting): Promise<AskResult>;
  createSubtask(request: SubtaskRequest): Promise<TaskView>;
  subtasks(): Promise<{ readonly tasks: readonly TaskView[]; readonly count: number }>;
  requestReview(request: { readonly description: string; readonly files: readonly string[] }): Promise<TaskView>;
  context(request: { readonly scope: ContextScope }): Promise<ContextResult>;
  dispose(): Promise<void>;
}
