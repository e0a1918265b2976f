import { z } from 'zod';
import { defineTool, says, taken } from './tool.ts';

export const sendToWorker = defineTool({
  name: 'send_to_worker',
  title: 'Send to a worker',
  description: `Sends a note to another worker of your crew, who reads it when its present turn ends, marked as coming from you. Use it for what that worker needs to know, such as a changed interface; kind "finding" for a defect you saw in its work. get_context with scope team lists the workers. It gives no orders and gets no answer: to have something done use create_subtask, to ask use ask_manager.`,
  input: z.strictObject({
    to: z.string().min(1).max(300).describe('Name or id of the worker.'),
    message: z.string().min(1).max(12_000).describe('The note.'),
    kind: z.enum(['note', 'finding']).default('note').describe('What it is.'),
    file: z.string().min(1).max(500).exactOptional().describe('The file it is about.'),
    severity: z.enum(['info', 'low', 'medium', 'high']).exactOptional().describe('Of a finding.'),
  }),
  output: z.object({ ...taken.shape, to: z.object({ session_id: z.string(), name: z.string() }) }),
  hints: says,
  handler: (desk, args) => desk.send(args),
  text: ({ to }) => `${to.name} gets it when its turn ends.`,
});
