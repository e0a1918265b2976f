import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../src/worktree/git/inspect.ts';
import { addWorktree } from '../../src/worktree/making/add.ts';
import { removeWorktree } from '../../src/worktree/removal/remove.ts';
import { restoreSalvage } from '../../src/worktree/salvage/restore.ts';
import { listSalvages } from '../../src/worktree/salvage/salvages.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { drill } from './drill.ts';
import { type Act, acts, type How, perform, type Snapshot, snapshot } from './wild-worker.ts';

const way = fc.constantFrom('close' as const, 'force' as const, 'clean' as const);
const life = fc.array(fc.record({ acts, way }), { minLength: 1, maxLength: 2 });

drill(
  'whatever a worker does and however its worktree goes, nothing is lost and all of it comes back',
  async (luck) => {
    const box = makeSandbox();
    try {
      await live(box, hard[luck.seed - 1] ?? luck.draw(life));
    } finally {
      box.dispose();
    }
  },
);

/** Lives that each hold what chance seldom brings together. */
const hard: Life[] = [
  [{ acts: [history('drop', 'a')], way: 'close' }],
  [
    { acts: [history('detour', 'a'), { does: 'write', name: 'n\nl', text: 'u' }], way: 'force' },
    { acts: [history('amend', 'b')], way: 'clean' },
  ],
  [{ acts: [history('clash', 'a')], way: 'force' }],
  [{ acts: [{ does: 'attributes', text: '* text=auto\n' }, history('commit', 'a', 'one\r\n')], way: 'close' }],
  [
    {
      acts: [
        history('commit', 'dir/c'),
        history('commit', 'b'),
        git('sparse-checkout', 'set', 'dir'),
        history('drop', 'dir/c'),
      ],
      way: 'clean',
    },
  ],
  [
    {
      acts: [history('stash', 'a'), history('stash', 'b'), git('checkout', '-q', '--orphan', 'left-orphan')],
      way: 'force',
    },
  ],
];

function history(how: How, name: string, text = 'text'): Act {
  return { does: 'history', how, name, text };
}

function git(...args: string[]): Act {
  return { does: 'git', args };
}

type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

async function live(box: Sandbox, rounds: Life): Promise<void> {
  const folder = await repository(box);
  const tree = await addWorktree({ folder, root: '.worktrees', name: { workerName: 'ada', workerId: 'x' } });
  let path = tree.path;
  for (const round of rounds) {
    for (const act of round.acts) perform(box, path, act);
    const commits = commitsEverMade(box, folder);
    const before = seen(box, path);
    const gone = await removed(folder, path, round.way, before);
    if (gone === 'refused') return;
    expect(existsSync(path)).toBe(false);
    mustReach(box, folder, { files: before.files, commits });
    const found = (await listSalvages(folder)).find(({ ref }) => ref === gone.salvage);
    if (found === undefined) return;
    const back = await restoreSalvage({ repo: folder, salvage: found, isOurs: true, root: '.worktrees' });
    expect(back).toMatchObject({ path, exact: true, notes: [] });
    expect(seen(box, path)).toEqual(before);
    path = back.path;
  }
}

async function repository(box: Sandbox): Promise<FolderFacts> {
  const found = await inspectFolder({ path: box.repo('app'), env: box.env });
  if (found === undefined) throw new Error('no repository');
  return found;
}

const tryGit = (box: Sandbox, at: string, ...args: string[]): string => {
  try {
    return box.git(at, ...args);
  } catch {
    return '';
  }
};

interface Seen {
  readonly files: Snapshot;
  readonly index: string;
  readonly head: string;
}

const seen = (box: Sandbox, path: string): Seen => ({
  files: snapshot(path),
  index: box.git(path, 'ls-files', '-s', '-v', '-z'),
  head: `${tryGit(box, path, 'rev-parse', '--verify', '--quiet', 'HEAD')} ${tryGit(box, path, 'symbolic-ref', '-q', 'HEAD')}`,
});

type Gone = { readonly salvage: string | undefined } | 'refused';

/** A removal that is refused has changed nothing, and not even force removes what could not come back exactly. */
async function removed(folder: FolderFacts, path: string, how: Life[number]['way'], before: Seen): Promise<Gone> {
  const saves = how === 'clean' ? ('always' as const) : ('needed' as const);
  for (const force of how === 'force' ? [true] : [false, true]) {
    try {
      const { salvage } = await removeWorktree({ repo: folder, path, workerId: 'x', saves, force });
      return { salvage: salvage?.ref };
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'would_lose_work' });
      expect(snapshot(path)).toEqual(before.files);
      if (force) expect(thrown).toMatchObject({ message: expect.stringContaining('git would write other bytes') });
    }
  }
  return 'refused';
}

/** But for those of stashes, which the worker itself has taken out again. */
function commitsEverMade(box: Sandbox, { mainRepoPath }: FolderFacts): readonly string[] {
  const objects = box.git(mainRepoPath, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)');
  const shas = objects.split('\n').flatMap((line) => (line.endsWith(' commit') ? [line.split(' ')[0] ?? ''] : []));
  const named = box.git(mainRepoPath, 'log', '--no-walk=unsorted', '--format=%H %s', ...shas).split('\n');
  return named.filter((line) => !/^\w+ (WIP on|On|index on|untracked files on) /.test(line));
}

/** From refs and the list of stashes, which is a reflog by its nature; all other reflogs are emptied. */
function mustReach(box: Sandbox, folder: FolderFacts, wanted: { files: Snapshot; commits: readonly string[] }): void {
  const main = folder.mainRepoPath;
  const stashes = tryGit(box, main, 'log', '-g', '--format=%H', 'refs/stash', '--').split('\n').filter(Boolean);
  const objects = box.git(main, 'rev-list', '--objects', '--no-object-names', '--all', ...stashes).split('\n');
  const reached = new Set(objects);
  const lost = Object.entries(wanted.files).filter(([, file]) => !reached.has(blobOf(file)));
  expect(lost).toEqual([]);
  expect(wanted.commits.filter((commit) => !reached.has(commit.split(' ')[0] ?? ''))).toEqual([]);
}

function blobOf(file: string): string {
  const bytes = Buffer.from(file.slice(file.indexOf(' ') + 1), file.startsWith('link') ? 'utf8' : 'latin1');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
