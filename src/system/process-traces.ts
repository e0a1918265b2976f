// Reads a process of this user: its command line, environment, open files and working folder.
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './exec.ts';
import { treeOf } from './process.ts';
import { allProcesses, hasProc, pidsInProc } from './process-table.ts';

export interface SeenFile {
  readonly path: string;
  /** Epoch ms. */
  readonly modifiedAt: number;
}

const psEnv = { PATH: '/bin:/usr/bin:/sbin:/usr/sbin', LC_ALL: 'C' };
const lookCeilingMs = 5_000;

/** The command line; empty when the process has ended or is another user's. Without /proc, blanks split its words. */
export async function argvOf(pid: number): Promise<readonly string[]> {
  const words = await fromProc(pid, 'cmdline');
  if (words !== undefined) return words;
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
    env: psEnv,
    timeoutMs: lookCeilingMs,
  });
  return stdout.trim().split(/\s+/).filter(Boolean);
}

/** The pids of processes whose command line is such a one. */
export async function processesLike(isLike: (argv: readonly string[]) => boolean): Promise<readonly number[]> {
  const rows = (await hasProc()) ? await argvsInProc() : await argvsByPs();
  return rows.filter(({ argv }) => isLike(argv)).map(({ pid }) => pid);
}

const argvsInProc = async () =>
  Promise.all((await pidsInProc()).map(async (pid) => ({ pid: Number(pid), argv: await argvOf(Number(pid)) })));

async function argvsByPs() {
  const args = ['-ww', '-axo', 'pid=,command='];
  const { stdout } = await run('ps', args, { env: psEnv, timeoutMs: lookCeilingMs });
  return stdout.split('\n').map((line) => {
    const [pid, ...argv] = line.trim().split(/\s+/);
    return { pid: Number(pid), argv };
  });
}

/** The environment it was started with; undefined where the system does not show it. */
export async function environmentOf(pid: number): Promise<Readonly<Record<string, string>> | undefined> {
  const lines = await fromProc(pid, 'environ');
  if (lines === undefined || lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf('=');
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
}

/** The files it has open; undefined where the system does not show them. */
export async function openFilesOf(pid: number): Promise<readonly SeenFile[] | undefined> {
  const paths = (await openPathsInProc(pid)) ?? (await openPathsByLsof(pid));
  if (paths === undefined) return undefined;
  const seen = await Promise.all([...new Set(paths)].map(seenFile));
  return seen.filter((file) => file !== undefined);
}

async function fromProc(pid: number, name: string): Promise<readonly string[] | undefined> {
  const text = await readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => undefined);
  if (text === undefined) return (await hasProc()) ? [] : undefined;
  return text.replace(/\0$/, '').split('\0');
}

async function openPathsInProc(pid: number): Promise<readonly string[] | undefined> {
  const dir = `/proc/${pid}/fd`;
  const names = await readdir(dir).catch(() => undefined);
  if (names === undefined) return undefined;
  const paths = await Promise.all(names.map((name) => readlink(join(dir, name)).catch(() => '')));
  return paths.filter((path) => path.startsWith('/'));
}

async function openPathsByLsof(pid: number): Promise<readonly string[] | undefined> {
  const { exitCode, stdout } = await run('lsof', ['-a', '-p', String(pid), '-Fn'], {
    env: psEnv,
    timeoutMs: lookCeilingMs,
  });
  if (exitCode !== 0) return undefined;
  return stdout.split('\n').flatMap((line) => (line.startsWith('n/') ? [line.slice(1)] : []));
}

async function seenFile(path: string): Promise<SeenFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { path, modifiedAt: found.mtimeMs } : undefined;
}

export interface SeenProcess {
  readonly pid: number;
  readonly name: string;
}

/** Processes of this user that work in a folder or below it; undefined where the system does not show them. */
export async function processesIn(folder: string): Promise<readonly SeenProcess[] | undefined> {
  const found = (await hasProc()) ? await cwdsInProc() : await cwdsByLsof();
  return found
    ?.filter(({ cwd }) => cwd === folder || cwd.startsWith(`${folder}/`))
    .map(({ pid, name }) => ({ pid, name }));
}

/** As `processesIn`, without what process `own` has started, such as a git that reads there, and what has ended by now. */
export async function othersIn(folder: string, own: number): Promise<readonly SeenProcess[] | undefined> {
  const found = await processesIn(folder);
  if (found === undefined || found.length === 0) return found;
  const rows = await allProcesses();
  const started = new Set(treeOf(own, rows).map(({ pid }) => pid));
  const others = new Set(rows.filter(({ pid, isZombie }) => !isZombie && !started.has(pid)).map(({ pid }) => pid));
  return found.filter(({ pid }) => others.has(pid));
}

type Working = SeenProcess & { readonly cwd: string };

async function cwdsInProc(): Promise<readonly Working[]> {
  const seen = await Promise.all(
    (await pidsInProc()).map(async (pid): Promise<readonly Working[]> => {
      // One that has ended has none, and another user's is not shown.
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
      if (cwd === undefined) return [];
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      return [{ pid: Number(pid), name: name.trim() || 'a process', cwd }];
    }),
  );
  return seen.flat();
}

async function cwdsByLsof(): Promise<readonly Working[] | undefined> {
  const { exitCode, stdout } = await run('lsof', ['-a', '-d', 'cwd', '-Fpcn'], {
    env: psEnv,
    timeoutMs: lookCeilingMs,
  });
  // It ends with 1 as well when some process could not be looked at.
  return exitCode === undefined || stdout === '' ? undefined : parseLsof(stdout);
}

/** Lines that begin with `p<pid>`, `c<name>`, `n<path>`, in this order for each process. */
export function parseLsof(text: string): readonly Working[] {
  const found: Working[] = [];
  let at: SeenProcess = { pid: 0, name: '' };
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) at = { pid: Number(line.slice(1)), name: '' };
    if (line.startsWith('c')) at = { ...at, name: line.slice(1) };
    if (line.startsWith('n')) found.push({ ...at, cwd: line.slice(1) });
  }
  return found;
}
