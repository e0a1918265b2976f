// The journal of a sync, with which the next server repairs a worktree after a kill.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import { marksGone, type ProcessMark } from '../../system/marked.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { type Carry, carry, type Mended, mendCarry } from '../../worktree/landing/carry.ts';
import { sendLock } from '../messages/send-journal.ts';
import type { CrewContext } from '../workers/crew-context.ts';

const journal = z.object({
  v: z.literal(1),
  /** In the environment of the git that changes the files. */
  mark: z.string(),
  path: z.string(),
  branch: z.string(),
  from: z.string(),
  to: z.string(),
});

const journalPath = async ({ home }: CrewContext, workerId: string): Promise<string> =>
  join(await home.workerDir(workerId), 'syncing.json');

const syncMark = (value: string): ProcessMark => ({ name: 'CREWMUX_SYNC', value });

/** Changes the files, with a note on disk until it has succeeded. */
export async function carryNoted(
  context: CrewContext,
  record: WorkerRecord,
  { folder, move }: { folder: FolderFacts; move: Carry },
): Promise<void> {
  const path = await journalPath(context, record.id);
  const mark = newNonce();
  const { name, value } = syncMark(mark);
  await writeJson(path, { v: 1, mark, path: folder.worktreeRoot ?? '', ...move });
  await carry({ ...folder, env: { ...folder.env, [name]: value } }, move);
  await rm(path, { force: true });
}

const gitCeilingMs = 5_000;

/** Undefined where nothing cut a sync short. Rejects while a repair is impossible. The caller holds the worker's lock. */
export async function repairSync(
  context: CrewContext,
  record: Pick<WorkerRecord, 'id'>,
  folder: FolderFacts,
): Promise<Mended | undefined> {
  const path = await journalPath(context, record.id);
  const left = await readJson(path, journal, (message) => context.logger.write('warn', message));
  if (left === undefined) return undefined;
  if (!(await marksGone(syncMark(left.mark), gitCeilingMs))) throw stillAtWork(left.path);
  const repaired = left.path === folder.worktreeRoot ? await mendCarry(folder, left) : 'untouched';
  await rm(path, { force: true });
  const data = { what: 'a sync that was cut short', sync: repaired };
  await context.log.append([{ type: 'reconciled', workerId: record.id, data }]);
  return repaired;
}

const stillAtWork = (path: string) =>
  new CrewError(
    'would_lose_work',
    `A sync of ${path} was cut short, and its git is still at work there.`,
    'Nothing was changed now. Call again when that git has ended.',
  );

/** Repairs what servers that are gone have left. Skips a sync under way, and warns where it cannot repair. Never rejects. */
export async function repairSyncs(context: CrewContext): Promise<void> {
  for (const record of context.roster.records()) {
    if (record.phase === 'closed' || context.roster.isOthers(record)) continue;
    await repairAlone(context, record, 0).catch((error: unknown) => {
      if (error instanceof CrewError && error.code === 'state_locked') return;
      context.logger.write('warn', `a sync of ${record.worktreePath} is left as it is`, error);
    });
  }
}

const lockTimeoutMs = 10_000;

/** Before a verb takes half a sync for the worker's own work. Rejects while a repair is impossible. */
export async function repairAlone(
  context: CrewContext,
  record: Pick<WorkerRecord, 'id' | 'worktreePath'>,
  timeoutMs = lockTimeoutMs,
): Promise<void> {
  const { worktreePath } = record;
  if (worktreePath === undefined || !(await exists(worktreePath))) return;
  if (!(await exists(await journalPath(context, record.id)))) return;
  const act = async () => {
    const folder = await inspectFolder({ path: worktreePath, env: context.environment.git });
    if (folder !== undefined) await repairSync(context, record, folder);
  };
  await withLock(sendLock(context, record.id), act, { me: context.me, timeoutMs });
}
