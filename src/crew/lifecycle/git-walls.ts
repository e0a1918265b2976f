// What a worker's commands see of the repository's git folder: their own view where bubblewrap can lay it, else a hole.
import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import type { Agent, GitWalls, LaunchSpec, SandboxHole } from '../../agents/agent.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { excludedByUser, makeEmpty } from '../../worktree/git/git-places.ts';
import { bubblewrapOnPath } from '../../worktree/landing/sandbox-probe.ts';
import type { CrewContext } from '../workers/roster.ts';

type Env = Readonly<Record<string, string>>;
type Git = NonNullable<LaunchSpec['git']>;

interface Walls {
  readonly walls?: GitWalls;
  readonly holes: readonly SandboxHole[];
}

const hole = (words: string): Walls => ({ holes: [{ words, isWished: false, writesRefs: true }] });

/** Makes the worker's own folders, and the files that must be there before anybody can guard them. */
export async function wallsOf(
  context: CrewContext,
  record: WorkerRecord,
  { agent, git, env }: { readonly agent: Agent; readonly git: LaunchSpec['git']; readonly env: Env },
): Promise<Walls> {
  if (git === undefined) return { holes: [] };
  const { worktreePath, branch, branchFolder: branches } = record;
  if (git.gitDir === git.commonDir || worktreePath === undefined) {
    if (agent.sandbox?.guardsGit) return { holes: [] };
    return hole('it works in a checkout that it shares, and its commands write the git folder there');
  }
  if (branches === undefined)
    return hole(`its branch ${branch ?? 'HEAD'} has no folder of its own, so its commands can move other branches`);
  const found = platform() === 'linux' ? await bubblewrapOnPath(env) : undefined;
  if (found === undefined) return hole(`${noBwrap()}, so its commands can move other branches`);
  await Promise.all([makePlain(join(git.commonDir, 'packed-refs')), makePlain(join(git.gitDir, 'config.worktree'))]);
  const ownDir = context.home.ownRefsPath(record.id);
  await Promise.all(
    ['refs/notes', 'logs/refs'].map((name) => mkdir(join(ownDir, name), { recursive: true, mode: 0o700 })),
  );
  const excludes = join(ownDir, 'excludes');
  await writeFile(excludes, await excluded(agent, git, env));
  const { gitDir, commonDir } = git;
  return {
    walls: {
      ...{ bwrap: await realpath(found), worktree: await realpath(worktreePath) },
      ...{ commonDir, gitDir, branches, ownDir, excludes },
    },
    holes: [],
  };
}

const noBwrap = (): string =>
  platform() === 'linux' ? 'bubblewrap is not installed' : 'only bubblewrap on Linux guards the branches of others';

/** Throws where something else than a plain file is there. */
async function makePlain(path: string): Promise<void> {
  await makeEmpty(path);
  if (!(await lstat(path)).isFile()) throw new Error(`${path} is no plain file.`);
}

/** The agent's stand-ins, which `git add -A` would add, together with whatever the user excludes. */
async function excluded(agent: Agent, git: Git, env: Env): Promise<string> {
  const { standIns = [] } = agent.sandbox ?? {};
  return `${[...standIns.map((name) => `/${name}`), await excludedByUser(git.commonDir, env)].join('\n')}\n`;
}
