// The transcript of a worker, followed or long closed.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, Traces } from '../../agents/agent.ts';
import { followFile } from '../../jsonl/tail.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { Conversation } from './conversation.ts';
import type { CrewContext } from './crew-context.ts';
import { agentEnvironment } from './private-options.ts';

export interface Transcript {
  readonly path: string;
  readonly agent: Agent;
  readonly conversation: Conversation;
}

/** The running index of a living worker; reads the transcript of an ended one, for this call alone. */
export async function transcriptOf(context: CrewContext, record: WorkerRecord): Promise<Transcript> {
  const agent = context.agents.of(record);
  const following = context.roster.following(record.id);
  if (following !== undefined) return { path: following.transcriptPath, agent, conversation: following.conversation };
  const path = record.launch.transcriptPath;
  const conversation = new Conversation();
  if (path === '') return { path, agent, conversation };
  const tail = followFile(path, {
    clock: context.clock,
    onLines: (lines, at) =>
      conversation.add(
        lines.map((line) => agent.decodeLine(line)),
        at,
      ),
  });
  await tail.drain();
  await tail.close();
  return { path, agent, conversation };
}

/** The transcript with the messages before the fork; undefined where the conversation is no fork. */
export async function pastOf(
  context: CrewContext,
  record: WorkerRecord,
  { agent, conversation }: Transcript,
): Promise<string | undefined> {
  const { forkedFrom } = conversation.totals;
  if (forkedFrom === undefined) return undefined;
  const env = await agentEnvironment(context, record);
  const path = await transcriptIn(agent.traces({ cwd: record.projectPath, agentSessionId: forkedFrom, env }));
  return path ?? `the transcript of ${forkedFrom}`;
}

/** Where the transcript of a conversation lies; it may not exist yet. Undefined where no file has the agent's name for it. */
export async function transcriptIn({ transcriptPath, transcriptAmong }: Traces): Promise<string | undefined> {
  if (transcriptPath !== undefined || transcriptAmong === undefined) return transcriptPath;
  const { dirs, ending } = transcriptAmong;
  for (const dir of dirs) {
    const name = (await readdir(dir).catch(() => [])).find((one) => one.endsWith(ending));
    if (name !== undefined) return join(dir, name);
  }
  return undefined;
}
