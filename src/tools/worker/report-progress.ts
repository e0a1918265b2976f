import { progressInput, taken } from '../../wire/desk.ts';
import { defineTool, says } from './tool.ts';

export const reportProgress = defineTool({
  name: 'report_progress',
  title: 'Report progress',
  description: `Tells your manager in a sentence or two how the work goes. Use it at a milestone, when you are blocked, or when something is ready for review; not for every step, and not in place of submit_report at the end. It returns at once and nobody answers; to get an answer use ask_manager.`,
  input: progressInput,
  output: taken,
  hints: says,
  alwaysLoad: true,
  handler: (desk, args) => desk.progress(args),
  text: () => 'Your manager can read it now.',
});
