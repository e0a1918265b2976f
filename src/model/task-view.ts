// A task as the wire shows it. Pure.
import { isoTime } from './clock.ts';
import type { Task, TaskView } from './task.ts';

export const taskView = ({ id, from, role, dependsOn, afterFrom, at, ...task }: Task): TaskView => ({
  task_id: id,
  kind: task.kind,
  title: task.title,
  status: task.status,
  priority: task.priority,
  ...(role === undefined ? {} : { role }),
  depends_on: dependsOn,
  ...(from === undefined ? {} : { from: { session_id: from.id, name: from.name } }),
  wait_for_me: afterFrom,
  files: task.files,
  created_at: isoTime(at),
});
