// What led a branch from one commit to another, for a person to read.
import { type Env, readGit } from '../git/repo.ts';

export interface Between {
  /** Each with its author and subject, the newest first. */
  readonly added: readonly string[];
  /** Those that the branch had and lacks now. */
  readonly removed: readonly string[];
  /** Paths with a letter for what became of them. */
  readonly files: readonly string[];
}

/** Rejects where one of the commits is not there. */
export async function between(path: string, env: Env, { from, to }: { from: string; to: string }): Promise<Between> {
  const read = async (...args: readonly string[]) =>
    (await readGit({ path, env }, ['-c', 'core.quotePath=false', ...args])).split('\n').filter((line) => line !== '');
  const log = (range: readonly string[]) => read('log', '--no-show-signature', '--format=%h %an: %s', ...range, '--');
  const [added, removed, files] = await Promise.all([
    log([to, `^${from}`]),
    log([from, `^${to}`]),
    read('diff-tree', '-r', '--name-status', '--no-renames', from, to, '--'),
  ]);
  return { added, removed, files: files.map((line) => line.replace('\t', ' ')) };
}
