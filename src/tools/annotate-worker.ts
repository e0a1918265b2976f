import { annotateInput, annotateOutput } from '../wire/worker.ts';
import { defineTool } from './tool.ts';

export const annotateWorker = defineTool({
  name: 'annotate_worker',
  set: 'core',
  title: 'Annotate a worker',
  description: `Changes the short label of a worker, shown in its pane title and in lists. Use it to keep track of what a worker is at. The worker never sees it: to tell it something use message_workers. Its branch and worktree keep their names.`,
  input: annotateInput,
  output: annotateOutput,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.annotate({ worker: args.session_id, annotation: args.annotation }),
  text: ({ session_id, annotation }) =>
    `${session_id} is now labelled: ${annotation === '' ? '(nothing)' : annotation}`,
});
