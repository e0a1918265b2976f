import { z } from 'zod';
import { sessionId } from './parameters.ts';
import { shortened } from './shapes.ts';
import { defineTool } from './tool.ts';

export const readWorkerScreen = defineTool({
  name: 'read_worker_screen',
  title: 'Read a worker screen',
  description: `Shows the text on a worker's screen, as a person in tmux would see it. Use it when a worker waits in a dialog, starts up, or a message was unconfirmed. To learn what a worker did read_worker_logs is better: the screen is cut to its size. To wait for something use wait_idle_workers instead of reading again and again. It types nothing.`,
  input: z.strictObject({
    session_id: sessionId,
    lines: z
      .int()
      .min(1)
      .max(5_000)
      .exactOptional()
      .describe('Last lines including the history; the visible screen otherwise.'),
    since: z
      .string()
      .min(1)
      .max(200)
      .exactOptional()
      .describe('The token of an earlier answer: changed then says whether anything differs.'),
  }),
  output: z.object({
    session_id: z.string(),
    screen: z.string(),
    truncated: z.boolean(),
    path: z.string().exactOptional(),
    changed: z.boolean(),
    token: z.string(),
    note: shortened.note,
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.screen(args),
  text: ({ screen, changed, path }) =>
    `${changed ? '' : 'Nothing changed.\n'}${screen}${path === undefined ? '' : `\nThe whole is in ${path}`}`,
});
