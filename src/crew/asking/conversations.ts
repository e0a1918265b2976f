// The conversations with experts, each in a small file, so that a later question can go on with one.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { advise, call } from '../../model/advice.ts';
import { CrewError } from '../../model/errors.ts';
import { isUuid } from '../../model/ids.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import type { CrewContext } from '../workers/crew-context.ts';

const tokens = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheTokens: z.number(),
  cacheWriteTokens: z.number().exactOptional(),
});
const conversation = z.object({
  v: z.literal(1),
  agentType: z.string(),
  /** As a real path. */
  project: z.string(),
  role: z.string().exactOptional(),
  /** All that it has used, where its agent counts that. */
  used: z.array(tokens),
});
export type ExpertConversation = z.output<typeof conversation>;

const fileOf = ({ home }: Pick<CrewContext, 'home'>, id: string): string =>
  join(home.root, 'experts', 'conversations', `${id.toLowerCase()}.json`);

/** Throws `unknown_session` for one that no expert has answered in. */
export async function knownConversation(context: CrewContext, id: string): Promise<ExpertConversation> {
  const onTrouble = (message: string) => context.logger.write('warn', message);
  const found = isUuid(id) ? await readJson(fileOf(context, id), conversation, onTrouble) : undefined;
  if (found !== undefined) return found;
  throw new CrewError(
    'unknown_session',
    `No expert has answered in a conversation "${id}".`,
    advise`Take the agent_session_id of an earlier answer, or leave resume out. ${call('spawn_workers takes', 'A worker takes')} any other conversation.`,
  );
}

/** An id of another form is the agent's own affair, and cannot be gone on with. */
export async function keepConversation(context: CrewContext, id: string, held: ExpertConversation): Promise<void> {
  if (!isUuid(id)) return;
  const path = fileOf(context, id);
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  await writeJson(path, held);
}
