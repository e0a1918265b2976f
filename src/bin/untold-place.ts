// Where what is new waits for the Claude Code that has started this server, and how its session is woken.
import { claudeAgent } from '../agents/claude/claude.ts';
import type { World } from '../graph.ts';
import { watchFolder } from '../jsonl/tail.ts';
import type { UntoldPlace } from '../mcp/untold.ts';
import type { Waker } from '../mcp/wake.ts';
import type { Settings } from '../settings/settings.ts';
import { openUntold } from '../store/untold.ts';
import { bellsIn, hasWaiter, keepWaiter, ring } from '../store/waker.ts';
import { ancestorsOf } from '../system/ancestors.ts';
import { systemClock } from '../system/clock.ts';
import { allProcesses } from '../system/process-table.ts';
import { argvOf } from '../system/process-traces.ts';

/** Where the hooks of the Claude Code look that has started this server; undefined where none has. */
export async function untoldPlace({
  home,
  pid,
  settings,
}: Pick<World, 'home' | 'pid'> & { readonly settings: () => Promise<Settings> }): Promise<UntoldPlace | undefined> {
  const rows = await allProcesses();
  for (const row of ancestorsOf(pid, rows)) {
    if (claudeAgent.readProcess?.({ argv: await argvOf(row.pid) }) === undefined) continue;
    const living = new Set(rows.map((one) => one.pid));
    const path = await openUntold(home, { reader: row.pid, living });
    const isWaking = (await settings()).attention.wake === 'on';
    if (isWaking) await keepWaiter(home);
    return { path, pid, openedAt: systemClock.now(), waker: isWaking ? wakerOf(home, row.pid) : noWaker };
  }
  return undefined;
}

function wakerOf(home: string, claudePid: number): Waker {
  return {
    hasWaiter: () => hasWaiter(home, claudePid),
    ring: () => ring(home, claudePid),
    onWaiter: (listen) => watchFolder(bellsIn(home), systemClock, listen),
  };
}

const noWaker: Waker = { hasWaiter: () => false, ring: () => false, onWaiter: () => () => undefined };
