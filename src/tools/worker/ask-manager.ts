import { askInput, askOutput } from '../../wire/desk.ts';
import { defineTool, says } from './tool.ts';

export const askManager = defineTool({
  name: 'ask_manager',
  title: 'Ask the manager',
  description: `Asks your manager and waits for the answer as long as this client allows; a later answer arrives as a message. Use it when you cannot decide alone: an unclear task, a choice with consequences. Try to find out by yourself first, and give options. It is not for permission to use a tool, nor for telling something: use report_progress.`,
  input: askInput,
  output: askOutput,
  hints: says,
  alwaysLoad: true,
  handler: (desk, args, call) => desk.ask(args, call),
  text: ({ answer, next }) => answer ?? next,
});
