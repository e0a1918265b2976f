// A server that is killed at one chosen call of git in a landing, and what a landing must not leave behind.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { messageOf } from '../../src/model/errors.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually, type Sandbox } from '../support/sandbox.ts';

export interface Trap {
  /** For the server that is to be caught. */
  readonly env: Readonly<Record<string, string>>;
  /** The server dies at this call of git in its next landing, which git then makes all the same, or never. */
  arm(at: { readonly call: number; readonly server: number; readonly gitGoesOn: boolean }): void;
  disarm(): void;
}

/** Stands before git on the PATH. */
export function makeTrap(sandbox: Sandbox): Trap {
  const bin = sandbox.dir('trap');
  const [armed, counted] = [join(bin, 'armed'), join(bin, 'counted')];
  const path = sandbox.env.PATH ?? '';
  const git = path
    .split(delimiter)
    .map((folder) => join(folder, 'git'))
    .find((file) => existsSync(file));
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh
if [ -n "$CREWMUX_LANDING" ] && [ -f ${armed} ]; then
  printf x >>${counted}
  read -r call server goes <${armed}
  # Of calls at the same moment one alone springs it.
  if [ "$(wc -c <${counted})" -ge "$call" ] && mv ${armed} ${armed}.$$; then
    kill -s KILL "$server"
    [ "$goes" = true ] || exit 1
  fi
fi 2>/dev/null
exec ${git} "$@"
`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  return {
    env: { PATH: `${bin}${delimiter}${path}` },
    arm({ call, server, gitGoesOn }) {
      writeFileSync(counted, '');
      writeFileSync(armed, `${call} ${server} ${gitGoesOn}\n`);
    },
    disarm: () => rmSync(armed, { force: true }),
  };
}

/** Locks, drafts, journals, scratch worktrees and processes of landings; none but where one is under way. */
export function remainsOf(sandbox: Sandbox, repo: string): readonly string[] {
  const inGit = all(join(repo, '.git')).filter((path) => /\.lock$|crewmux-.*index|crewmux-scratch/.test(path));
  const home = sandbox.dir('crewmux');
  const landings = all(join(home, 'landings')).filter((path) => path.includes('/'));
  const locks = readdirSync(join(home, 'locks')).filter((name) => name.startsWith('land-'));
  return [...inGit, ...landings, ...locks, ...marked(home)];
}

/** Resolves when nothing is left of a landing; its error lists what is. */
export async function nothingLeft(remains: () => readonly string[], ceilingMs?: number): Promise<void> {
  await eventually('nothing is left of the landing', () => remains().length === 0, ceilingMs).catch(
    (error: unknown) => {
      throw new Error(`${messageOf(error)}, but there is ${remains().join('; ')}`);
    },
  );
}

function all(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    // What is on its way out is still there.
    return [`/crewmux-scratch: ${error}`];
  }
}

/** Processes that a landing of this sandbox has started. */
function marked(home: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const environment = textOf(`/proc/${pid}/environ`);
      return environment.includes('\0CREWMUX_LANDING=') && environment.includes(join(home, '..'));
    })
    .map((pid) => `${pid}: ${textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Resolves when the process is gone. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await eventually('it is gone', () => !isAlive(pid));
}
