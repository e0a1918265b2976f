// Identifies processes for certain, and ends whole trees of them.

import type { ManagerRef } from '../model/worker.ts';
import { pause, systemClock } from './clock.ts';
import { run } from './exec.ts';
import { allProcesses, oneProcess, type ProcessRow } from './process-table.ts';

/** A pid with the start time that tells it from a later process of the same pid. */
export type ProcessRef = ManagerRef;

export const isSameProcess = (a: ProcessRef, b: ProcessRef): boolean =>
  a.pid === b.pid && a.processStart === b.processStart;

/** Field 22 of /proc/<pid>/stat on Linux, the start date elsewhere; undefined when the process has ended. */
export async function processStart(pid: number): Promise<string | undefined> {
  const row = await oneProcess(pid);
  return row?.isZombie ? undefined : row?.start;
}

/** Of a process that runs, as locks and orders name it. */
export const processRef = async (pid: number): Promise<ProcessRef> => ({
  pid,
  processStart: (await processStart(pid)) ?? '',
});

/** The same process still runs; a zombie does not. */
export const isAlive = async (ref: ProcessRef): Promise<boolean> => (await processStart(ref.pid)) === ref.processStart;

/** Its children, nearest only. */
export async function childrenOf(pid: number): Promise<readonly ProcessRef[]> {
  return pid <= 1 ? [] : (await allProcesses()).filter((row) => row.parent === pid && !row.isZombie).map(refOf);
}

/** The process, its descendants, and those of its terminal session whose parents ended; parents first. */
export async function processTree(pid: number): Promise<readonly ProcessRef[]> {
  return treeOf(pid, await allProcesses());
}

/** `processTree` over rows already read. */
export function treeOf(pid: number, rows: readonly ProcessRow[]): readonly ProcessRef[] {
  // A pane without a program has pid 0, and the whole system descends from 0 and 1.
  if (pid <= 1) return [];
  const living = rows.filter((row) => !row.isZombie);
  const tree = new Set(living.filter((row) => row.pid === pid));
  for (const row of living) if (row.leader === pid && row.pid !== pid) tree.add(row);
  // A set hands out what is added to it while it is walked.
  for (const parent of tree) {
    for (const row of living) if (row.parent === parent.pid) tree.add(row);
  }
  return [...tree].map(refOf);
}

const refOf = (row: ProcessRow): ProcessRef => ({ pid: row.pid, processStart: row.start });

const killCeilingMs = 2_000;

/**
 * Asks every process of the tree to end, and after the grace kills those that have not, with what they started since.
 * Returns the ones that are still there, as when they belong to another user.
 */
export async function endProcesses(
  tree: readonly ProcessRef[],
  options: { readonly graceMs: number },
): Promise<readonly ProcessRef[]> {
  await signalAll(tree, 'TERM');
  const stubborn = await livingAfter(tree, options.graceMs);
  if (stubborn.length === 0) return [];
  const rows = await allProcesses();
  const all = new Map(stubborn.flatMap((ref) => [ref, ...treeOf(ref.pid, rows)]).map((ref) => [ref.pid, ref]));
  const rest = [...all.values()];
  await signalAll(rest, 'KILL');
  return livingAfter(rest, killCeilingMs);
}

async function signalAll(refs: readonly ProcessRef[], signal: 'TERM' | 'KILL'): Promise<void> {
  const pids = (await livingOf(refs)).filter((ref) => ref.pid > 1).map((ref) => String(ref.pid));
  // The shell's own kill: small systems have no such program. The next look shows the processes it did not reach.
  const args = ['-c', 'kill -s "$@"', 'sh', signal, ...pids];
  if (pids.length > 0) await run('sh', args, { env: { PATH: '/bin:/usr/bin' }, timeoutMs: 5_000 });
}

/** Those that still run; looks until there are none or the ceiling is reached. */
async function livingAfter(refs: readonly ProcessRef[], ceilingMs: number): Promise<readonly ProcessRef[]> {
  const deadline = systemClock.now() + ceilingMs;
  for (let delayMs = 2; ; delayMs = Math.min(delayMs * 2, 50)) {
    const living = await livingOf(refs);
    if (living.length === 0 || systemClock.now() >= deadline) return living;
    await pause(delayMs);
  }
}

async function livingOf(refs: readonly ProcessRef[]): Promise<readonly ProcessRef[]> {
  const alive = await Promise.all(refs.map(isAlive));
  return refs.filter((_, i) => alive[i]);
}
