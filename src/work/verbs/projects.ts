// Every project of this user in a line: its workers, its open tasks and plans, and who needs somebody.
import type { Queries } from '../../crew/api.ts';
import { schedulesIn } from '../../model/schedule.ts';
import { type Book, planHasEnded } from '../../model/task.ts';
import { hasEnded } from '../../model/task-state.ts';
import { crewsWithBooks, readBook } from '../../store/job-book.ts';
import type { ProjectLine } from '../../wire/status.ts';
import { checkpointsOf } from '../judge/checkpoint.ts';
import { scheduleName } from './board.ts';
import { shownLoopState } from './loop-lines.ts';

type CrewLines = Awaited<ReturnType<Queries['crews']>>;
type CrewBook = readonly [crew: string, book: Book];

/** Reads the book of every crew as it stands, and opens none. */
export async function readProjects(home: string, crew: Pick<Queries, 'crews'>): Promise<readonly ProjectLine[]> {
  const books = (await crewsWithBooks(home)).map(
    async (name): Promise<CrewBook> => [name, await readBook({ home, crew: name })],
  );
  const [lines, read] = await Promise.all([crew.crews(), Promise.all(books)]);
  return projectLines(lines, read);
}

/** Those with a worker that is not closed, with work that has not ended, or that need somebody; by their paths. Pure. */
export function projectLines(crews: CrewLines, books: readonly CrewBook[]): readonly ProjectLine[] {
  const open = new Map(books.map(([crew, book]) => [crew, openIn(book)]));
  const names = new Set([...crews.map(({ crew }) => crew), ...open.keys()]);
  const lines = [...names].flatMap((name): readonly ProjectLine[] => {
    const crew = crews.find((one) => one.crew === name);
    const { path = '', tasks = 0, plans = 0, needs = [] } = open.get(name) ?? {};
    if (crew === undefined && tasks + plans + needs.length === 0) return [];
    const all = { workers: crew?.workers ?? {}, tasks, plans, needs: [...(crew?.needs ?? []), ...needs] };
    return [{ path: crew?.path ?? path, ...all }];
  });
  return lines.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function openIn(book: Book) {
  const plans = [...book.plans.values()].filter((plan) => !planHasEnded(plan));
  const tasks = [...book.tasks.values()].filter((task) => task.planId === undefined && !hasEnded(task));
  const loops = [...book.loops.values()].filter((loop) => shownLoopState(loop) === 'paused');
  const schedules = schedulesIn(book).filter(({ pausedBecause }) => pausedBecause !== undefined);
  return {
    path: (plans[0] ?? tasks[0] ?? loops[0] ?? schedules[0])?.project ?? '',
    tasks: tasks.length,
    plans: plans.length,
    needs: [
      ...plans.flatMap((plan) => checkpointsOf(book, plan).map(({ why }) => `plan ${plan.name}: ${why}`)),
      ...loops.map(({ id, reason = 'paused' }) => `loop ${id}: ${reason}`),
      ...schedules.map((one) => `schedule ${scheduleName(one)}: ${one.pausedBecause}`),
    ],
  };
}
