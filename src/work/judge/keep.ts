// What a keeper does next: it drives a project while no manager's server of it lives, as long as work is left. Pure.

export interface KeepFacts {
  /** Servers of the project that managers have started, and that live. */
  readonly managers: number;
  /** `later` where a schedule waits for its time or a loop for a person, and all else has ended. */
  readonly left: 'now' | 'later' | 'nothing';
  /** A person has asked for its end. */
  readonly isStopped: boolean;
  /** It has a driver, which holds the lease or may take it. */
  readonly isDriving: boolean;
}

export type KeepStep = 'drive' | 'let-go' | 'wait' | 'end';

export function keepStep({ managers, left, isStopped, isDriving }: KeepFacts): KeepStep {
  const drives = managers === 0 && left === 'now' && !isStopped;
  if (isDriving) return drives ? 'wait' : 'let-go';
  if (isStopped || left === 'nothing') return 'end';
  return drives ? 'drive' : 'wait';
}

const acts: Readonly<Record<KeepStep, string>> = { drive: 'drives', 'let-go': 'lets go', wait: 'waits', end: 'ends' };

/** The step in a line for a person. */
export function keepWords(step: KeepStep, { left, isStopped }: KeepFacts, managerPid?: number): string {
  const here = managerPid === undefined ? 'no manager is here' : `a manager is here (process ${managerPid})`;
  const leftWords = { now: here, later: 'nothing is due', nothing: 'nothing is left to do' };
  return `${isStopped ? 'stopped' : leftWords[left]}: ${acts[step]}`;
}
