// The transcript of a worker, followed or long closed.
import { followFile } from '../jsonl/tail.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { Conversation } from './conversation.ts';
import type { House } from './house.ts';
import type { Transcript } from './logs.ts';

/** A living worker's running index; an ended worker's is read once for this answer. */
export async function transcriptOf(house: House, record: WorkerRecord): Promise<Transcript> {
  const agent = house.agentOf(record);
  const following = house.roster.following(record.id);
  if (following !== undefined) return { path: following.transcriptPath, agent, conversation: following.conversation };
  const path = record.launch.transcriptPath;
  const conversation = new Conversation();
  if (path === '') return { path, agent, conversation };
  const tail = followFile(path, {
    clock: house.clock,
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
