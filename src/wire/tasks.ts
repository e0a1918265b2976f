// A task of the crew as callers see it.
import { z } from 'zod';
import { isoTime } from '../model/clock.ts';
import { defined } from '../model/defined.ts';
import { type Task, taskKinds, taskStatuses } from '../model/task.ts';
import { list, type Shape } from './parts.ts';

export const task = z.object({
  task_id: z.string(),
  kind: z.enum(taskKinds),
  title: z.string(),
  status: z.enum(taskStatuses),
  priority: z.number(),
  role: z.string().exactOptional(),
  depends_on: list(z.string()),
  from: z.object({ session_id: z.string(), name: z.string() }).exactOptional(),
  wait_for_me: z.boolean(),
  files: list(z.string()),
  created_at: z.string(),
});
export type TaskView = Shape<typeof task>;

export const taskView = ({ id, from, role, dependsOn, afterFrom, at, ...task }: Task): TaskView => ({
  task_id: id,
  kind: task.kind,
  title: task.title,
  status: task.status,
  priority: task.priority,
  ...defined({ role }),
  depends_on: dependsOn,
  ...(from === undefined ? {} : { from: { session_id: from.id, name: from.name } }),
  wait_for_me: afterFrom,
  files: task.files,
  created_at: isoTime(at),
});
