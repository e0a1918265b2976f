// What we put into a worktree ourselves, so that it never counts as somebody's work.

import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../model/json.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { mostBytes, openPlain, plainText } from '../../system/plain-file.ts';

const itemSchema = z.union([
  z.object({ path: z.string(), kind: z.literal('copy'), sha256: z.string() }),
  z.object({ path: z.string(), kind: z.literal('link'), target: z.string() }),
]);
const recordSchema = z.object({ version: z.literal(1), items: z.array(itemSchema) });

export type PreparedItem = z.infer<typeof itemSchema>;

/** Lies in the worktree's own git folder and goes with it. */
const recordPath = (gitDir: string) => join(gitDir, 'crewmux-prepared.json');

/** Replaces what was recorded before. */
export async function recordPrepared(gitDir: string, items: readonly PreparedItem[]): Promise<void> {
  await writeAtomic(recordPath(gitDir), JSON.stringify({ version: 1, items }), 0o644);
}

/** The recorded paths that are still exactly as we left them; none when the record cannot be read. */
export async function untouchedPrepared(gitDir: string, worktreePath: string): Promise<ReadonlySet<string>> {
  const items = await preparedItems(gitDir);
  const checked = await Promise.all(
    items.map(async (item) => ((await isUntouched(item, worktreePath)) ? [item.path] : [])),
  );
  return new Set(checked.flat());
}

/** None when the record cannot be read. */
export async function preparedItems(gitDir: string): Promise<readonly PreparedItem[]> {
  const text = await plainText(recordPath(gitDir));
  const record = recordSchema.safeParse(parseJson(text));
  return record.success ? record.data.items : [];
}

async function isUntouched(item: PreparedItem, worktreePath: string): Promise<boolean> {
  const path = join(worktreePath, item.path);
  try {
    const facts = await lstat(path);
    if (item.kind === 'link') return facts.isSymbolicLink() && (await readlink(path)) === item.target;
    return facts.isFile() && facts.size <= mostBytes.index && (await hashFile(path)) === item.sha256;
  } catch {
    return false;
  }
}

/** Of a plain file of any size; throws for anything else. */
export async function hashFile(path: string): Promise<string> {
  const handle = await openPlain(path, Number.POSITIVE_INFINITY);
  if (handle === undefined) throw new Error(`${path} is gone.`);
  try {
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk);
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}
