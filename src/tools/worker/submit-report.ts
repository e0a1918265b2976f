import { z } from 'zod';
import { defineTool, says, taken } from './tool.ts';

const part = z.string().max(8_000);

export const submitReport = defineTool({
  name: 'submit_report',
  title: 'Submit a report',
  description: `Hands your manager the account of a piece of work: what is done, what is not, what was tested and what was not. Use it when you finish a task, and before you stop for any other reason; for a word in between use report_progress. Say what is so: an untested part belongs under what_untested, and a field with nothing to say is "". Earlier reports are kept. It does not commit or merge anything.`,
  input: z.strictObject({
    files_changed: z.array(z.string().max(500)).max(500).describe('Paths from the root of your folder.'),
    what_done: part.min(1).describe('What now works that did not, with commits.'),
    what_open: part.describe('What of the task is not done, and why.'),
    what_tested: part.describe('What you ran and saw pass.'),
    what_untested: part.describe('What you did not or could not test.'),
    next_steps: part.describe('What you would do next.'),
    errors_encountered: part.describe('What went wrong on the way.'),
    preview_url: z.string().max(2_048).exactOptional().describe('Where the result can be looked at.'),
  }),
  output: taken,
  hints: says,
  alwaysLoad: true,
  handler: (desk, args) => desk.report(args),
  text: () => 'Your manager can read it now.',
});
