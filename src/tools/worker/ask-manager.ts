import { z } from 'zod';
import { defineTool, says } from './tool.ts';

export const askManager = defineTool({
  name: 'ask_manager',
  title: 'Ask the manager',
  description: `Asks your manager a question and waits for the answer, as long as this client allows; an answer that comes later arrives as a message. Use it when you cannot decide alone: an unclear task, a choice with consequences, something only your manager knows. Try to find out by yourself first, and give options where you can. It is not for permission to use a tool, which your own program asks for, nor for telling something: use report_progress.`,
  input: z.strictObject({
    question: z.string().min(1).max(4_000).describe('The question, with what your manager needs to know to answer it.'),
    options: z
      .array(z.string().min(1).max(300))
      .max(8)
      .default([])
      .describe('Possible answers, the one you would choose first.'),
    wait_seconds: z
      .number()
      .min(0)
      .max(1_800)
      .exactOptional()
      .describe('Wait at most this long; 0 goes on at once and takes the answer as a message.'),
  }),
  output: z.object({
    request_id: z.string(),
    answered: z.boolean(),
    answer: z.string().exactOptional(),
    answered_by: z.enum(['manager', 'person']).exactOptional(),
    next: z.string(),
  }),
  hints: says,
  alwaysLoad: true,
  handler: (desk, args, call) => desk.ask(args, call),
  text: ({ answer, next }) => answer ?? next,
});
