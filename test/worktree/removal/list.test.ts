import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listWorktrees } from '../../../src/worktree/removal/list.ts';
import { removeOrphan } from '../../../src/worktree/removal/orphan.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, repo, folder } = await layGround();

const root = '.worktrees';
const add = (workerName: string) => workerTree(folder, workerName);
const list = () => listWorktrees({ repo: folder, root });
const orphan = (name: string) => join(repo, root, name);

test('every worktree is listed with what it holds, the main checkout is not', async () => {
  const [clean, dirty, gone] = [await add('clean'), await add('dirty'), await add('gone')];
  const away = join(box.root, 'away');
  box.git(repo, 'worktree', 'add', '-q', '--detach', away);
  box.git(repo, 'worktree', 'lock', away);
  box.git(dirty.path, 'commit', '-q', '--allow-empty', '-m', 'Work');
  writeFileSync(join(dirty.path, 'new'), '');
  rmSync(gone.path, { recursive: true });
  const flags = { registered: true, orphan: false, detached: false, locked: false, prunable: false, dirty: false };
  const known = { ...flags, ahead: 0, behind: 0, base: 'main' };
  const commit = clean.base.sha;
  const listed = await list();
  expect([...listed].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { ...known, path: away, name: 'away', commit, detached: true, locked: true, merged: true },
    { ...known, path: clean.path, name: 'clean-x', branch: 'clean-x/work', commit, merged: true },
    {
      ...known,
      path: dirty.path,
      name: 'dirty-x',
      branch: 'dirty-x/work',
      commit: box.git(dirty.path, 'rev-parse', 'HEAD'),
      dirty: true,
      ahead: 1,
      merged: false,
    },
    {
      ...known,
      path: gone.path,
      name: 'gone-x',
      branch: 'gone-x/work',
      commit,
      prunable: true,
      pruneReason: 'gitdir file points to non-existent location',
      merged: true,
    },
  ]);
});

test('a worktree that cannot be read counts as dirty and says why', async () => {
  await add('ada');
  writeFileSync(join(folder.gitCommonDir, 'worktrees/ada-x/index'), 'damaged');
  expect(await list()).toMatchObject([{ dirty: true, merged: false, unreadable: expect.stringContaining('index') }]);
});

test('a worktree whose link is gone counts as dirty while its files are there', async () => {
  const ada = await add('ada');
  rmSync(join(ada.path, '.git'));
  expect(await list()).toMatchObject([{ registered: true, prunable: true, dirty: true }]);
});

test('work is compared with the base the caller names', async () => {
  const ada = await add('ada');
  box.git(repo, 'branch', 'old');
  box.git(repo, 'commit', '-q', '--allow-empty', '-m', 'Later');
  const baseOf = (path: string) => (path === ada.path ? { ref: 'old' } : undefined);
  expect(await listWorktrees({ repo: folder, root, baseOf })).toMatchObject([{ behind: 0 }]);
  expect(await list()).toMatchObject([{ behind: 1 }]);
});

describe('a folder that git does not know', () => {
  const unlink = async (name: string) => {
    const { path } = await add(name);
    box.git(repo, 'branch', '-f', 'keep', `${name}-x/work`);
    rmSync(join(folder.gitCommonDir, 'worktrees', `${name}-x`), { recursive: true });
    return path;
  };

  test('is an orphan, and what is empty goes', async () => {
    mkdirSync(orphan('empty'), { recursive: true });
    expect(await list()).toMatchObject([{ path: orphan('empty'), registered: false, orphan: true, dirty: false }]);
    expect(await removeOrphan({ repo: folder, root, path: orphan('empty') })).toEqual({ removed: true });
    expect(existsSync(orphan('empty'))).toBe(false);
  });

  test('goes when every file is on its branch', async () => {
    const path = await unlink('ada');
    expect(await list()).toMatchObject([{ path, orphan: true, dirty: true }]);
    expect(await removeOrphan({ repo: folder, root, path })).toEqual({ removed: true });
    expect(existsSync(path)).toBe(false);
  });

  test('goes as well with the branch of an earlier release, and with one that only the record knows', async () => {
    const [ada, bruno] = [await unlink('ada'), await unlink('bruno')];
    box.git(repo, 'branch', '-q', '-m', 'ada-x/work', 'ada-x');
    box.git(repo, 'branch', '-q', '-m', 'bruno-x/work', 'elsewhere');
    expect(await removeOrphan({ repo: folder, root, path: ada })).toEqual({ removed: true });
    expect(await removeOrphan({ repo: folder, root, path: bruno })).toMatchObject({ removed: false });
    expect(await removeOrphan({ repo: folder, root, path: bruno, branch: 'elsewhere' })).toEqual({ removed: true });
  });

  test('stays with a file that is on no branch, and says which', async () => {
    const path = await unlink('ada');
    writeFileSync(join(path, 'README.md'), 'changed');
    expect(await removeOrphan({ repo: folder, root, path })).toEqual({
      removed: false,
      reason: 'README.md is not the same on branch ada-x/work',
    });
    expect(existsSync(join(path, 'README.md'))).toBe(true);
  });

  test('stays when no branch has its name', async () => {
    mkdirSync(orphan('odd'), { recursive: true });
    writeFileSync(join(orphan('odd'), 'file'), '');
    expect(await removeOrphan({ repo: folder, root, path: orphan('odd') })).toMatchObject({ removed: false });
  });

  test('stays when it is a symlink, a repository, a live worktree, or lies elsewhere', async () => {
    const live = await add('live');
    symlinkSync(box.dir('target'), orphan('link'));
    box.git(repo, 'init', '-q', orphan('clone'));
    box.git(box.repo('other'), 'worktree', 'add', '-q', '-b', 'b', orphan('foreign'));
    mkdirSync(join(repo, 'elsewhere'));
    const paths = [
      live.path,
      orphan('link'),
      orphan('clone'),
      orphan('foreign'),
      join(repo, 'elsewhere'),
      orphan('no'),
    ];
    for (const path of paths) {
      expect(await removeOrphan({ repo: folder, root, path })).toMatchObject({ removed: false });
    }
    expect((await list()).filter((each) => each.orphan)).toEqual([]);
  });

  test('is no orphan of ours in a folder that several repositories share', async () => {
    const shared = box.dir('shared');
    mkdirSync(join(shared, 'somebody'));
    box.git(box.repo('other'), 'worktree', 'add', '-q', '-b', 'b', join(shared, 'theirs'));
    rmSync(join(box.root, 'other'), { recursive: true });
    expect(await listWorktrees({ repo: folder, root: shared })).toEqual([]);
  });
});
