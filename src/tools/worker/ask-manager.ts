import { askInput, askOutput } from '../../wire/desk.ts';
import { defineTool, says } from './tool.ts';

export const askManager = defineTool({
  name: 'ask_manager',
  title: 'Ask the manager',
  description: `Asks your manager a question and waits for the answer, as long as this client allows; an answer that comes later arrives as a message. Use it when you cannot decide alone: an unclear task, a choice with consequences, something only your manager knows. Try to find out by yourself first, and give options where you can. It is not for permission to use a tool, which your own program asks for, nor for telling something: use report_progress.`,
  input: askInput,
  output: askOutput,
  hints: says,
  alwaysLoad: true,
  handler: (desk, args, call) => desk.ask(args, call),
  text: ({ answer, next }) => answer ?? next,
});
