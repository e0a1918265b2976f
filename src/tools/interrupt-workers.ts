import { defined } from '../model/defined.ts';
import { interruptInput, interruptOutput } from '../wire/messages.ts';
import { defineTool } from './tool.ts';
import { meant } from './whom.ts';
import { lines, outcomeLines } from './words.ts';

export const interruptWorkers = defineTool({
  name: 'interrupt_workers',
  set: 'core',
  title: 'Interrupt workers',
  description: `Stops the running turn of workers; the worker stays and waits for a message. Use it when an agent goes astray. then_message is sent once the turn has ended. returned holds queued messages that were dropped: send again what is still wanted. It does not undo anything; to end a worker use close_workers.`,
  input: interruptInput,
  output: interruptOutput,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  async handler(crew, { session_ids: asked, then_message: thenText }, call) {
    const session_ids = await meant(crew, asked);
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
