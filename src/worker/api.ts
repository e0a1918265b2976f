// What a worker's own tools may ask of its crew. Floor 3 sees this type and nothing else of this room.
import type { Progress, Report } from '../model/report.ts';

/** Every call proves first whose it is, and throws `not_a_worker` when it cannot. */
export interface Desk {
  progress(word: Progress): Promise<Taken>;
  report(report: Report): Promise<Taken>;
  dispose(): Promise<void>;
}

/** On disk, where the manager reads it whatever becomes of this process. */
export interface Taken {
  readonly taken: true;
  readonly id: string;
}
