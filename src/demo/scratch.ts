// The demo's own home, state, tmux socket and small repository, all below one folder.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import { run } from '../system/exec.ts';
import { endProcesses, processTree } from '../system/process.ts';

const graceMs = 2_000;

export interface Scratch {
  readonly root: string;
  readonly repo: string;
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  git(...args: readonly string[]): Promise<string>;
  tmux(...args: readonly string[]): Promise<string>;
  /** Ends the tmux server of the demo and removes the folder. */
  remove(): Promise<void>;
}

export interface ScratchOptions {
  readonly tmp: string;
  readonly path: string;
  /** The command line that starts a scripted agent. */
  readonly agent: readonly string[];
}

export async function makeScratch({ tmp, path, agent }: ScratchOptions): Promise<Scratch> {
  const root = await realpath(await mkdtemp(join(tmp, 'crewmux-demo-')));
  const socket = `crewmux-demo-${newNonce()}`;
  const folder = async (...names: readonly string[]) => {
    const made = join(root, ...names);
    await mkdir(made, { recursive: true, mode: 0o700 });
    return made;
  };
  const home = await folder('home');
  const config = await folder('home', '.config', 'crewmux');
  await writeFile(join(config, 'config.json'), JSON.stringify({ commands: { claude: agent } }));
  const env = await scratchEnv({ home, path, socket, folder });
  const repo = await folder('shop');
  const must = async (file: string, args: readonly string[]) => {
    const done = await run(file, args, { cwd: repo, env });
    if (done.exitCode === 0) return done.stdout.trimEnd();
    const words = done.startError ?? done.stderr.trim();
    throw new CrewError(
      'internal',
      `${file} ${args[0] ?? ''} failed in the demo: ${words}`,
      `Run ${file} by hand to see why.`,
    );
  };
  await writeFile(join(repo, 'README.md'), '# shop\n');
  const scratch: Scratch = {
    root,
    repo,
    socket,
    env,
    git: (...args) => must('git', args),
    tmux: (...args) => must('tmux', ['-L', socket, ...args]),
    async remove() {
      const panes = await run('tmux', ['-L', socket, 'list-panes', '-a', '-F', '#{pane_pid}'], { env });
      const trees = await Promise.all(
        panes.stdout
          .split('\n')
          .filter(Boolean)
          .map((pid) => processTree(Number(pid))),
      );
      await run('tmux', ['-L', socket, 'kill-server'], { env });
      // Agents still write files while they end.
      await endProcesses(trees.flat(), { graceMs });
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  try {
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '.'],
      ['commit', '-q', '-m', 'Begin'],
    ])
      await must('git', args);
  } catch (error) {
    await scratch.remove();
    throw error;
  }
  return scratch;
}

interface EnvParts {
  readonly home: string;
  readonly path: string;
  readonly socket: string;
  readonly folder: (...names: readonly string[]) => Promise<string>;
}

const scratchEnv = async ({ home, path, socket, folder }: EnvParts) => ({
  PATH: path,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  TMUX_TMPDIR: await folder('t'),
  TMPDIR: await folder('tmp'),
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_STATE_HOME: await folder('home', '.local', 'state'),
  CLAUDE_CONFIG_DIR: await folder('home', '.claude'),
  CREWMUX_HOME: await folder('state'),
  CREWMUX_TMUX_SOCKET: socket,
  GIT_AUTHOR_NAME: 'Demo',
  GIT_AUTHOR_EMAIL: 'demo@example.invalid',
  GIT_COMMITTER_NAME: 'Demo',
  GIT_COMMITTER_EMAIL: 'demo@example.invalid',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
});
