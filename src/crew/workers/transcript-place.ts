// Where the transcript of a conversation lies, also where its name holds more than the conversation's id.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Traces } from '../../agents/agent.ts';

/** May not exist yet where its whole path is known; undefined where it was searched for and not found. */
export async function transcriptIn({ transcriptPath, transcriptAmong }: Traces): Promise<string | undefined> {
  if (transcriptPath !== undefined || transcriptAmong === undefined) return transcriptPath;
  const { dirs, ending } = transcriptAmong;
  for (const dir of dirs) {
    const name = (await readdir(dir).catch(() => [])).find((one) => one.endsWith(ending));
    if (name !== undefined) return join(dir, name);
  }
  return undefined;
}
