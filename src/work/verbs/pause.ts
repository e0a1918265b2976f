// The verb that holds the starts and landings of a project, and who is told of it.
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { PausableProject } from '../../wire/tasks.ts';
import type { Jobs } from '../api.ts';
import type { TasksContext, TasksReader } from './tasks-context.ts';

/** Kept in the book, so that every server holds to it, and the next one too. */
export async function pauseOrResume(
  room: TasksContext,
  { action, here }: Parameters<Jobs['pauseOrResume']>[0],
): Promise<PausableProject> {
  const place = await room.crew.place({ project: 'auto', ...defined({ here }) });
  const book = await room.drive(place.crew);
  await book.catchUp();
  const isPause = action === 'pause';
  if (isPause !== (book.now().pausedAt !== undefined))
    await book.write({ pausedAt: isPause ? room.clock.now() : null });
  return { projectPath: place.project, ...pauseOf(book.now().pausedAt) };
}

/** Of the project that `auto` leads to. */
export async function pauseHere(
  { crew, jobBooks }: Pick<TasksReader, 'crew' | 'jobBooks'>,
  here: string | undefined,
): Promise<ReturnType<typeof pauseOf>> {
  const paused = jobBooks.opened().filter((book) => book.now().pausedAt !== undefined);
  if (paused.length === 0) return {};
  const place = await crew.place({ project: 'auto', ...defined({ here }) }).catch(() => undefined);
  return pauseOf(paused.find((book) => book.crew === place?.crew)?.now().pausedAt);
}

const pauseOf = (at: number | undefined): Pick<PausableProject, 'paused'> =>
  at === undefined ? {} : { paused: { since: isoTime(at) } };
