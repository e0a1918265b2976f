// The interface that a worker's own tools use. Floor 3 sees only these types of this room.

import type { CrewError } from '../model/errors.ts';
import type {
  AskResult,
  ContextRequest,
  ContextResult,
  NoteRequest,
  NoteResult,
  Progress,
  Question,
  Report,
  ReviewRequest,
  SubtaskRequest,
  SubtasksResult,
  Taken,
} from '../wire/desk.ts';
import type { PlanHandIn, PlanTaken } from '../wire/hand-in.ts';
import type { TaskView } from '../wire/tasks.ts';

/** The call that carries a question. */
export interface QuestionWait {
  readonly signal: AbortSignal;
  readonly maxWaitMs: number;
  readonly tell: (message: string) => void;
}

/** Every call proves first whose it is, and throws `not_a_worker` when it cannot. */
export interface Desk {
  progress(word: Progress): Promise<Taken>;
  report(report: Report): Promise<Taken>;
  send(note: NoteRequest): Promise<NoteResult>;
  /** Waits for the answer as long as the call may; a later answer comes as a message. */
  ask(question: Question, call: QuestionWait): Promise<AskResult>;
  createSubtask(request: SubtaskRequest): Promise<TaskView>;
  subtasks(): Promise<SubtasksResult>;
  requestReview(request: ReviewRequest): Promise<TaskView>;
  /** Resolves when the plan holds, or when nobody has judged it within the call; rejects with what does not hold. */
  submitPlan(plan: PlanHandIn, call: QuestionWait): Promise<PlanTaken>;
  /** Counts what has not even the shape of a plan. Rejects with what its planner is to be told. */
  unfitPlan(error: CrewError, call: QuestionWait): Promise<void>;
  context(request: ContextRequest): Promise<ContextResult>;
  dispose(): Promise<void>;
}
