import { updateTaskInput, updateTaskOutput } from '../wire/tasks.ts';
import { defineTool } from './job-tool.ts';
import { nextLines, taskLine } from './job-words.ts';
import { lines } from './words.ts';

export const updateTask = defineTool({
  name: 'update_task',
  set: 'plans',
  title: 'Update a task',
  description: `Changes one task: start what came from create_subtask, cancel it (a turn is interrupted, the branch stays), retry it, change its priority, or edit it. Use it as next_calls shows. For what a plan waits for use approve_plan, for its jobs edit_plan. It does not wait for the work.`,
  input: updateTaskInput,
  output: updateTaskOutput,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  handler: ({ jobs }, args) => jobs.update(args),
  text: (task) => lines([taskLine(task), ...nextLines(task.next_calls)]),
});
