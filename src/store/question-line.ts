// A worker's questions to its manager, as lines of the signals file that the hooks of its launch also write.
import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../jsonl/append.ts';
import { parseJson } from '../model/json.ts';
import type { QuestionSignal } from '../model/turn.ts';

const said = { v: z.literal(1), at: z.number(), requestId: z.string() };
const line = z.discriminatedUnion('own', [
  z.object({ ...said, own: z.literal('asks'), text: z.string(), options: z.array(z.string()) }),
  z.object({ ...said, own: z.literal('asks-on') }),
  z.object({ ...said, own: z.literal('asked') }),
]);

export const signalsPath = (launchDir: string): string => join(launchDir, 'signals.jsonl');

/** The first lines of the launch, and the last before its signals file began anew. */
export const earlierSignalsPath = (launchDir: string): string => join(launchDir, 'signals.1.jsonl');

/** On disk when it resolves. A server that follows the launch reads it at once, a later server on its start. */
export const appendQuestion = (launchDir: string, { from: _, kind: own, ...rest }: QuestionSignal): Promise<void> =>
  appendLine(signalsPath(launchDir), JSON.stringify({ v: 1, own, ...rest }), { fsync: true });

/** Undefined for a line about no question. */
export function questionSignal(text: string): QuestionSignal | undefined {
  if (!text.includes('"own"')) return undefined;
  const { data } = line.safeParse(parseJson(text));
  if (data === undefined) return undefined;
  switch (data.own) {
    case 'asks':
      return {
        from: 'worker',
        kind: data.own,
        at: data.at,
        requestId: data.requestId,
        text: data.text,
        options: data.options,
      };
    case 'asks-on':
    case 'asked':
      return { from: 'worker', kind: data.own, at: data.at, requestId: data.requestId };
  }
}
