// The checkouts of a landing's target: what is in the way there, and how their files change before the branch moves.
import { CrewError } from '../../model/errors.ts';
import { repoPlace } from '../../worktree/git/branch.ts';
import { topOf } from '../../worktree/git/draft-index.ts';
import type { FolderFacts, Repo } from '../../worktree/git/inspect.ts';
import { type Commits, changesBetween, type PathChange } from '../../worktree/git/path-changes.ts';
import { type Blockers, blockersOf, bringAlong, takeBack } from '../../worktree/landing/checkouts.ts';
import type { CrewContext } from '../workers/crew-context.ts';

export interface Blocked extends Blockers {
  readonly path: string;
}

export async function blockedCheckouts(
  checkouts: readonly FolderFacts[],
  changes: readonly PathChange[],
): Promise<readonly Blocked[]> {
  const found = await Promise.all(
    checkouts.map(async (folder) => ({ path: topOf(folder).path, ...(await blockersOf(folder, changes)) })),
  );
  return found.filter(({ files, operation }) => files.length > 0 || operation !== undefined);
}

const mostNamed = 20;

export function checkoutInTheWay(context: CrewContext, target: string, blocked: readonly Blocked[]): CrewError {
  const places = blocked.map(({ path, files, operation }) => {
    const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : '';
    const what = [
      ...(files.length === 0 ? [] : [`${files.slice(0, mostNamed).join(', ')}${more}`]),
      ...(operation === undefined ? [] : [`a ${operation} that is not finished`]),
    ];
    return `${named(context, path)}: ${what.join('; ')}`;
  });
  return new CrewError(
    'checkout_in_the_way',
    `${target} is checked out where something is in the way of what would land. In ${places.join('. In ')}.`,
    'Nothing was landed and nothing there was changed. Have it committed, stashed or moved aside there, then call again; or pass into with another branch.',
  );
}

function named(context: CrewContext, path: string): string {
  const live = context.roster.records().filter(({ phase, worktreePath }) => phase === 'live' && worktreePath === path);
  return live.length === 0 ? path : `${path} (${live.map(({ name }) => name).join(' and ')} works there)`;
}

export interface Bringing extends Commits {
  readonly checkouts: readonly FolderFacts[];
}

/** Changes the files of all checkouts, or of none: it rejects after it has taken every change back. */
export async function bringCheckouts(
  { context, repo, target }: { readonly context: CrewContext; readonly repo: Repo; readonly target: string },
  { checkouts, ...commits }: Bringing,
): Promise<void> {
  for (const [at, folder] of checkouts.entries()) {
    const trouble = await bringAlong(folder, commits);
    if (trouble === undefined) continue;
    await takeBackCheckouts(context, { checkouts: checkouts.slice(0, at), ...commits, tip: commits.from });
    const blocked = await blockedCheckouts([folder], await changesBetween(repoPlace(repo), commits));
    if (blocked.length > 0) throw checkoutInTheWay(context, target, blocked);
    throw new CrewError(
      'git_failed',
      `git would not bring the checkout of ${target} in ${topOf(folder).path} along: ${trouble}`,
      'Nothing was landed. Mend what git names there, then call again; or pass into with another branch.',
    );
  }
}

/** Warns in the log where a later edit keeps a checkout from going back. */
export async function takeBackCheckouts(
  context: CrewContext,
  { checkouts, ...commits }: Bringing & { readonly tip: string },
): Promise<void> {
  for (const folder of checkouts) {
    const isBack = await takeBack(folder, commits).catch(() => false);
    if (!isBack)
      context.logger.write(
        'warn',
        `${topOf(folder).path} keeps files of ${commits.to.slice(0, 12)}, which did not land`,
      );
  }
}
