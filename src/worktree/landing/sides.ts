// Which commits of each side touched a file they do not agree on.
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { nulEnded } from '../git/porcelain.ts';
import { readGit, tryReadGit } from '../git/repo.ts';

export interface SideCommit {
  readonly sha: string;
  readonly subject: string;
}

export interface Sides {
  readonly file: string;
  readonly theirs: readonly SideCommit[];
  readonly ours: readonly SideCommit[];
}

const mostFiles = 30;
const mostCommits = 5;

/** `ours` are the worker's, `theirs` the target's, newest first. */
export async function sidesOf(
  repo: Repo,
  { target, source, files }: { target: string; source: string; files: readonly string[] },
): Promise<readonly Sides[]> {
  const result = await tryReadGit(repoPlace(repo), ['merge-base', target, source]);
  const base = result.exitCode === 0 ? result.stdout.trim() : undefined;
  return Promise.all(
    files.slice(0, mostFiles).map(async (file) => {
      const [theirs, ours] = await Promise.all([
        commitsOf(repo, { base, tip: target, file }),
        commitsOf(repo, { base, tip: source, file }),
      ]);
      return { file, theirs, ours };
    }),
  );
}

async function commitsOf(
  repo: Repo,
  { base, tip, file }: { base: string | undefined; tip: string; file: string },
): Promise<readonly SideCommit[]> {
  const range = base === undefined ? tip : `${base}..${tip}`;
  const format = ['-z', '--no-show-signature', '--format=%H %s', '-n', String(mostCommits)];
  const printed = await readGit(repoPlace(repo), ['--literal-pathspecs', 'log', ...format, range, '--', file]);
  return nulEnded(printed).map((line) => ({
    sha: line.slice(0, line.indexOf(' ')),
    subject: line.slice(line.indexOf(' ') + 1),
  }));
}

/** Subjects of what a branch adds, oldest first, for a message about all of it. */
export async function subjectsOf(repo: Repo, target: string, source: string): Promise<readonly string[]> {
  const args = ['log', '-z', '--reverse', '--no-merges', '--no-show-signature', '--format=%s', '-n', '100'];
  const printed = await readGit(repoPlace(repo), [...args, `${target}..${source}`, '--']);
  return nulEnded(printed);
}
