// The processes that a process descends from.
import type { ProcessRow } from './process-table.ts';

/** The nearest first; the first process of the system is none. Pure. */
export function ancestorsOf(pid: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const found = new Set<ProcessRow>();
  for (let at = byPid.get(byPid.get(pid)?.parent ?? 0); at !== undefined && at.pid > 1; at = byPid.get(at.parent)) {
    // Rows are read one after another, and a pid may have passed to another process meanwhile.
    if (found.has(at)) break;
    found.add(at);
  }
  return [...found];
}
