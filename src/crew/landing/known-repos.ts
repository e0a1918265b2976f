// The repositories this crew has to do with.
import { CrewError } from '../../model/errors.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/inspect.ts';
import type { CrewContext } from '../workers/roster.ts';

/** The one asked for; else those of the workers that are known, and the one this server stands in. */
export async function knownRepos(context: CrewContext, asked: string | undefined): Promise<readonly FolderFacts[]> {
  if (asked !== undefined) {
    const repo = await inspectFolder({ path: asked, env: context.env });
    if (repo !== undefined) return [repo];
    throw new CrewError(
      'not_a_repository',
      `${asked} is not in a git repository.`,
      'Pass a repository or a folder in one.',
    );
  }
  const paths = context.roster.records().flatMap((record) => record.mainRepoPath ?? []);
  const found = await Promise.all(
    [...new Set([...paths, context.cwd])].map((path) =>
      // One that was moved or removed since is no longer to be looked at.
      inspectFolder({ path, env: context.env }).catch(() => undefined),
    ),
  );
  const repos = found.flatMap((repo) => (repo === undefined ? [] : [repo]));
  return [...new Map(repos.map((repo) => [repo.gitCommonDir, repo])).values()];
}
