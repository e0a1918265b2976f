import { z } from 'zod';
import { sessionIds } from './parameters.ts';
import { attention, list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines } from './words.ts';

export const checkIdleWorkers = defineTool({
  name: 'check_idle_workers',
  title: 'Check idle workers',
  description: `Says at once whether workers are idle: no turn running, no message of ours outstanding, no background task going on. Use it for a quick look between other work. Do not call it in a loop: wait_idle_workers waits without cost. A worker that is not idle may need someone; attention lists those. For everything about one worker use examine_worker.`,
  input: z.strictObject({ session_ids: sessionIds }),
  output: z.object({
    session_ids: list(z.string()),
    idle: z.record(z.string(), z.boolean()),
    all_idle: z.boolean(),
    idle_count: z.number(),
    busy_count: z.number(),
    attention: list(attention),
    ...shortened,
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.checkIdle(args),
  text: ({ idle, idle_count, busy_count, attention }) =>
    lines([
      `${idle_count} idle, ${busy_count} busy.`,
      ...Object.entries(idle).map(([ref, is]) => `${ref}: ${is ? 'idle' : 'not idle'}`),
      ...attentionLines(attention),
    ]),
});
