// Processes known by a variable they were started with, however far they went from who started them.
import { pause, systemClock } from './clock.ts';
import { endProcesses, type ProcessRef, treeOf } from './process.ts';
import { allProcesses } from './process-table.ts';
import { argvOf, environmentOf } from './process-traces.ts';

/** A variable that no other program sets to this value. */
export interface ProcessMark {
  readonly name: string;
  readonly value: string;
}

/** Those that have not ended; none where the system does not show an environment. */
export async function processesMarked({ name, value }: ProcessMark): Promise<readonly ProcessRef[]> {
  const rows = (await allProcesses()).filter((row) => !row.isZombie);
  const marked = await Promise.all(
    rows.map(async ({ pid, start }) =>
      (await environmentOf(pid))?.[name] === value ? [{ pid, processStart: start }] : [],
    ),
  );
  return marked.flat();
}

const rounds = 5;

/** Ends them, and those they start meanwhile; returns what is still there. */
export async function endMarked(
  mark: ProcessMark,
  options: { readonly graceMs: number },
): Promise<readonly ProcessRef[]> {
  let left = await processesMarked(mark);
  for (let round = 0; left.length > 0 && round < rounds; round += 1) {
    await endProcesses(left, options);
    left = await processesMarked(mark);
  }
  return left;
}

/** Ends those of the marked ones that are of a kind, with all that runs below them; others of the mark stay. */
export async function endMarkedKind(
  mark: ProcessMark,
  isOne: (argv: readonly string[]) => boolean,
  options: { readonly graceMs: number },
): Promise<number> {
  const marked = await processesMarked(mark);
  const kinds = await Promise.all(marked.map(async ({ pid }) => isOne(await argvOf(pid).catch(() => []))));
  const heads = marked.filter((_, at) => kinds[at]);
  const rows = heads.length === 0 ? [] : await allProcesses();
  const all = new Map(heads.flatMap(({ pid }) => treeOf(pid, rows)).map((ref) => [ref.pid, ref]));
  await endProcesses([...all.values()], options);
  return heads.length;
}

/** Lets them end by themselves; false when some are there after the ceiling. */
export async function marksGone(mark: ProcessMark, ceilingMs: number): Promise<boolean> {
  const deadline = systemClock.now() + ceilingMs;
  for (let delayMs = 5; ; delayMs = Math.min(delayMs * 2, 100)) {
    if ((await processesMarked(mark)).length === 0) return true;
    if (systemClock.now() >= deadline) return false;
    await pause(delayMs);
  }
}
