// The tasks of a crew: an appended line holds a whole task, and the last line of an id counts.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../jsonl/append.ts';
import { readEntries } from '../jsonl/slice.ts';
import { CrewError } from '../model/errors.ts';
import { type Task, taskKinds, taskStatuses } from '../model/task.ts';

const task = z.object({
  id: z.string(),
  kind: z.enum(taskKinds),
  title: z.string(),
  prompt: z.string(),
  role: z.string().exactOptional(),
  priority: z.number(),
  dependsOn: z.array(z.string()),
  from: z.object({ id: z.string(), name: z.string() }).exactOptional(),
  afterFrom: z.boolean(),
  depth: z.number(),
  files: z.array(z.string()),
  status: z.enum(taskStatuses),
  at: z.number(),
});
const line = z.object({ v: z.literal(1), task });

export interface CrewPlace {
  readonly home: string;
  /** Name of the crew. */
  readonly crew: string;
}

function pathOf({ home, crew }: CrewPlace): string {
  if (/^[\w-][\w.-]*$/.test(crew)) return join(home, 'tasks', `${crew}.jsonl`);
  throw new CrewError('internal', `A bug in crewmux: ${JSON.stringify(crew)} names no crew.`, 'Please report it.');
}

/** Enters a task, or puts it in the place of the one with its id; on disk when it resolves. */
export async function putTask(place: CrewPlace, entered: Task): Promise<void> {
  await mkdir(join(place.home, 'tasks'), { recursive: true, mode: 0o700 });
  await appendLine(pathOf(place), JSON.stringify({ v: 1, task: entered }), { fsync: true });
}

/** In the order they were entered. */
export async function readTasks(place: CrewPlace): Promise<readonly Task[]> {
  const entered = await readEntries(pathOf(place), line);
  return [...new Map(entered.map(({ task }) => [task.id, task])).values()];
}
