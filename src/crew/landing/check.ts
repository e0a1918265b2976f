// Runs a command on the project as it is committed: in a scratch worktree and in the sandbox, as the tests of a landing are run.
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { endMarked } from '../../system/marked.ts';
import { repoPlace } from '../../worktree/git/branch.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import { readGit } from '../../worktree/git/repo.ts';
import { clearScratch, scratchPath, withScratch } from '../../worktree/landing/scratch.ts';
import { commandEnvironment } from '../environments.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { withSandbox } from './landing-sandbox.ts';
import { prepareScratch, runLine } from './landing-tests.ts';

export interface CheckOrder {
  /** One at a time under the same id; what a killed one left is cleared away by the next. */
  readonly id: string;
  readonly project: string;
  /** A line for a shell. */
  readonly command: string;
}

export interface CheckOutcome {
  readonly exitCode?: number | undefined;
  readonly timedOut: boolean;
  /** What it needs could not be made: `output` says why. */
  readonly isUnrun?: true;
  /** The last part of it. */
  readonly output: string;
}

const timeoutMs = 60_000;
const graceMs = 1_000;
const tailLength = 4_000;

/** When the promise resolves, every process that the command started has ended. */
export async function runCheck(
  context: CrewContext,
  { id, project, command }: CheckOrder,
  { signal }: Pick<Run, 'signal'>,
): Promise<CheckOutcome> {
  const repo = await inspectFolder({ path: project, env: context.environment.git });
  if (repo === undefined)
    throw new CrewError(
      'not_a_repository',
      `${project} is in no git repository, so no check can run on its commit.`,
      'Leave check out.',
    );
  const dir = join(context.home.root, 'checks', id);
  const mark = { name: 'CREWMUX_CHECK', value: id };
  await endMarked(mark, { graceMs });
  await clearScratch(repo, dir);
  const commit = (await readGit(repoPlace(repo), ['rev-parse', '--verify', 'HEAD^{commit}'])).trim();
  return withScratch(repo, { path: scratchPath(dir), commit }, ({ path }) =>
    withSandbox({ context, repo, path, dir }, async (inside) => {
      const env = { ...commandEnvironment(context, repo.mainRepoPath), [mark.name]: mark.value, CI: 'true' };
      const trouble = await prepareScratch({ context, repo, env, signal }, { path, inside });
      if (trouble !== undefined) return { timedOut: false, isUnrun: true, output: trouble };
      const ran = await runLine(command, {
        ...{ path, inside, env, timeoutMs, signal },
        guard: { beforeStart: async () => undefined, afterEnd: async () => void (await endMarked(mark, { graceMs })) },
      });
      return { exitCode: ran.exitCode, timedOut: ran.timedOut, output: ran.stdout.slice(-tailLength) };
    }),
  );
}
