import { subtaskInput } from '../../wire/desk.ts';
import { task } from '../../wire/tasks.ts';
import { defineTool, says } from './tool.ts';

export const createSubtask = defineTool({
  name: 'create_subtask',
  title: 'Create a subtask',
  description: `Enters work for somebody else into the crew's list of tasks. Use it when your task has parts that others could do, or when you find work beyond it. Whoever does it knows nothing of your conversation: the prompt must say all. It starts when your manager lets it, and this call does not wait; to have your work looked at use request_review.`,
  input: subtaskInput,
  output: task,
  hints: says,
  handler: (desk, args) => desk.createSubtask(args),
  text: ({ task_id, title }) => `Entered as ${task_id}: ${title}`,
});
