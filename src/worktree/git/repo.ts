// The one door to git: non-interactive, with a deadline, in a clean environment.
import { realpath } from 'node:fs/promises';
import { GitPluginError, type SimpleGitOptions, simpleGit } from 'simple-git';
import { defined } from '../../model/defined.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import { orNewer } from '../../model/needs.ts';
import { tryUntil } from '../../system/pace.ts';
import { listArgs, overruling, type Setting, SettingsRead } from './distrust.ts';
import { type GitFolders, gitFoldersOf, pinEnvironment } from './git-link.ts';
import { watchHeld } from './held-git.ts';
import { refuseOdd } from './odd-files.ts';

export type Env = Readonly<Record<string, string>>;

/** Where a git command runs. The folder must exist. */
export interface GitPlace {
  readonly path: string;
  readonly env: Env;
}

export interface GitOptions {
  readonly input?: string | Buffer;
  /** Laid over the environment; the only way for a GIT_ variable to reach git. */
  readonly gitEnv?: Env;
  readonly timeoutMs?: number;
  /** The folder whose hooks run; none do without. */
  readonly hooks?: string;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What it printed, before it was taken for text. */
  readonly bytes: Buffer;
}

/** What the library would refuse; ours is all there to keep programs from running. */
const overruled = {
  allowUnsafeAskPass: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeDiffTextConv: true,
  allowUnsafeEditor: true,
  allowUnsafeFilter: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafeHooksPath: true,
  allowUnsafeMergeDriver: true,
  allowUnsafePack: true,
  allowUnsafeSshCommand: true,
};

const defaultTimeoutMs = 120_000;
const heldPipesMs = 5_000;

/** What may run a hook or a program that leaves a process behind, which may hold the pipes for ever. */
const leavesProcesses =
  /^(branch|checkout|fetch|hook|ls-remote|merge|push|read-tree|rebase|reset|update-index|update-ref|worktree (add|remove))$/;

/** Configuration sources are the user's choice; where git works and with what programs is ours. */
const inherited = new Set(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM']);
/** The library refuses to run with these in sight, and no command of ours opens an editor or pager. */
const interactive = new Set(['EDITOR', 'VISUAL', 'PAGER', 'PREFIX', 'SSH_ASKPASS']);

/** The environment git gets: stale GIT_DIR and its like never pass, and git speaks English. */
export function gitEnvironment(env: Env, gitEnv: Env = {}): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => {
    const upper = name.toUpperCase();
    return inherited.has(upper) || (!upper.startsWith('GIT_') && !interactive.has(upper));
  });
  return { ...Object.fromEntries(kept), LANGUAGE: 'en', GIT_TERMINAL_PROMPT: '0', ...gitEnv };
}

/** Runs git to its end. A failure is a result; throws only when git is missing or did not end in time. */
export function tryGit(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const once = () => tryOnce(place, args, options);
  return tryUntil(once, (result) => !isOvertaken(args, result), { tries: 21, pauseMs: 15 });
}

const halfThere =
  /^fatal: Invalid path '.*\/worktrees\/.*': No such file or directory$|failed to read (?:'?\S*)worktrees\//m;

/** Another git writes the same settings or refs just then. */
const locked = /\.lock': File exists|could not lock config/;

/** Before it acts, git looks at every worktree, and gives up over one that another git makes or removes just then. */
function isOvertaken(args: readonly string[], { exitCode, stderr }: GitResult): boolean {
  const command = commandOf(args);
  if (exitCode === 0 || !/^worktree (?:add|list|remove)$/.test(command)) return false;
  return halfThere.test(stderr) || (command === 'worktree add' && locked.test(stderr));
}

const settingsRead = new SettingsRead();

/** Runs git so that nothing is run which the repository, the worktree or a folder in it names. */
async function tryOnce(place: GitPlace, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { settings, pin, folders } = await configuredAt(place);
  const trusted = { ...overruling(settings, options.hooks ?? '/dev/null'), ...pin };
  // Whoever names another git folder means all of it.
  const { GIT_COMMON_DIR: _common, ...elsewhere } = trusted;
  const gitEnv = { ...(options.gitEnv?.GIT_DIR === undefined ? trusted : elsewhere), ...options.gitEnv };
  for (let left = mostHeld; ; left -= 1) {
    const held = watchHeld(folders);
    try {
      return await start(place, args, { ...options, gitEnv, signal: held.signal });
    } catch (thrown) {
      if (left === 0 || !held.signal.aborted) throw thrown;
      if (held.signal.reason instanceof CrewError) throw held.signal.reason;
    } finally {
      held.stop();
    }
  }
}

const mostHeld = 3;

/** The environment in which git, and what it starts, runs nothing that is named at the place but the hooks given. */
export async function distrusting(place: GitPlace, hooks = '/dev/null'): Promise<Env> {
  const { settings, pin } = await configuredAt(place);
  return { ...overruling(settings, hooks), ...pin };
}

/** What git is configured to where it runs; read anew only after one of the files has changed. */
export const settingsAt = async (place: GitPlace): Promise<readonly Setting[]> => (await configuredAt(place)).settings;

interface Configured {
  readonly settings: readonly Setting[];
  readonly pin: Env;
  readonly folders: GitFolders | undefined;
}

async function configuredAt(place: GitPlace): Promise<Configured> {
  const path = await realpath(place.path).catch(() => place.path);
  const folders = gitFoldersOf(path);
  if (folders === undefined) return { settings: [], pin: {}, folders };
  if (folders.root !== undefined) refuseOdd(folders);
  const pin = pinEnvironment(folders);
  const list = async () => {
    const result = await start(place, listArgs, { gitEnv: pin });
    // Not knowing what is configured is no leave to run it.
    if (result.exitCode !== 0) throw gitFailed(place, listArgs, result);
    return result.stdout;
  };
  const asked = JSON.stringify(
    Object.entries(gitEnvironment(place.env)).filter(([name]) => /^(GIT_|HOME$|XDG_)/.test(name)),
  );
  return { settings: await settingsRead.of(folders, { path, asked, list }), pin, folders };
}

async function start(place: GitPlace, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const env = gitEnvironment(place.env, options.gitEnv);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  let exitCode = -1;
  let stderr = '';
  let bytes = Buffer.alloc(0);
  const settings: Partial<SimpleGitOptions> = {
    baseDir: place.path,
    timeout: { block: timeoutMs, stdErr: false, stdOut: false },
    ...defined({ abort: options.signal }),
    // All is read once its pipes are closed. Where time decides instead, a busy machine can cost the answer's end.
    completion: { onClose: true, onExit: leavesProcesses.test(commandOf(args)) ? heldPipesMs : false },
    allowEnvironment: Object.keys(env).filter((name) => name.toUpperCase().startsWith('GIT_')),
    unsafe: overruled,
    errors(error, result) {
      // A git that was killed has no exit code, whatever the type says.
      exitCode = Number.isInteger(result.exitCode) ? result.exitCode : -1;
      stderr = Buffer.concat(result.stdErr).toString('utf8');
      bytes = Buffer.concat(result.stdOut);
      return error instanceof GitPluginError ? error : undefined;
    },
    // Without any input, or an empty one, the library leaves stdin open, and whatever reads it would wait for ever.
    input: () => options.input || '\n',
  };
  try {
    const stdout = await simpleGit(settings)
      .env(env)
      // The library waits 50 ms more for a git that has printed nothing, though its pipes are closed by then.
      .outputHandler((_, printed) => queueMicrotask(() => printed.emit('data', Buffer.alloc(0))))
      .raw([...args]);
    if (isMissing(stderr)) throw missing(stderr);
    return { exitCode, stdout, stderr, bytes };
  } catch (thrown) {
    throw thrown instanceof CrewError ? thrown : refusal(place, args, timeoutMs, thrown);
  }
}

/** Runs git and returns what it printed. Throws `git_failed` with git's own words. */
export async function git(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const result = await tryGit(place, args, options);
  if (result.exitCode === 0) return result.stdout;
  throw gitFailed(place, args, result);
}

/** Runs a reading command that takes no lock, so that it never disturbs a worker's own git. */
export const readGit = (place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<string> =>
  git(place, ['--no-optional-locks', ...args], options);

/** Like `readGit`; a failure is a result. */
export const tryReadGit = (place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<GitResult> =>
  tryGit(place, ['--no-optional-locks', ...args], options);

const nobody = { NAME: 'crewmux', EMAIL: 'crewmux@localhost' };

const committing = (as: Readonly<Record<string, string>>): Env =>
  Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => Object.entries(as).map(([k, v]) => [`GIT_${who}_${k}`, v])),
  );

/** For commits that crewmux makes by itself. */
export const byCrewmux = committing(nobody);

/** For commits that no branch will hold: the same content gives the same commit, whoever asks and when. */
export const byNobody = committing({ ...nobody, DATE: '@0 +0000' });

export interface CommitOf {
  /** Whatever git takes for one. */
  readonly tree: string;
  readonly parents: readonly string[];
  /** Ends with a line's end. */
  readonly message: string;
}

/** The name of a commit that no ref holds yet. */
export async function commitTree(place: GitPlace, { tree, parents, message }: CommitOf, gitEnv: Env): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return (await git(place, args, { gitEnv, input: message })).trim();
}

/** The last lines a program printed, for an error message. */
export const lastLines = (text: string, count = 5): string => text.trimEnd().split('\n').slice(-count).join('\n');

export const gitFailed = (place: GitPlace, args: readonly string[], result: GitResult): CrewError =>
  new CrewError(
    'git_failed',
    `git ${subcommand(args)} failed in ${place.path} (exit ${result.exitCode}): ${lastLines(result.stderr || result.stdout)}`,
    'git said the words after the colon; nothing was changed by a command that failed.',
  );

const subcommand = (args: readonly string[]) =>
  args.find((arg, at) => /^[a-z]/.test(arg) && args[at - 1] !== '-c') ?? args.join(' ');

function commandOf(args: readonly string[]): string {
  const name = subcommand(args);
  return name === 'worktree' ? `worktree ${args[args.indexOf(name) + 1] ?? ''}` : name;
}

const isMissing = (stderr: string) => /spawn git ENOENT/.test(stderr);

const missing = (stderr: string) =>
  new CrewError('git_missing', 'git was not found on the PATH.', `Install ${orNewer('git')}, then call again.`, {
    cause: stderr,
  });

function refusal(place: GitPlace, args: readonly string[], timeoutMs: number, thrown: unknown): CrewError {
  const words = messageOf(thrown);
  if (words.includes('timeout reached')) {
    return new CrewError(
      'git_failed',
      `git ${subcommand(args)} did not end within ${timeoutMs} ms in ${place.path} and was stopped.`,
      'Look for a hook that waits, a slow disk or a network file system; then call again.',
      { cause: thrown },
    );
  }
  if (words.includes('does not exist')) {
    return new CrewError('invalid_argument', `There is no folder at ${place.path}.`, 'Pass a folder that exists.', {
      cause: thrown,
    });
  }
  return new CrewError('git_failed', `git ${subcommand(args)} failed in ${place.path}: ${words}`, 'Nothing was run.', {
    cause: thrown,
  });
}
