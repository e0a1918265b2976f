// A program below the one that a pane runs: tmux itself continues a stopped process that it has started.
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';

/** A program that runs `command` as its child, with the arguments it is given. */
export function wrapperOf(sandbox: Sandbox, name: string, command: readonly string[]): string {
  const path = join(sandbox.dir('wrappers'), name);
  writeFileSync(path, `#!/bin/sh\n${command.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Stops everything below a process, or lets it go on. */
export function signalBelow(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const one of descendantsOf(pid)) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended since.
    }
  }
}

export function descendantsOf(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (of: number): readonly number[] =>
    pairs.flatMap(([parent, child = 0]) => (parent === of ? [child, ...below(child)] : []));
  return below(pid);
}
