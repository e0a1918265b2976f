import { reviewInput } from '../../wire/desk.ts';
import { task } from '../../wire/tasks.ts';
import { defineTool, says } from './tool.ts';

export const requestReview = defineTool({
  name: 'request_review',
  title: 'Request a review',
  description: `Asks for somebody to look at your work: enters a review of your branch into the crew's list of tasks. Use it when something is worth a second pair of eyes. It begins after your present turn, on your commits then. Its report comes to you as a note. It does not wait; list_subtasks shows its state. For the manager's answer use ask_manager.`,
  input: reviewInput,
  output: task,
  hints: says,
  handler: (desk, args) => desk.requestReview(args),
  text: ({ task_id }) => `Entered as ${task_id}.`,
});
