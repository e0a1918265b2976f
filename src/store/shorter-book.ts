// Makes a book of tasks, plans, schedules and loops shorter: one line each, and a brief one for what has ended long ago. Pure.
import { type Book, emptyBook, type Plan, planIsClosed, type Task } from '../model/task.ts';
import { foldLines, idsIn, lineOf } from './job-book.ts';
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
  const tasks = [...book.tasks.values()].map((task) => lineOf({ tasks: [old.has(task.id) ? briefly(task) : task] }));
  const plans = [...book.plans.values()].map((plan) => lineOf({ plans: [plan] }));
  const schedules = [...book.schedules.values()].filter(({ isRemoved }) => !isRemoved);
  const pause = book.pausedAt === undefined ? [] : [lineOf({ pausedAt: book.pausedAt })];
  const others = [
    ...schedules.map((one) => lineOf({ schedules: [one] })),
    ...[...book.loops.values()].map((one) => lineOf({ loops: [one] })),
  ];
  const shorter = [...tasks, ...plans, ...pause, ...others];
  const [before, after] = [lines, shorter].map(bytesOf);
  return before !== undefined && after !== undefined && before - after > leastBytes ? shorter : undefined;
}

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** Ids of tasks that nobody can begin again, and of plans. */
export function oldIn({ tasks, plans }: Book, now: number): ReadonlySet<string> {
  const closed = [...plans.values()].filter(planIsClosed);
  const isClosed = (id: string) => !plans.has(id) || closed.some((plan: Plan) => plan.id === id);
  const ended = [...tasks.values()].filter(
    ({ progress, planId }) =>
      progress.is === 'ended' && progress.how !== 'failed' && (planId === undefined || isClosed(planId)),
  );
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
