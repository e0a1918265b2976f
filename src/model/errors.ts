// The closed list of what can go wrong, as callers see it.
import type { Hint } from './advice.ts';

export const errorCodes = [
  'unknown_worker',
  'ambiguous_worker',
  'unknown_tool',
  'unknown_parameter',
  'invalid_argument',
  'not_a_repository',
  'base_not_found',
  'branch_exists',
  'worktree_failed',
  'setup_failed',
  'name_taken',
  'worker_busy',
  'worker_dead',
  'held',
  'already_answered',
  'unknown_request',
  'unknown_session',
  'needs_person',
  'owned_by_another',
  'not_a_worker',
  'tmux_missing',
  'tmux_too_old',
  'tmux_failed',
  'git_missing',
  'git_failed',
  'gh_failed',
  'agent_missing',
  'agent_failed',
  'start_blocked',
  'start_failed',
  'would_lose_work',
  'unknown_salvage',
  'checks_failed',
  'checkout_in_the_way',
  'target_moved',
  'limit_reached',
  'timed_out',
  'state_unreadable',
  'state_locked',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Whether the text of a failed send reached the agent. */
export type Delivered = 'not-sent' | 'sent' | 'unknown';

/** An error a caller can act on: what happened with the value, then what to do next. */
export class CrewError extends Error {
  readonly code: ErrorCode;
  readonly hint: Hint;
  readonly delivery: Delivered | undefined;

  constructor(code: ErrorCode, message: string, hint: Hint, options: { cause?: unknown; delivery?: Delivered } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.name = 'CrewError';
    this.code = code;
    this.hint = hint;
    this.delivery = options.delivery;
  }
}

/** The words of anything thrown, without its stack. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The system's word for a failure, such as `ENOENT`. */
export const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;

/** There is no file of that path, parents included. */
export const isMissing = (thrown: unknown): boolean => ['ENOENT', 'ENOTDIR'].some((code) => code === codeOf(thrown));

/** What no program can mend, by the system's word for it; and what a person can do. */
const diskTroubles: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on that disk, then call again.',
  EDQUOT: 'Make room in your quota on that disk, then call again.',
  EROFS: 'Make it writable, or set CREWMUX_HOME to a folder that is.',
};

function diskTrouble(thrown: unknown): CrewError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const hint = diskTroubles[String(codeOf(thrown))];
  if (hint === undefined) return diskTrouble(thrown.cause);
  return new CrewError('state_unreadable', `The disk takes no more: ${thrown.message}`, hint, { cause: thrown });
}

/** Wraps what is not ours as `internal`, so that every edge renders one kind of error. */
export function asCrewError(thrown: unknown): CrewError {
  if (thrown instanceof CrewError) return thrown;
  const trouble = diskTrouble(thrown);
  if (trouble !== undefined) return trouble;
  return new CrewError(
    'internal',
    `A bug in crewmux: ${messageOf(thrown)}`,
    'Nothing more is known. The log file named by `crewmux config path` has the details; please report it.',
    { cause: thrown },
  );
}
