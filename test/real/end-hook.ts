// Ends the program that waits with a worker's request, as a crash would.
import { execFileSync } from 'node:child_process';
import type { RealCrew, Worker } from './crew.ts';

/** Nothing else below the worker's pane is touched. */
export function endHook(crew: RealCrew, worker: Worker): void {
  const pane = (worker.terminal_id ?? '').replace(/^tmux:/, '');
  const top = Number(crew.home.sandbox.tmux('display', '-p', '-t', pane, '#{pane_pid}'));
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const below = new Set([top]);
  // A child may have the lower number: they begin anew when they are used up. A set hands out what it gets meanwhile.
  for (const above of below) {
    for (const [, pid, parent] of rows) if (Number(parent) === above) below.add(Number(pid));
  }
  const hooks = rows.filter(
    ([, pid, , args]) => below.has(Number(pid)) && /^\S*node\S* \S*crewmux\.mjs hook\b/.test(args ?? ''),
  );
  if (hooks.length === 0) throw new Error(`No hook waits below ${top}`);
  for (const [, pid] of hooks) process.kill(Number(pid), 'SIGKILL');
}
