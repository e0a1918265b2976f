// What the agent says it is doing, from what it is doing.

export interface Status {
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell';
  readonly waitingFor?: string;
}

export interface Doing {
  readonly waitingFor: string | undefined;
  readonly hasTurn: boolean;
  readonly tasks: readonly { readonly type: 'subagent' | 'shell' }[];
}

/** A subagent keeps it busy after its turn; a shell has a word of its own. */
export function statusOf({ waitingFor, hasTurn, tasks }: Doing): Status {
  if (waitingFor !== undefined) return { status: 'waiting', waitingFor };
  if (hasTurn || tasks.some(({ type }) => type === 'subagent')) return { status: 'busy' };
  return { status: tasks.length > 0 ? 'shell' : 'idle' };
}
