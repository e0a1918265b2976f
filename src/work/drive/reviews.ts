// A review that a worker asked for: what its reviewer is told, and who hears of its report.
import type { Comparing, Messages } from '../../crew/api.ts';
import type { Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { workerOf } from './branch-look.ts';

/** It reads and reports, whatever its role may do. */
export const reviewRules = ({ kind }: Pick<Task, 'kind'>) => (kind === 'review' ? ({ preset: 'review' } as const) : {});

/** What of its author's work the reviewer does not see; nothing where that cannot be told. */
export async function leftOut(crew: Pick<Comparing, 'branchOf'>, { kind, from }: Task): Promise<string> {
  if (kind !== 'review' || from === undefined) return '';
  const looked = await crew.branchOf({ worker: from.id }).catch(() => undefined);
  return leftOutWords(from.name, looked?.dirtyFiles ?? 0);
}

/** Pure. */
export const leftOutWords = (author: string, files: number): string =>
  files === 0
    ? ''
    : `${author} has ${files === 1 ? '1 file that is' : `${files} files that are`} in no commit. You see the commit alone: say so in your report.`;

/** Its author hears of it as of any note; the manager reads the report itself. Told once, however often it is asked. */
export async function tellAuthor(crew: Pick<Messages, 'passReport'>, task: Task): Promise<void> {
  const { kind, from, id, round, title } = task;
  if (kind !== 'review' || from === undefined || stateOf(task) !== 'done') return;
  await crew.passReport({ worker: workerOf(task), to: from.id, id: `${id}-${round}`, about: title });
}
