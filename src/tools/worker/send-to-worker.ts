import { sendInput, sendOutput } from '../../wire/desk.ts';
import { defineTool, says } from './tool.ts';

export const sendToWorker = defineTool({
  name: 'send_to_worker',
  title: 'Send to a worker',
  description: `Sends a note to another worker of your crew, who reads it when its present turn ends. Use it for what that worker needs to know, such as a changed interface; kind "finding" for a defect in its work. get_context with scope team lists the workers. It gives no orders and gets no answer: use create_subtask or ask_manager for those.`,
  input: sendInput,
  output: sendOutput,
  hints: says,
  handler: (desk, args) => desk.send(args),
  text: ({ to }) => `${to.name} gets it when its turn ends.`,
});
