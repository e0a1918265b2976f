// Tasks and plans for a process that is no server: it reads their books, writes nothing and drives nothing.
import type { Planning } from '../../crew/api.ts';
import type { Clock } from '../../model/clock.ts';
import { crewsWithBooks } from '../../store/job-book.ts';
import type { JobsView } from '../api.ts';
import { openShelf } from '../drive/shelf.ts';
import type { Sight } from './room.ts';
import { listTasks } from './tasks.ts';
import { glanceAt, planStatus } from './views.ts';

export interface TasksLooking {
  readonly crew: Sight['crew'] & Pick<Planning, 'place'>;
  readonly clock: Clock;
  /** The state folder. */
  readonly home: string;
  readonly limit: () => number;
  readonly onTrouble: (error: unknown) => void;
}

/** How often a project is looked at that has no book yet. */
const lookEveryMs = 2_000;

/** Of the project that it stands in; a plan of another is found by its id. */
export async function lookAtJobs({ crew, clock, home, limit, onTrouble }: TasksLooking): Promise<JobsView> {
  const shelf = openShelf(home, { clock, onTrouble });
  const own = await crew.place({ project: 'auto' }).catch(() => undefined);
  const isThere = () => shelf.opened().some((book) => book.crew === own?.crew);
  const openOwn = async (): Promise<boolean> => {
    // Opening a book makes its folder where there is none.
    if (own !== undefined && (await crewsWithBooks(home)).includes(own.crew)) await shelf.open(own.crew);
    return isThere();
  };
  await openOwn();
  const sight: Sight = { crew, shelf, clock, limit, drives: () => false };
  return {
    list: (query) => listTasks(sight, query),
    planStatus: ({ planId }) => planStatus(sight, planId),
    glance: () => glanceAt(sight),
    onChange(listen) {
      let stopLooks: () => void = () => undefined;
      let isOver = false;
      const lookLater = () => {
        if (isOver || isThere()) return;
        stopLooks = clock.after(lookEveryMs, () => {
          const look = openOwn().then((isNew) => (isNew ? listen() : lookLater()));
          void look.catch(onTrouble);
        });
      };
      lookLater();
      const stop = shelf.onChange(listen);
      return () => {
        isOver = true;
        stopLooks();
        stop();
      };
    },
    dispose: () => shelf.close(),
  };
}
