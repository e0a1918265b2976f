// Enters work for other workers into the crew's list of tasks.
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import type { Task } from '../model/task.ts';
import { putTask, readTasks } from '../store/task-list.ts';
import type { ReviewRequest, SubtaskRequest, SubtasksResult } from '../wire/desk.ts';
import { type TaskView, taskView } from '../wire/tasks.ts';
import { crewOf, type Me, say } from './me.ts';

/** The depth of the worker itself; workers have no task of their own yet. */
const ownDepth = 0;

export const createSubtask = (me: Me, { title, prompt, role, priority, wait_for_me }: SubtaskRequest) =>
  enter(me, {
    kind: 'task',
    title,
    prompt,
    priority,
    afterFrom: wait_for_me,
    files: [],
    ...defined({ role }),
  });

/** A review comes before new work. */
export async function requestReview(me: Me, { description, files }: ReviewRequest): Promise<TaskView> {
  const { mine } = await crewOf(me);
  const place = mine.branch === undefined ? mine.projectPath : `branch ${mine.branch} (${mine.projectPath})`;
  const [first = ''] = description.trim().split('\n');
  return enter(me, {
    kind: 'review',
    title: `Review ${mine.name}: ${first.slice(0, 80)}`,
    prompt: `Review the work of ${mine.name} on ${place}. The worker says of it:\n\n${description}`,
    role: 'reviewer',
    priority: 7,
    afterFrom: false,
    files,
  });
}

export async function listSubtasks(me: Me): Promise<SubtasksResult> {
  const { mine } = await crewOf(me);
  const tasks = (await readTasks({ home: me.home, crew: mine.crew })).filter(({ from }) => from?.id === mine.id);
  return { tasks: tasks.map(taskView), count: tasks.length };
}

type Entered = Omit<Task, 'id' | 'dependsOn' | 'from' | 'depth' | 'status' | 'at'>;

async function enter(me: Me, entered: Entered): Promise<TaskView> {
  const { mine } = await crewOf(me);
  const place = { home: me.home, crew: mine.crew };
  const { openSubtasks, subtaskDepth } = me.limits;
  const depth = ownDepth + 1;
  if (depth > subtaskDepth) {
    throw new CrewError(
      'limit_reached',
      `A task of yours would be ${depth} deep; ${subtaskDepth} is the most (limits.subtask_depth).`,
      'Do it yourself, or name it in your report.',
    );
  }
  const queued = (await readTasks(place)).filter(({ from, status }) => from?.id === mine.id && status === 'queued');
  if (queued.length >= openSubtasks) {
    throw new CrewError(
      'limit_reached',
      `${queued.length} tasks of yours are queued; ${openSubtasks} is the most (limits.open_subtasks).`,
      'Name the rest in your report.',
    );
  }
  const from = { id: mine.id, name: mine.name };
  const task: Task = { ...entered, id: newNonce(), dependsOn: [], from, depth, status: 'queued', at: me.clock.now() };
  await putTask(place, task);
  await say(me, { kind: 'task', task: { id: task.id, kind: task.kind, title: task.title } });
  return taskView(task);
}
