// The options of a launch that stay out of the log, and the environment that they give its agent.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { LaunchRecord, WorkerRecord } from '../../model/worker.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import { environmentOf, portVariable } from '../environments.ts';
import type { CrewContext } from './crew-context.ts';

/** A launch needs them beyond its record, and so does a restart. They may hold secrets. */
const privateOptions = z.object({
  v: z.literal(1),
  env: z.record(z.string(), z.string()),
  mcpServers: z.record(z.string(), z.unknown()).exactOptional(),
  appendSystemPrompt: z.string().exactOptional(),
  /** Of its role, as it was when the worker began; so are the tools. */
  standingPrompt: z.string().exactOptional(),
  tools: z.array(z.string()).readonly().exactOptional(),
  /** The order's wish for this worker. */
  sandbox: z.boolean().exactOptional(),
});
export type PrivateOptions = Omit<z.output<typeof privateOptions>, 'v'>;

/** Keeps the private options of a launch for the next one. */
export const keepPrivateOptions = ({ dir }: Pick<LaunchRecord, 'dir'>, own: PrivateOptions): Promise<void> =>
  writeJson(join(dir, 'own.json'), { v: 1, ...own });

/** Those of an earlier launch; empty when the file is gone. */
export async function privateOptionsOf(context: CrewContext, launch: LaunchRecord): Promise<PrivateOptions> {
  await mkdir(launch.dir, { recursive: true, mode: 0o700 });
  const found = await readJson(join(launch.dir, 'own.json'), privateOptions, (message) =>
    context.logger.write('warn', message),
  );
  return found ?? { env: {} };
}

/** The environment of the worker's agent, and of its agent's other programs. */
export const agentEnvironment = async (
  context: CrewContext,
  record: WorkerRecord,
): Promise<Readonly<Record<string, string>>> =>
  environmentFor(context, record, (await privateOptionsOf(context, record.launch)).env);

export const environmentFor = (
  context: CrewContext,
  record: WorkerRecord,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  environmentOf(context, {
    agentType: record.agentType,
    projectPath: record.mainRepoPath ?? record.projectPath,
    own: { ...portVariable(record), ...own },
  });
