// A private world for one test: folders, environment and tmux socket of its own, gone afterwards.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newNonce } from '../../src/model/ids.ts';
import { writeFirstCommit } from './first-commit.ts';
import { freshEntries, refreshEntries } from './index-stat.ts';

export interface Sandbox {
  readonly root: string;
  readonly home: string;
  /** The tmux socket name, for `-L`. */
  readonly socket: string;
  /** The whole environment for everything the test starts. */
  readonly env: Record<string, string>;
  /** Makes a folder below the root and returns its path. */
  dir(name: string): string;
  /** Makes a git repository with one commit and returns its path. */
  repo(name: string): string;
  /** Remembers every file as it is now, once. The function it returns puts all of them back at their paths. */
  keep(): () => void;
  git(cwd: string, ...args: string[]): string;
  tmux(...args: string[]): string;
  /** Ends the tmux server and removes every file. Safe to call twice. */
  dispose(): void;
}

const open = new Set<Sandbox>();

/** What was made and not disposed of, oldest first. */
export const openSandboxes = (): readonly Sandbox[] => [...open];

/** What tests that failed on their way out have left up. */
export function disposeRest(): void {
  for (const sandbox of open) sandbox.dispose();
}

export function makeSandbox(): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 't-')));
  const at = (name: string) => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const home = at('home');
  const socket = `cmt-${newNonce()}`;
  const env = sandboxEnv({ root, home, at, socket });
  const exec = (file: string, args: string[], cwd: string) =>
    execFileSync(file, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const keeping = new Set<string>();
  const git = (cwd: string, ...args: readonly string[]) => exec('git', [...unkept, ...args], cwd).trimEnd();
  const sandbox: Sandbox = {
    root,
    home,
    socket,
    env,
    dir: at,
    repo(name) {
      const path = at(name);
      const by = `${env.GIT_AUTHOR_NAME} <${env.GIT_AUTHOR_EMAIL}>`;
      writeFirstCommit({ path, file: { name: 'README.md', text: `# ${name}\n` }, subject: 'Start', by });
      return path;
    },
    keep() {
      const kept = `${root}.kept-${keeping.size}`;
      const copy = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
      const fresh = freshEntries(root);
      cpSync(root, kept, copy);
      keeping.add(kept);
      return () => {
        for (const entry of readdirSync(root)) removeFolder(join(root, entry));
        cpSync(kept, root, copy);
        refreshEntries(fresh);
      };
    },
    git,
    tmux: (...args) => exec('tmux', ['-L', socket, ...args], root).trimEnd(),
    dispose() {
      open.delete(sandbox);
      if (existsSync(join(root, 'tmux')) && readdirSync(join(root, 'tmux')).length > 0) endTmux(exec, { root, socket });
      for (const folder of [root, ...keeping]) removeFolder(folder);
    },
  };
  open.add(sandbox);
  return sandbox;
}

type Exec = (file: string, args: string[], cwd: string) => string;

function endTmux(exec: Exec, { root, socket }: Pick<Sandbox, 'root' | 'socket'>): void {
  try {
    exec('tmux', ['-L', socket, 'kill-server'], '/');
  } catch {
    // none was started there, or it has ended by itself
  }
  // What ran in a pane outlives its tmux for a moment, and would write its last words into folders made anew.
  for (const pid of livingIn(root)) untilEnded(pid);
}

/** A commit starts no second process that looks whether there is something to tidy up. */
const unkept = ['-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];

const endCeilingMs = 5_000;

/** What ran in a pane may still be writing its last words. What is deaf to its end, as a helper left behind, is killed. */
function untilEnded(pid: number): void {
  if (endsInTime(pid)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has just ended
  }
  endsInTime(pid);
}

function endsInTime(pid: number): boolean {
  const deadline = performance.now() + endCeilingMs;
  while (pid > 0 && runs(pid) && performance.now() < deadline) waitSync(10);
  return !runs(pid);
}

/** Processes whose environment names the folder; none where the system does not tell. */
function livingIn(folder: string): readonly number[] {
  const names = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  };
  const all = existsSync('/proc/self/environ') ? readdirSync('/proc') : [];
  return all.filter((name) => /^\d+$/.test(name) && names(name)).map(Number);
}

/** A process that is dead and not yet buried writes no more. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function removeFolder(path: string): void {
  const deadline = performance.now() + endCeilingMs;
  for (;;) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      // A process that has just ended may have left a file between listing and removal.
      if (performance.now() > deadline) throw error;
      waitSync(50);
    }
  }
}

const waitSync = (delayMs: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);

function sandboxEnv(s: { root: string; home: string; at: (name: string) => string; socket: string }) {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: s.home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    TMPDIR: s.at('tmp'),
    TMUX_TMPDIR: s.at('tmux'),
    XDG_CONFIG_HOME: s.at('home/.config'),
    XDG_STATE_HOME: s.at('home/.local/state'),
    XDG_CACHE_HOME: s.at('home/.cache'),
    CLAUDE_CONFIG_DIR: s.at('home/.claude'),
    CODEX_HOME: s.at('home/.codex'),
    CREWMUX_HOME: s.at('crewmux'),
    CREWMUX_TMUX_SOCKET: s.socket,
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.invalid',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.invalid',
    GIT_CONFIG_GLOBAL: join(s.root, 'gitconfig'),
    GIT_CONFIG_SYSTEM: '/dev/null',
  };
}

/** Waits until `look` returns something other than undefined or false; fails with `what` after `ceilingMs`. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ceilingMs = 120_000,
): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    const elapsedMs = performance.now() - begun;
    if (elapsedMs > ceilingMs) throw new Error(`Not within ${ceilingMs} ms: ${what}`);
    // What takes long is asked less often, so that the asking does not make it longer.
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(elapsedMs / 20, 20), 500)));
  }
}
