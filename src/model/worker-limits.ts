// How much a worker may say: bounds of what it can put before others.

export interface WorkerLimits {
  /** Calls that say or ask something, in any minute. */
  readonly callsPerMinute: number;
  /** Characters of a note to another worker. */
  readonly noteChars: number;
  /** Notes that one worker may have waiting for it. */
  readonly waitingNotes: number;
  /** Questions to the manager that nobody has answered yet. */
  readonly openQuestions: number;
  /** Tasks it has entered that are still queued. */
  readonly openSubtasks: number;
  /** How far a task of a task of a task may go. */
  readonly subtaskDepth: number;
}
