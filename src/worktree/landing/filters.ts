// The user's filters, as those of Git LFS, tried beside a checkout before git writes in it.
import { withPrivateFolder } from '../../system/private-folder.ts';
import { topOf, withDraftIndex } from '../git/draft-index.ts';
import type { FolderFacts } from '../git/inspect.ts';
import { type Commits, changesBetween } from '../git/path-changes.ts';
import { listed } from '../git/porcelain.ts';
import { type GitResult, readGit, settingsAt, tryGit } from '../git/repo.ts';

const timeoutMs = 600_000;

/**
 * Git's failure where a filter that files need cannot write them as they are in `to`. Git takes a file away before it
 * asks, and without its filter no one could put it back. What `to` itself changes in `.gitattributes` is not foreseen.
 */
export async function failingFilter(folder: FolderFacts, { from, to }: Commits): Promise<GitResult | undefined> {
  const place = topOf(folder);
  // Where a filter is not required, git writes what it stores.
  if (!(await settingsAt(place)).some(({ key }) => /^filter\..+\.required$/.test(key))) return undefined;
  const changed = (await changesBetween(place, { from, to })).filter(({ letter }) => letter !== 'D');
  const input = listed(changed.map(({ path }) => path));
  if (input === '') return undefined;
  const printed = await readGit(place, ['check-attr', '-z', '--stdin', 'filter'], { input });
  const filtered = [...printed.matchAll(/([^\0]+)\0filter\0([^\0]*)\0/g)].flatMap(([, path = '', value = '']) =>
    ['unspecified', 'unset', 'set'].includes(value) ? [] : [path],
  );
  if (filtered.length === 0) return undefined;
  return withPrivateFolder((beside) =>
    withDraftIndex(folder, async (draft) => {
      await draft(['read-tree', to]);
      const args = ['checkout-index', `--prefix=${beside}/`, '-z', '--stdin'];
      const gitEnv = { GIT_INDEX_FILE: draft.path };
      const result = await tryGit(place, args, { input: listed(filtered), gitEnv, timeoutMs });
      return result.exitCode === 0 ? undefined : result;
    }),
  );
}
