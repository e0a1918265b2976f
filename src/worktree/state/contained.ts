// Whether a branch holds all that a commit brings, however it came there.
import { byNobody, commitTree, type GitPlace, readGit, tryReadGit } from '../git/repo.ts';

/** Squashed, rebased or picked: a merge would add nothing, or every patch is there already, one by one or as one. */
export async function isContained(place: GitPlace, tip: string, commit: string): Promise<boolean> {
  const [merge, tree] = await Promise.all([
    tryReadGit(place, ['merge-tree', '--write-tree', tip, commit]),
    readGit(place, ['rev-parse', `${tip}^{tree}`]),
  ]);
  if (merge.exitCode === 0 && merge.stdout.trim() === tree.trim()) return true;
  const cherry = await tryReadGit(place, ['cherry', tip, commit]);
  if (cherry.exitCode !== 0) return false;
  const picked = cherry.stdout.split('\n').filter((line) => line !== '');
  if (picked.every((line) => line.startsWith('-')) && (await hasNoMerges(place, tip, commit))) return true;
  // One commit by itself is its own squash.
  return picked.length > 1 && isSquashed(place, tip, commit);
}

/** What a merge commit changed by itself git cherry does not compare. */
async function hasNoMerges(place: GitPlace, tip: string, commit: string): Promise<boolean> {
  const merges = await readGit(place, ['rev-list', '--merges', '--count', `${tip}..${commit}`, '--']);
  return merges.trim() === '0';
}

/** One commit of the branch is all of it, and no other takes all of it back. */
async function isSquashed(place: GitPlace, tip: string, commit: string): Promise<boolean> {
  const result = await tryReadGit(place, ['merge-base', tip, commit]);
  if (result.exitCode !== 0) return false;
  const start = result.stdout.trim();
  const whole = await commitOf(place, { tree: commit, parent: start });
  if (!(await isAmong(place, { tip, commit: whole, since: start }))) return false;
  const back = await commitOf(place, { tree: start, parent: whole });
  return !(await isAmong(place, { tip, commit: back, since: whole }));
}

/** On no branch; git drops it in time. */
const commitOf = (place: GitPlace, { tree, parent }: { tree: string; parent: string }): Promise<string> =>
  commitTree(place, { tree: `${tree}^{tree}`, parents: [parent], message: 'As one\n' }, byNobody);

async function isAmong(place: GitPlace, of: { tip: string; commit: string; since: string }): Promise<boolean> {
  const result = await tryReadGit(place, ['cherry', of.tip, of.commit, of.since]);
  return result.exitCode === 0 && result.stdout.startsWith('- ');
}
