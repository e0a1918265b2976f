// The books that this server reads: those of its own crews, and all where the room for more work is counted.
import type { Queries, Work } from '../../crew/api.ts';
import type { Clock, Disposer } from '../../model/clock.ts';
import type { Book, Task } from '../../model/task.ts';
import { isActive } from '../../model/task-state.ts';
import { crewsWithBooks, type OpenBook, openBook } from '../../store/job-book.ts';

export interface JobBooks {
  /** Opens the book of a crew, and follows it from then on. */
  open(crew: string): Promise<OpenBook>;
  opened(): readonly OpenBook[];
  /** Opens every book there is, and reads what is new in each. */
  openAll(): Promise<void>;
  /** How many tasks are at work, in all open books. */
  active(): number;
  onChange(listen: () => void): Disposer;
  close(): Promise<void>;
}

export function openJobBooks(
  home: string,
  options: { readonly clock: Clock; readonly onTrouble: (error: unknown) => void },
): JobBooks {
  const books = new Map<string, Promise<OpenBook>>();
  const opened = new Map<string, OpenBook>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listen of [...listeners]) listen();
  };
  const open = (crew: string): Promise<OpenBook> => {
    const known = books.get(crew);
    if (known !== undefined) return known;
    const opening = openBook({ home, crew }, options).then((book) => {
      opened.set(crew, book);
      book.onChange(tell);
      return book;
    });
    books.set(crew, opening);
    opening.catch(() => books.delete(crew));
    return opening;
  };
  return {
    open,
    opened: () => [...opened.values()],
    async openAll() {
      const all = await Promise.all((await crewsWithBooks(home)).map(open));
      await Promise.all(all.map((book) => book.catchUp()));
    },
    active: () => [...opened.values()].reduce((sum, book) => sum + activeIn(book.now()), 0),
    onChange(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    async close() {
      await Promise.all([...opened.values()].map((book) => book.close()));
    },
  };
}

const activeIn = ({ tasks }: Book): number => [...tasks.values()].filter(isActive).length;

/** The workers of these books: those that live, and those of the tasks. */
export const worksIn = (
  { crew }: { readonly crew: Pick<Queries, 'work'> },
  books: readonly Pick<OpenBook, 'crew'>[],
  tasks: readonly Pick<Task, 'id'>[],
): Works =>
  new Map(
    crew
      .work({ crews: books.map((book) => book.crew), tasks: new Set(tasks.map(({ id }) => id)) })
      .map((work) => [work.id, work]),
  );

export type Works = ReadonlyMap<string, Work>;
