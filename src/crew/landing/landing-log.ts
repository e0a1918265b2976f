// What the log keeps of a landing: its event, and how a later landing of the same branch finds it.
import { z } from 'zod';
import type { MergeStrategy, TestOutcome } from '../../model/train.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { type Owner, planBranchFacts } from './own-branch.ts';

const landedData = z.object({ target: z.string(), from: z.string(), source: z.string(), to: z.string() });

export interface LandedBefore {
  /** The commit of the branch that has landed, and the target's that holds it. */
  readonly source: string;
  readonly to: string;
  /** The target's commit before, where the log tells. */
  readonly from?: string;
}

export interface LandedFacts extends z.infer<typeof landedData> {
  readonly strategy: MergeStrategy;
  readonly tests: TestOutcome;
  readonly checkout: 'updated' | 'none';
  /** Given where this is told late. */
  readonly after?: string;
}

/** A worker's record keeps what has landed; a plan has no record, so its event says it. */
export async function logLanded(
  context: CrewContext,
  { id, lane }: { readonly id: string; readonly lane?: { readonly crew: string } | undefined },
  { source, ...data }: LandedFacts,
): Promise<void> {
  const { target, to } = data;
  await context.log.append([
    lane === undefined
      ? { type: 'landed', workerId: id, data: { ...data }, set: { landed: { target, source, to } } }
      : { type: 'landed', workerId: id, data: { ...data, source, ...planBranchFacts({ id, crew: lane.crew }) } },
  ]);
}

/** The newest landing of the branch on that target, by whichever server. */
export async function landedBefore(
  context: CrewContext,
  { id, lane }: Pick<Owner, 'id' | 'lane'>,
  target: string,
): Promise<LandedBefore | undefined> {
  await context.log.catchUp();
  const kept = lane === undefined ? context.log.records().get(id)?.landed : lane.landed;
  const known = kept?.target === target ? kept : undefined;
  if (lane === undefined) return known;
  const events = await context.log.since(0);
  const told = events.findLast(
    ({ type, workerId, data }) => type === 'landed' && workerId === id && data.target === target,
  );
  return landedData.safeParse(told?.data).data ?? known;
}

/** The branches that each worker has landed on. */
export async function targetsLandedOn({ log }: CrewContext): Promise<ReadonlyMap<string, readonly string[]>> {
  const landed = new Map<string, readonly string[]>();
  for (const { type, workerId, data } of await log.since(0)) {
    if (type !== 'landed' || typeof data.target !== 'string') continue;
    landed.set(workerId, [...(landed.get(workerId) ?? []), data.target]);
  }
  return landed;
}
