import { defined } from '../model/defined.ts';
import { interruptInput, interruptOutput } from '../wire/messages.ts';
import { defineTool } from './tool.ts';
import { lines, outcomeLines } from './words.ts';

export const interruptWorkers = defineTool({
  name: 'interrupt_workers',
  title: 'Interrupt workers',
  description: `Stops the running turn of workers, as a person pressing Escape would; the worker stays, with its conversation and files, and waits for a message. Use it when an agent goes astray. With then_message the text is sent once the turn has ended. What had been queued and was dropped with the turn comes back in returned; send again what is still wanted. An idle worker is left alone (nothing_running). It does not undo what the worker has done. To give more work without stopping use message_workers; to end a worker for good close_workers.`,
  input: interruptInput,
  output: interruptOutput,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  async handler(crew, { session_ids, then_message: thenText }, call) {
    const results = await crew.interrupt({ workers: session_ids, ...defined({ thenText }) }, call);
    return { session_ids, results, success: Object.values(results).every(({ success }) => success) };
  },
  text: ({ results }) =>
    lines(
      Object.entries(results).flatMap(([ref, { outcome, detail, returned = [], message }]) => [
        `${ref}: ${outcome} (${detail})`,
        ...returned.map((text) => `${ref} will not run: ${text}`),
        ...(message === undefined ? [] : outcomeLines({ [ref]: message })),
      ]),
    ),
});
