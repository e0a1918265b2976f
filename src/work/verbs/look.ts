// Tasks and plans for a process that is no server: it reads their books, writes nothing and drives nothing.
import type { Clock } from '../../model/clock.ts';
import { crewsWithBooks } from '../../store/job-book.ts';
import type { JobsView } from '../api.ts';
import { openJobBooks } from '../drive/job-books.ts';
import { jobsOf } from '../judge/facts.ts';
import { knownTemplates } from '../templates/known.ts';
import { templateOf } from '../templates/save.ts';
import { lookAtLoop } from './loops.ts';
import { type DigestSource, readDigest } from './read-digest.ts';
import { listSchedules } from './schedules.ts';
import { listTasks } from './tasks.ts';
import { findPlan, type TasksReader } from './tasks-context.ts';
import { planStatus, summarizeJobs } from './views.ts';

export interface TasksLooking {
  readonly crew: TasksReader['crew'] & DigestSource;
  readonly clock: Clock;
  /** The state folder. */
  readonly home: string;
  readonly limit: () => number;
  readonly templates: TasksReader['templates'];
  readonly onTrouble: (error: unknown) => void;
}

/** How often a project is looked at that has no book yet. */
const lookEveryMs = 2_000;

/** Of the project that it stands in; a plan of another is found by its id. */
export async function lookAtJobs({ crew, clock, home, limit, templates, onTrouble }: TasksLooking): Promise<JobsView> {
  const jobBooks = openJobBooks(home, { clock, onTrouble });
  const own = await crew.place({ project: 'auto' }).catch(() => undefined);
  const isThere = () => jobBooks.opened().some((book) => book.crew === own?.crew);
  const openOwn = async (): Promise<boolean> => {
    // Opening a book makes its folder where there is none.
    if (own !== undefined && (await crewsWithBooks(home)).includes(own.crew)) await jobBooks.open(own.crew);
    return isThere();
  };
  await openOwn();
  const sight: TasksReader = { crew, jobBooks, clock, limit, templates, drives: () => false };
  return {
    list: (query) => listTasks(sight, query),
    planStatus: ({ planId }) => planStatus(sight, planId),
    jobsSummary: () => summarizeJobs(sight),
    digest: ({ since }) => readDigest(sight, crew, since),
    schedules: () => listSchedules(sight),
    loop: () => lookAtLoop(sight),
    async templates() {
      const { project } = await crew.place({ project: 'auto' });
      return knownTemplates(await templates(project));
    },
    async savedTemplate({ planId, name }) {
      const { book, plan } = await findPlan(sight, planId);
      return templateOf(plan, jobsOf(book.now(), plan), name);
    },
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
      const stop = jobBooks.onChange(listen);
      return () => {
        isOver = true;
        stopLooks();
        stop();
      };
    },
    dispose: () => jobBooks.close(),
  };
}
