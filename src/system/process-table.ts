// The system's processes as rows: from /proc where there is one, else from ps.
import { readdir, readFile } from 'node:fs/promises';
import { exists, hasCode } from './disk.ts';
import { run } from './exec.ts';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The pid that leads its terminal session; 0 where the system does not tell. */
  readonly leader: number;
  /** Ended, and kept only because nobody has asked for its exit status. */
  readonly isZombie: boolean;
  /** Clock ticks since boot on Linux, a date elsewhere; compare it, do not read it. */
  readonly start: string;
}

/** All processes, as of about now. */
export const allProcesses = async (): Promise<readonly ProcessRow[]> => (await procRows()) ?? psRows(['-ax']);

/** One process; undefined when there is none with this pid. */
export async function oneProcess(pid: number): Promise<ProcessRow | undefined> {
  const row = await procRow(pid);
  if (row !== undefined || (await hasProc())) return row;
  return (await psRows(['-p', String(pid)])).find((found) => found.pid === pid);
}

/** A `/proc/<pid>/stat`; the program's name in it may hold blanks and parentheses. */
export function parseStat(text: string): ProcessRow | undefined {
  const [state, parent, , leader, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = rest[15];
  if (state === undefined || start === undefined) return undefined;
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    leader: Number(leader),
    isZombie: state === 'Z' || state === 'X',
    start,
  };
}

/** The output of `ps -o pid=,ppid=,stat=,lstart=`. */
export function parsePs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, state, start] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)\s*$/.exec(line) ?? [];
    if (state === undefined || start === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), leader: 0, isZombie: state.startsWith('Z'), start }];
  });
}

/** The system shows its processes as files. */
export const hasProc = (): Promise<boolean> => exists('/proc/self/stat');

export const pidsInProc = async (): Promise<readonly string[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name));

async function procRows(): Promise<ProcessRow[] | undefined> {
  if (!(await hasProc())) return undefined;
  const rows = await Promise.all((await pidsInProc()).map(procRow));
  return rows.filter((row) => row !== undefined);
}

// Only a process that is not there is none: a file that could not be opened says nothing about it.
async function procRow(pid: number | string): Promise<ProcessRow | undefined> {
  try {
    return parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

/** As `allProcesses` where there is no /proc; throws when ps does not answer. */
export async function psRows(which: readonly string[]): Promise<ProcessRow[]> {
  // The date is a word of the locale and the zone, and must read the same in every process that compares it.
  const env = { PATH: '/bin:/usr/bin:/sbin:/usr/sbin', LC_ALL: 'C', TZ: 'UTC' };
  const result = await run('ps', [...which, '-o', 'pid=,ppid=,stat=,lstart='], { env, timeoutMs: 5_000 });
  // Without a row, ps ends with 1 and says nothing.
  if (result.exitCode === 0 || (result.exitCode === 1 && result.stderr === '')) return parsePs(result.stdout);
  throw new Error(`ps failed: ${result.startError ?? (result.stderr.trim() || `exit code ${result.exitCode}`)}`);
}
