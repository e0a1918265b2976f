// What a planner hands in, and the verdict on it, as lines of the book.
import { z } from 'zod';
import { brought } from '../model/task.ts';

const plannedJob = z.object({
  name: z.string(),
  prompt: z.string(),
  dependsOn: z.array(z.string()),
  touchSet: z.array(z.string()),
  priority: z.number(),
  acceptanceCriteria: z.string(),
  brings: z.enum(brought).exactOptional(),
  role: z.string().exactOptional(),
});
const handed = { id: z.string(), at: z.number() };
export const handIn = z.discriminatedUnion('is', [
  z.object({ ...handed, is: z.literal('jobs'), jobs: z.array(plannedJob) }),
  z.object({ ...handed, is: z.literal('reached'), why: z.string() }),
  z.object({ ...handed, is: z.literal('unfit'), words: z.string() }),
]);
export const verdict = z.object({ of: z.string(), refused: z.number(), words: z.string().exactOptional() });
