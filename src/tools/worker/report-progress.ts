import { z } from 'zod';
import { progressStatuses } from '../../model/report.ts';
import { defineTool, says, taken } from './tool.ts';

export const reportProgress = defineTool({
  name: 'report_progress',
  title: 'Report progress',
  description: `Tells your manager in a sentence or two how the work goes. Use it at a milestone, when you are blocked, or when something is ready for review; not for every step, and not in place of submit_report at the end. It returns at once and nobody answers; to get an answer use ask_manager.`,
  input: z.strictObject({
    status: z.enum(progressStatuses).describe('blocked: you cannot go on without help. completed: the task is done.'),
    message: z.string().min(1).max(4_000).describe('What is new.'),
    progress: z.number().min(0).max(100).exactOptional().describe('Percent done, if you can tell.'),
  }),
  output: taken,
  hints: says,
  alwaysLoad: true,
  handler: (desk, args) => desk.progress(args),
  text: () => 'Your manager can read it now.',
});
