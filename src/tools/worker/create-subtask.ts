import { subtaskInput } from '../../wire/desk.ts';
import { task } from '../../wire/tasks.ts';
import { defineTool, says } from './tool.ts';

export const createSubtask = defineTool({
  name: 'create_subtask',
  title: 'Create a subtask',
  description: `Enters work for somebody else into the crew's list of tasks, from which the manager has it done. Use it when your task falls into parts that others could do, or when you find work beyond it. Whoever does it knows nothing of your conversation: the prompt must say all. It starts nobody by itself and does not wait; to have your own work looked at use request_review.`,
  input: subtaskInput,
  output: task,
  hints: says,
  handler: (desk, args) => desk.createSubtask(args),
  text: ({ task_id, title }) => `Entered as ${task_id}: ${title}`,
});
