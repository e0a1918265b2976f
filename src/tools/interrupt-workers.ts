import { z } from 'zod';
import { agentText, sessionIds } from './parameters.ts';
import { list, messageOutcome, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines, outcomeLines } from './words.ts';

export const interruptWorkers = defineTool({
  name: 'interrupt_workers',
  title: 'Interrupt workers',
  description: `Stops the running turn of workers, as a person pressing Escape would; the worker stays, with its conversation and files, and waits for a message. Use it when an agent goes astray. With then_message the text is sent once the turn has ended. What had been queued and was dropped with the turn comes back in returned; send again what is still wanted. An idle worker is left alone (nothing_running). It does not undo what the worker has done. To give more work without stopping use message_workers; to end a worker for good close_workers.`,
  input: z.strictObject({
    session_ids: sessionIds,
    then_message: agentText.min(1).exactOptional().describe('Message to send once the turn has ended.'),
  }),
  output: z.object({
    session_ids: list(z.string()),
    results: z.record(
      z.string(),
      z.object({
        success: z.boolean(),
        outcome: z.enum(['interrupted', 'nothing_running', 'unconfirmed', 'failed']),
        detail: z.string(),
        returned: list(z.string()).exactOptional(),
        message: messageOutcome.exactOptional(),
      }),
    ),
    success: z.boolean(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  handler: (crew, args, call) => crew.interrupt(args, call),
  text: ({ results }) =>
    lines(
      Object.entries(results).flatMap(([ref, { outcome, detail, returned = [], message }]) => [
        `${ref}: ${outcome} (${detail})`,
        ...returned.map((text) => `${ref} will not run: ${text}`),
        ...(message === undefined ? [] : outcomeLines({ [ref]: message })),
      ]),
    ),
});
