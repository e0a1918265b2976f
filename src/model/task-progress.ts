// How far the work of a task is: a union that has what counts in each part of its way, and nothing else. Pure.

export const taskStates = [
  'queued',
  'blocked',
  'starting',
  'running',
  'waiting',
  'checking',
  'landing',
  'bounced',
  'landed',
  'done',
  'failed',
  'cancelled',
] as const;
/** As callers see it. */
export type TaskState = (typeof taskStates)[number];
/** Those in which it has ended. */
export const taskEnds: ReadonlySet<TaskState> = new Set(['landed', 'done', 'failed', 'cancelled']);

/** Why finished work does not land without somebody. */
export interface TaskHold {
  /**
   * `red_tests`: they fail on the target without it too. `nothing`: it was to bring a commit, and has failed since it
   * left none.
   */
  readonly why: 'touch_set' | 'checkout_in_the_way' | 'red_tests' | 'nothing' | 'other';
  readonly words: string;
  readonly files: readonly string[];
}

/** Sent to the worker under this id, at most once. */
interface Message {
  readonly id: string;
  readonly text: string;
}

export type TaskStage =
  | {
      readonly is: 'queued';
      /** Something that it depends on has ended badly. */
      readonly isBlocked: boolean;
      /** It has a worker already, which is told this once there is room. */
      readonly next?: { readonly message: Message; readonly toldAt: number };
    }
  | { readonly is: 'starting' }
  | {
      readonly is: 'running';
      readonly as: 'running' | 'waiting' | 'bounced';
      /** Not sent yet. */
      readonly message?: Message;
      /** Epoch ms at which the worker was last told something: its work is a turn that ends later. */
      readonly toldAt: number;
    }
  | {
      readonly is: 'landing';
      /** Nobody has looked yet at what its work has left, or has to look again. */
      readonly isUnchecked: boolean;
      /** Epoch ms at which the end of its work was seen: what a turn that ends later has done is not checked. */
      readonly overAt: number;
      readonly hold?: TaskHold;
    }
  | {
      readonly is: 'ended';
      readonly how: 'landed' | 'done' | 'failed' | 'cancelled';
      /** Its worker was closed, or what tells of its failure was kept. */
      readonly isSeenTo: boolean;
      /** It has failed, since it has left nothing. */
      readonly hold?: TaskHold;
      /** Epoch ms: as in landing, of what is held. */
      readonly overAt?: number;
    };
export type ProgressAt<Is extends TaskStage['is']> = Extract<TaskStage, { readonly is: Is }>;

/** What is asked here counts for a task, and for what it is about to become. */
export interface Progressing {
  readonly progress: TaskStage;
}

/** Where nobody has seen its work end, no turn is later than that. */
export const never = Number.MAX_SAFE_INTEGER;

export const queued: ProgressAt<'queued'> = { is: 'queued', isBlocked: false };
/** Its worker was told nothing since its start, so all that it does is work on this. */
export const atWork: ProgressAt<'running'> = { is: 'running', as: 'running', toldAt: 0 };

export const ended = (how: ProgressAt<'ended'>['how']): ProgressAt<'ended'> => ({ is: 'ended', how, isSeenTo: false });

export const overAtOf = ({ progress }: Progressing): number => (progress.is === 'landing' ? progress.overAt : never);

/** What was checked is to land, unless it is held. */
export const landing = (task: Progressing, hold?: TaskHold): TaskStage => ({
  is: 'landing',
  isUnchecked: false,
  overAt: overAtOf(task),
  ...(hold && { hold }),
});

export function stateOf({ progress }: Progressing): TaskState {
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
