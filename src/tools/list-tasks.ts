import { counted } from '../model/plural.ts';
import { listTasksInput, listTasksOutput } from '../wire/tasks.ts';
import { defineTool } from './job-tool.ts';
import { distinct, nextLines, taskLine } from './job-words.ts';

export const listTasks = defineTool({
  name: 'list_tasks',
  set: 'plans',
  title: 'List tasks',
  description: `Lists tasks, jobs of plans, and what workers have entered: state, worker, evidence of the work, and the calls that bring each further. Use it to find a task or to see why one stands still. To await an end use wait_tasks, never this in a loop; for a plan as a whole plan_status.`,
  input: listTasksInput,
  output: listTasksOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  long: { field: 'tasks', hint: 'Pass state, plan_id, role, tag, from, kind or task_id for the rest.' },
  handler: ({ jobs }, args) => jobs.list(args),
  text: ({ tasks, running, limit, driver }) =>
    distinct([
      `${counted(tasks.length, 'task')}. At work: ${running} of at most ${limit}. ${drivers[driver]}`,
      ...tasks.flatMap((task) => [taskLine(task), ...nextLines(task.next_calls)]),
    ]),
});

const drivers = {
  this: 'This server starts and lands them.',
  other: 'Another server starts and lands them.',
  none: 'No server starts or lands them now.',
};
