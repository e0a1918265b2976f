// How far the work of a task is: a union that has what counts in each part of its way, and nothing else. Pure.
import type { Task, TaskHold, TaskState } from './task.ts';

export type TaskStage =
  | {
      readonly is: 'queued';
      /** Something that it depends on has ended badly. */
      readonly isBlocked: boolean;
      /** It has a worker already, which is told this once there is room. */
      readonly message?: NonNullable<Task['message']>;
    }
  | { readonly is: 'starting' }
  | {
      readonly is: 'running';
      readonly as: 'running' | 'waiting' | 'bounced';
      /** Not sent yet. */
      readonly message?: NonNullable<Task['message']>;
      /** Epoch ms: its work is a turn that ends later. */
      readonly toldAt: number;
    }
  | {
      readonly is: 'landing';
      /** Nobody has looked yet at what its work has left, or has to look again. */
      readonly isUnchecked: boolean;
      /** Epoch ms: a turn that ends later was not checked. */
      readonly overAt: number;
      readonly hold?: TaskHold;
    }
  | {
      readonly is: 'ended';
      readonly how: 'landed' | 'done' | 'failed' | 'cancelled';
      readonly isSeenTo: boolean;
      /** Epoch ms: as in landing. */
      readonly overAt: number;
      /** It has failed, since it has left nothing. */
      readonly hold?: TaskHold;
    };

type Kept = Pick<Task, 'state' | 'message' | 'toldAt' | 'overAt' | 'hold' | 'isSeenTo'>;

/** Where nobody has seen its work end, no turn is later than that. */
const never = Number.MAX_SAFE_INTEGER;

/** From the fields as the book keeps them: those that do not count in its state are left aside. */
export function progressOf({ state, message, toldAt = 0, overAt = never, hold, isSeenTo }: Kept): TaskStage {
  switch (state) {
    case 'queued':
    case 'blocked':
      return { is: 'queued', isBlocked: state === 'blocked', ...(message && { message }) };
    case 'starting':
      return { is: 'starting' };
    case 'running':
    case 'waiting':
    case 'bounced':
      return { is: 'running', as: state, toldAt, ...(message && { message }) };
    case 'checking':
    case 'landing':
      return { is: 'landing', isUnchecked: state === 'checking', overAt, ...(hold && { hold }) };
    case 'failed':
      return { is: 'ended', how: state, isSeenTo, overAt, ...(hold && { hold }) };
    case 'landed':
    case 'done':
    case 'cancelled':
      return { is: 'ended', how: state, isSeenTo, overAt };
  }
}

/** As callers see it. */
export function stateOf(task: Kept): TaskState {
  const progress = progressOf(task);
  switch (progress.is) {
    case 'queued':
      return progress.isBlocked ? 'blocked' : 'queued';
    case 'starting':
      return 'starting';
    case 'running':
      return progress.as;
    case 'landing':
      return progress.isUnchecked ? 'checking' : 'landing';
    case 'ended':
      return progress.how;
  }
}
