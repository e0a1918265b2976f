// The private part of a launch, and the environment that follows from it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { LaunchRecord, WorkerRecord } from '../../model/worker.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import { environmentOf } from '../environments.ts';
import type { CrewContext } from './roster.ts';

/** What a launch needs beyond the record, and what a restart needs again. May hold secrets, so it stays out of the log. */
const ownPart = z.object({
  v: z.literal(1),
  env: z.record(z.string(), z.string()),
  mcpServers: z.record(z.string(), z.unknown()).exactOptional(),
  appendSystemPrompt: z.string().exactOptional(),
  /** What was asked of the sandbox for this worker. */
  sandbox: z.boolean().exactOptional(),
});
export type OwnPart = Omit<z.output<typeof ownPart>, 'v'>;

/** Keeps the private part of a launch for the next one. */
export const keepOwnPart = ({ dir }: Pick<LaunchRecord, 'dir'>, own: OwnPart): Promise<void> =>
  writeJson(join(dir, 'own.json'), { v: 1, ...own });

/** The private part of an earlier launch; empty when it is gone. */
export async function ownPartOf(context: CrewContext, launch: LaunchRecord): Promise<OwnPart> {
  await mkdir(launch.dir, { recursive: true, mode: 0o700 });
  const found = await readJson(join(launch.dir, 'own.json'), ownPart, (message) =>
    context.logger.write('warn', message),
  );
  return found ?? { env: {} };
}

/** The environment in which the agent of a launch runs, or other programs of that agent for it. */
export const agentEnvironment = async (
  context: CrewContext,
  record: WorkerRecord,
): Promise<Readonly<Record<string, string>>> =>
  environmentFor(context, record, (await ownPartOf(context, record.launch)).env);

export const environmentFor = (
  context: CrewContext,
  { agentType, mainRepoPath, projectPath }: WorkerRecord,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  environmentOf(context, { agentType, projectPath: mainRepoPath ?? projectPath, own });
