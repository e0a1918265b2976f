// What is read, for the tasks that are to start, of their roles and accounts, and for those at work whose their workers are.
import type { Crew, RoleFacts } from '../../crew/api.ts';
import type { Book, Task } from '../../model/task.ts';
import { isPast } from '../../model/task-state.ts';
import { anyAgent } from '../../model/worker.ts';
import { type Facts, workOf } from '../judge/facts.ts';

const startingOf = ({ tasks }: Book): readonly Task[] =>
  [...tasks.values()].filter(({ progress: { is } }) => is === 'queued' || is === 'starting');

/** Resolves when no task of the book that is to start lacks its role, those that came meanwhile included. */
export async function rolesFor(crew: Pick<Crew, 'roleFacts'>, book: () => Book): Promise<Facts['roles']> {
  const read = async ({ id, project, role }: Task): Promise<readonly [string, RoleFacts]> => {
    return [id, role === undefined ? {} : await crew.roleFacts({ project, role })];
  };
  const known = new Map<string, RoleFacts>();
  for (;;) {
    const unknown = startingOf(book()).filter(({ id }) => !known.has(id));
    if (unknown.length === 0) return known;
    for (const [id, role] of await Promise.all(unknown.map(read))) known.set(id, role);
  }
}

export function accountsFor(crew: Pick<Crew, 'accounts'>, book: Book): Facts['accounts'] {
  const waiting = startingOf(book);
  // Read anew before each step, and only such a task weighs the other agents.
  const takesAny = new Set(waiting.filter((task) => task.agentType === anyAgent).map(({ project }) => project));
  const projects = [...new Set(waiting.map(({ project }) => project))];
  return new Map(
    projects.map((project) => [project, crew.accounts({ project, withOthers: takesAny.has(project) })] as const),
  );
}

/** Of tasks that go on. */
const worksOf = (facts: Facts) =>
  [...facts.book.tasks.values()].flatMap((task) => (isPast(facts.book, task) ? [] : (workOf(facts, task) ?? [])));

/** Workers of tasks that go on. */
export const workersIn = (facts: Facts): readonly string[] => worksOf(facts).map(({ id }) => id);

/** Those of them that another server manages. */
export const othersIn = (facts: Facts): readonly string[] =>
  worksOf(facts).flatMap(({ id, isOthers }) => (isOthers ? [id] : []));
