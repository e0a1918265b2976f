import { submitInput, taken } from '../../wire/desk.ts';
import { defineTool, says } from './tool.ts';

export const submitReport = defineTool({
  name: 'submit_report',
  title: 'Submit a report',
  description: `Hands your manager the account of a piece of work: what is done, open, tested and untested. Use it when you finish a task and before you stop for any other reason; for a word in between report_progress. Say what is so: an untested part belongs under what_untested; a field with nothing to say is "". It commits and merges nothing.`,
  input: submitInput,
  output: taken,
  hints: says,
  alwaysLoad: true,
  handler: (desk, args) => desk.report(args),
  text: () => 'Your manager can read it now.',
});
