// What a landing answers, and the call for it.
import { z } from 'zod';
import { mergeWorker } from '../../../src/tools/merge-worker.ts';
import type { Call } from '../../../src/tools/tool.ts';
import type { Caller, Resting } from '../../support/resting-crew.ts';

const answered = z.looseObject({
  success: z.boolean(),
  outcome: z.string(),
  from_commit: z.string(),
  to_commit: z.string(),
  checkout: z.string(),
  files: z.array(z.string()),
  file_count: z.number(),
  reason: z.string().optional(),
  prompt: z.string().optional(),
  conflicts: z.array(z.object({ file: z.string(), theirs: z.array(z.object({ owner: z.string().optional() })) })),
  tests: z.object({ status: z.string(), output: z.string() }),
  closed: z.looseObject({ worktree: z.string() }).optional(),
  warnings: z.array(z.string()).optional(),
});
export type Answered = z.infer<typeof answered>;

export const land = (by: Caller, of: Resting, more = {}, context: Partial<Call> = {}): Promise<Answered> =>
  by.call(mergeWorker, answered, { session_id: of.id, ...more }, context);
