// What may be asked of each task and of each job of a plan, as the book keeps it.
import { z } from 'zod';

const text = z.string().exactOptional();

/** Of these every view of a task tells. */
export const shownAsked = z.object({ role: text, agentType: text, model: text });

/** By the names that requests have once they are within: a field that stands in both is kept. */
export const askedFields = {
  ...shownAsked.shape,
  acceptanceCriteria: text,
  maxTurns: z.number().exactOptional(),
  maxCostUsd: z.number().exactOptional(),
};

const asked = z.object(askedFields);
export type TaskAsked = Readonly<z.output<typeof asked>>;
