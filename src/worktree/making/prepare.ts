// Makes a fresh worktree fit to work in: files git does not carry, shared folders, set-up commands.
import { constants, copyFile, lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { below, exists } from '../../system/disk.ts';
import { run } from '../../system/exec.ts';
import { hidePath } from '../git/hide.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../git/inspect.ts';
import { listed } from '../git/porcelain.ts';
import { hashFile, type PreparedItem, recordPrepared } from '../git/prepared.ts';
import { type Env, lastLines, tryReadGit } from '../git/repo.ts';
import { findSources, type Sources } from './sources.ts';

export interface PrepareRequest {
  readonly repo: Repo;
  readonly worktreePath: string;
  /** Relative to the main repository; `*` and `**` match. */
  readonly copyFiles: readonly string[];
  readonly symlinkDirs: readonly string[];
  /** Each is run by `sh -c` at the top of the worktree, one after the other. */
  readonly setupCommands: readonly string[];
  /** For the commands; the repository's environment unless given. */
  readonly env?: Env;
  /** What stands before the shell of each command, to keep it in a sandbox. */
  readonly inside?: readonly string[];
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface Prepared {
  readonly copied: readonly string[];
  readonly linked: readonly string[];
  /** Left as they are, because the worktree has something of that name. */
  readonly present: readonly string[];
  /** Asked for by name, and not in the main repository. */
  readonly missing: readonly string[];
}

const setupTimeoutMs = 600_000;

/**
 * Nothing that exists in the worktree is overwritten. Rejects with `invalid_argument`, before anything is touched,
 * when a path leads out of the repository, and with `setup_failed` when a command fails.
 */
export async function prepareWorktree(request: PrepareRequest): Promise<Prepared> {
  const prepared = await bringFiles(request);
  for (const command of request.setupCommands) await runSetup(request, command);
  return prepared;
}

async function bringFiles(request: PrepareRequest): Promise<Prepared> {
  if (request.copyFiles.length + request.symlinkDirs.length === 0) return nothing;
  const { repo, worktreePath } = request;
  const sources = await findSources({
    root: repo.mainRepoPath,
    worktreePath,
    files: request.copyFiles,
    dirs: request.symlinkDirs,
  });
  const folder = await inspectFolder({ path: worktreePath, env: repo.env });
  if (folder === undefined) throw new CrewError('worktree_failed', `${worktreePath} is no worktree.`, 'Spawn again.');
  const copied = await eachFree(worktreePath, sources.files, (path) => copy(request, path));
  const linked = await eachFree(worktreePath, sources.dirs, (path) => link(request, path));
  const items = [...copied, ...linked];
  await recordPrepared(folder.gitDir, items);
  await hideIgnored(folder, repo, items);
  const brought = new Set(items.map((item) => item.path));
  return {
    copied: copied.map((item) => item.path),
    linked: linked.map((item) => item.path),
    present: [...sources.files, ...sources.dirs].filter((path) => !brought.has(path)),
    missing: sources.missing,
  };
}

const nothing: Prepared = { copied: [], linked: [], present: [], missing: [] };

type Bring = (path: string) => Promise<PreparedItem>;

async function eachFree(worktreePath: string, paths: Sources['files'], bring: Bring): Promise<readonly PreparedItem[]> {
  const items: PreparedItem[] = [];
  for (const path of paths) {
    if (await exists(join(worktreePath, path))) continue;
    if (!(await makeFoldersInside(worktreePath, dirname(path)))) continue;
    items.push(await bring(path));
  }
  return items;
}

/** False where a link that was committed leads out of the worktree; nothing is made there then. */
async function makeFoldersInside(top: string, folder: string): Promise<boolean> {
  const root = await realpath(top);
  let at = root;
  for (const name of folder.split('/').filter((one) => one !== '.')) {
    at = join(at, name);
    if (!(await exists(at))) await mkdir(at);
    const real = await realpath(at);
    if (below(root, real) === undefined) return false;
    at = real;
  }
  return true;
}

async function copy({ repo, worktreePath }: PrepareRequest, path: string): Promise<PreparedItem> {
  const [from, to] = [join(repo.mainRepoPath, path), join(worktreePath, path)];
  if ((await lstat(from)).isSymbolicLink()) {
    const target = await readlink(from);
    await symlink(target, to);
    return { path, kind: 'link', target };
  }
  await copyFile(from, to, constants.COPYFILE_EXCL);
  return { path, kind: 'copy', sha256: await hashFile(to) };
}

async function link({ repo, worktreePath }: PrepareRequest, path: string): Promise<PreparedItem> {
  const target = join(repo.mainRepoPath, path);
  await symlink(target, join(worktreePath, path), 'dir');
  return { path, kind: 'link', target };
}

/**
 * A pattern such as `node_modules/` does not cover a symlink, and a worker's `git add -A` would commit it. What the
 * main checkout ignores is hidden by its exact path, which changes nothing there; all else stays in sight.
 */
async function hideIgnored(folder: FolderFacts, repo: Repo, items: readonly PreparedItem[]): Promise<void> {
  if (items.length === 0 || repo.mainRepoPath === repo.gitCommonDir) return;
  const inMain = await ignored(repo, repo.mainRepoPath, items);
  const here = inMain.size === 0 ? inMain : await ignored(repo, folder.worktreeRoot ?? '', items);
  for (const path of inMain) if (!here.has(path)) await hidePath(folder.gitCommonDir, path);
}

async function ignored(repo: Repo, top: string, items: readonly PreparedItem[]): Promise<ReadonlySet<string>> {
  const input = listed(items.map(({ path }) => path));
  // Asked for those that match nothing too, it always answers, and the git library need not wait for silence.
  const args = ['check-ignore', '-z', '--stdin', '--verbose', '--non-matching'];
  const { stdout } = await tryReadGit({ path: top, env: repo.env }, args, { input });
  const rules = [...stdout.matchAll(/[^\0]*\0[^\0]*\0([^\0]*)\0([^\0]*)\0/g)];
  return new Set(rules.flatMap(([, rule = '', path = '']) => (rule === '' || rule.startsWith('!') ? [] : [path])));
}

async function runSetup(request: PrepareRequest, command: string): Promise<void> {
  const timeoutMs = request.timeoutMs ?? setupTimeoutMs;
  const { inside = [] } = request;
  const [program = '', ...words] = [...inside, '/bin/sh', '-c', 'exec 2>&1; eval "$1"', 'sh', command];
  const result = await run(program, words, {
    cwd: request.worktreePath,
    env: request.env ?? request.repo.env,
    timeoutMs,
    wholeTree: 'when-stopped',
    ...defined({ signal: request.signal }),
  });
  if (result.exitCode === 0) return;
  const how = result.timedOut
    ? `did not end within ${timeoutMs} ms`
    : `failed (${result.signal ?? `exit ${result.exitCode}`})`;
  throw new CrewError(
    'setup_failed',
    `The set-up command ${JSON.stringify(command)} ${how} in ${request.worktreePath}. Its last words: ${lastLines(result.stdout) || 'none'}`,
    inside.length === 0
      ? 'Run it by hand in a worktree, mend it in setup_commands, and spawn again.'
      : 'It ran in a sandbox, which writes the worktree, its own $TMPDIR and caches, and sandbox.allow_write. Mend it in setup_commands, or spawn with sandbox: false.',
  );
}
