// What may be asked of each task and of each job of a plan, as the book keeps it.
import { z } from 'zod';
import { presetNames } from './rule.ts';

const text = z.string().exactOptional();

/** Of these every view of a task tells. */
export const shownAsked = z.object({ role: text, agentType: text, model: text });

/** By the names that requests have once they are within: a field that stands in both is kept. */
export const askedFields = {
  ...shownAsked.shape,
  acceptanceCriteria: text,
  preset: z.enum(presetNames).exactOptional(),
  permissionMode: text,
  sandbox: z.boolean().exactOptional(),
  skipPermissions: z.boolean().exactOptional(),
  env: z.record(z.string(), z.string()).exactOptional(),
  mcpConfig: z.record(z.string(), z.unknown()).exactOptional(),
  appendSystemPrompt: text,
  bead: text,
  maxTurns: z.number().exactOptional(),
  maxCostUsd: z.number().exactOptional(),
};

const asked = z.object(askedFields);
export type TaskAsked = Readonly<z.output<typeof asked>>;
