// The text a project wants its pull requests to begin with.
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readGit, tryReadGit } from '../git/repo.ts';

const mostChars = 20_000;
/** Where GitHub looks, in its order. */
const folders = ['.github/', '', 'docs/'];
const single = /^pull_request_template(\.(md|markdown|txt))?$/i;
const choice = /^pull_request_template$/i;

interface Entry {
  readonly path: string;
  readonly mode: string;
}

/** As a commit has it. Of several to choose from none is taken. */
export async function pullRequestTemplate(repo: Repo, commit: string): Promise<string | undefined> {
  const entries = await entriesOf(repo, commit, ['./', '.github/', 'docs/']);
  const at = (folder: string, name: RegExp) =>
    entries.find(({ path }) => path.startsWith(folder) && name.test(path.slice(folder.length)));
  const found = folders.map((folder) => at(folder, single)).find((entry) => entry?.mode.startsWith('100'));
  const chooser = folders.map((folder) => at(folder, choice)).find((entry) => entry?.mode === '040000');
  const path = found?.path ?? (chooser === undefined ? undefined : await onlyOne(repo, commit, chooser.path));
  if (path === undefined) return undefined;
  const result = await tryReadGit(repoPlace(repo), ['cat-file', 'blob', `${commit}:${path}`]);
  const text = result.exitCode === 0 ? result.stdout.replaceAll('\r\n', '\n').trim() : '';
  return text === '' ? undefined : text.slice(0, mostChars);
}

async function onlyOne(repo: Repo, commit: string, folder: string): Promise<string | undefined> {
  const files = (await entriesOf(repo, commit, [`${folder}/`])).filter(({ mode }) => mode.startsWith('100'));
  return files.length === 1 ? files[0]?.path : undefined;
}

async function entriesOf(repo: Repo, commit: string, paths: readonly string[]): Promise<readonly Entry[]> {
  const listed = await readGit(repoPlace(repo), ['ls-tree', '-z', commit, '--', ...paths]);
  return listed.split('\0').flatMap((line) => {
    const [, mode = '', path] = /^(\d+) [^\t]*\t(.*)$/s.exec(line) ?? [];
    return path === undefined ? [] : [{ path, mode }];
  });
}
