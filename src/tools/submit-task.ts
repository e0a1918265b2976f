import { defined } from '../model/defined.ts';
import { submitTaskInput, submitTaskOutput } from '../wire/tasks.ts';
import { defineTool } from './job-tool.ts';
import { changedLines } from './job-words.ts';
import { lines } from './words.ts';

export const submitTask = defineTool({
  name: 'submit_task',
  set: 'plans',
  title: 'Submit a task',
  description: `Queues one task; a worker begins it when there is room and what it depends on has ended well. Use it for work that may wait for its turn and land by itself; wait_tasks tells its end. For jobs that land together use create_plan, to talk with a worker spawn_workers, which explains role, model. It does not wait, and without on_complete nothing lands.`,
  input: submitTaskInput,
  output: submitTaskOutput,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  handler: ({ jobs }, args, { here }) => jobs.submit({ ...args, ...defined({ here }) }),
  text: (task) => lines(changedLines(task)),
});
