import { z } from 'zod';
import { argWord } from '../parameters.ts';
import { defineTool, says, task } from './tool.ts';

export const createSubtask = defineTool({
  name: 'create_subtask',
  title: 'Create a subtask',
  description: `Enters work for somebody else into the crew's list of tasks, from which the manager has it done. Use it when your task falls into parts that others could do, or when you find work beyond it. Whoever does it knows nothing of your conversation: the prompt must say all. It starts nobody by itself and does not wait; to have your own work looked at use request_review.`,
  input: z.strictObject({
    title: z.string().min(1).max(200).describe('A few words.'),
    prompt: z.string().min(1).max(20_000).describe('The whole task.'),
    role: argWord(100).exactOptional().describe('Who should do it, such as tester.'),
    priority: z.int().min(0).max(10).default(5).describe('10 is first.'),
    wait_for_me: z.boolean().default(false).describe('Not before your present work is done.'),
  }),
  output: task,
  hints: says,
  handler: (desk, args) => desk.createSubtask(args),
  text: ({ task_id, title }) => `Entered as ${task_id}: ${title}`,
});
