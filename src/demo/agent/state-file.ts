// `sessions/<pid>.json`: what a running agent says of itself.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../model/clock.ts';
import type { Status } from './status.ts';

export interface StateFile {
  /** Writes when something is new. */
  set(status: Status, agentSessionId: string): void;
  remove(): void;
}

export interface StateFileSpec {
  readonly dir: string;
  readonly pid: number;
  readonly cwd: string;
  readonly name: string | undefined;
  readonly paneId: string | undefined;
  readonly version: string;
  readonly clock: Clock;
}

export function openStateFile(spec: StateFileSpec): StateFile {
  const { pid, clock } = spec;
  const path = join(spec.dir, `${pid}.json`);
  const procStart = startOf(pid);
  const startedAt = clock.now();
  let shown = '';
  let changedAt = startedAt;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return {
    set({ status, waitingFor }, sessionId) {
      const key = `${status} ${waitingFor ?? ''} ${sessionId}`;
      if (key === shown) return;
      shown = key;
      changedAt = Math.max(clock.now(), changedAt + 1);
      const state = {
        ...{ pid, sessionId, cwd: spec.cwd, startedAt, procStart, version: spec.version, kind: 'interactive' },
        entrypoint: 'cli',
        // The session and window are not known here; readers look at the pane's id alone.
        ...(spec.paneId === undefined ? {} : { tmux: `scripted:@0.${spec.paneId}` }),
        ...(spec.name === undefined ? {} : { name: spec.name, nameSource: 'user' }),
        status,
        ...(waitingFor === undefined ? {} : { waitingFor }),
        updatedAt: changedAt,
        statusUpdatedAt: changedAt,
      };
      writeFileSync(path, JSON.stringify(state), { mode: 0o600 });
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** Field 22 of /proc/<pid>/stat; undefined where there is none. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in parentheses, may hold blanks.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
