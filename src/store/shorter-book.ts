// Makes a book of tasks, plans, schedules and loops shorter: one line each, and a brief one for what has ended long ago. Pure.
import { type Book, emptyBook, planIsClosed, type Task } from '../model/task.ts';
import { type BookChange, foldLines, idsIn, lineOf } from './job-book.ts';
import { endedLongAgo } from './retention.ts';

/** A line for each costs nothing where there are few changes of each. */
const leastBytes = 64 * 1024;
const briefChars = 200;

/** Undefined where little would go, and where a line is none that this version reads: it may be a newer one's. */
export function shorterBook(lines: readonly string[], now: number): readonly string[] | undefined {
  const book = foldLines(emptyBook, lines);
  const isRead = (line: string) =>
    idsIn(line)?.every((id) => [book.tasks, book.plans, book.schedules, book.loops].some((known) => known.has(id))) ===
    true;
  if (!lines.every(isRead)) return undefined;
  const old = oldIn(book, now);
  const schedules = [...book.schedules.values()].filter(({ isRemoved }) => !isRemoved);
  const changes: readonly BookChange[] = [
    ...[...book.tasks.values()].map((task) => ({ tasks: [old.has(task.id) ? briefly(task) : task] })),
    ...[...book.plans.values()].map((plan) => ({ plans: [plan] })),
    ...(book.pausedAt === undefined ? [] : [{ pausedAt: book.pausedAt }]),
    ...schedules.map((schedule) => ({ schedules: [schedule] })),
    ...[...book.loops.values()].map((loop) => ({ loops: [loop] })),
  ];
  const shorter = changes.map(lineOf);
  return bytesOf(lines) - bytesOf(shorter) > leastBytes ? shorter : undefined;
}

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** Ids of tasks that nobody can begin again, and of plans. */
export function oldIn({ tasks, plans }: Book, now: number): ReadonlySet<string> {
  const closed = [...plans.values()].filter(planIsClosed);
  const ended = [...tasks.values()].filter(({ progress, planId = '' }) => {
    const plan = plans.get(planId);
    return progress.is === 'ended' && progress.how !== 'failed' && (plan === undefined || planIsClosed(plan));
  });
  return new Set([...endedLongAgo(ended, now), ...endedLongAgo(closed, now)]);
}

function briefly({ tests: _, clashes: __, lastWords: ___, ...task }: Task): Task {
  const { evidence, prompt } = task;
  return {
    ...task,
    prompt: prompt.length <= briefChars ? prompt : `${prompt.slice(0, briefChars)}…`,
    artefacts: [],
    evidence: { ...evidence, commits: evidence.commits.slice(0, 1) },
  };
}
