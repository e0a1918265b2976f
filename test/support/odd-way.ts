// A repository worked in, looked at, landed from and cleaned, as any other is.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { MergeStrategy } from '../../src/model/train.ts';
import { repoPlace } from '../../src/worktree/git/branch.ts';
import { type FolderFacts, inspectFolder } from '../../src/worktree/git/inspect.ts';
import { changesBetween } from '../../src/worktree/git/path-changes.ts';
import { blockersOf, bringAlong, checkoutAt, checkoutsOf } from '../../src/worktree/landing/checkouts.ts';
import { Clashes } from '../../src/worktree/landing/clash.ts';
import { commitLeftovers, draftFor, findLeftovers } from '../../src/worktree/landing/leftovers.ts';
import { moveBranch } from '../../src/worktree/landing/move.ts';
import { presentWork } from '../../src/worktree/landing/present.ts';
import { scratchPath, withScratch } from '../../src/worktree/landing/scratch.ts';
import { stage } from '../../src/worktree/landing/stage.ts';
import { type AddedWorktree, addWorktree } from '../../src/worktree/making/add.ts';
import { removeWorktree } from '../../src/worktree/removal/remove.ts';
import { changedFiles, diffText } from '../../src/worktree/state/diff.ts';
import { workState } from '../../src/worktree/state/work-state.ts';
import type { Odd } from './odd-repositories.ts';
import type { Sandbox } from './sandbox.ts';

export interface Ground {
  readonly path: string;
  readonly checkout: string;
  readonly repo: FolderFacts;
  readonly added: AddedWorktree;
  git(...args: string[]): string;
}

export async function spawnIn(box: Sandbox, path: string, checkout = path): Promise<Ground> {
  const repo = await inspectFolder({ path, env: box.env });
  if (repo === undefined) throw new Error(`${path} is no repository`);
  const added = await addWorktree({
    folder: repo,
    root: '.worktrees',
    name: { workerName: 'ada', workerId: '0a1b2c3d' },
  });
  return { path, checkout, repo, added, git: (...args) => box.git(checkout, ...args) };
}

export const write = (folder: string, name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

const look = (box: Sandbox, { added }: Ground) => workState({ worktreePath: added.path, env: box.env });

/** What merge_worker does, one after the other. */
async function land(box: Sandbox, ground: Ground, strategy: MergeStrategy): Promise<void> {
  const { repo, added } = ground;
  const found = await findLeftovers({ path: added.path, repo, branch: added.branch });
  if (found.paths.length > 0)
    await commitLeftovers(found, draftFor(found), {
      message: 'Leftovers\n',
      hooks: join(found.folder.gitCommonDir, 'hooks'),
    });
  const [target, source] = ['main', added.branch].map((name) => ground.git('rev-parse', name));
  if (target === undefined || source === undefined) throw new Error('no branches');
  const folder = box.dir('scratch');
  const { staged, conflicts } = await stage({
    repo,
    target,
    source,
    strategy,
    message: 'Land\n',
    scratchPath: scratchPath(folder),
  });
  expect(conflicts).toEqual([]);
  const to = staged.commit ?? '';
  await withScratch(repo, { path: scratchPath(folder), commit: to }, async ({ path }) =>
    expect(existsSync(path)).toBe(true),
  );
  expect(await checkoutsOf(repo, 'main')).toEqual([ground.checkout]);
  const checkout = await checkoutAt(repo, ground.checkout);
  const changes = await changesBetween(repoPlace(repo), { from: target, to });
  expect(await blockersOf(checkout, changes)).toEqual({ files: [] });
  expect(await bringAlong(checkout, { from: target, to })).toBeUndefined();
  expect(await moveBranch(repo, { branch: 'main', from: target, to }, 'test')).toBe(true);
}

export interface Way {
  readonly strategies: readonly MergeStrategy[];
  readonly oddName: string;
}

export async function workThrough(box: Sandbox, odd: Odd, { strategies, oddName }: Way): Promise<void> {
  const ground = await spawnIn(box, odd.path, odd.checkout);
  const { added, repo } = ground;
  const clean = { dirtyFiles: 0, untrackedFiles: 0, ahead: 0, behind: 0, nestedRepos: [] };
  expect(await look(box, ground)).toMatchObject(clean);
  for (const strategy of strategies) await landOnce(box, ground, { strategy, oddName: `${oddName}${strategy}` });
  write(added.path, 'last.txt', 'last\n');
  const { salvage } = await removeWorktree({ repo, path: added.path, force: true, workerId: 'w' });
  expect(existsSync(added.path)).toBe(false);
  expect(ground.git('show', `${salvage?.ref}:last.txt`)).toBe('last');
}

async function landOnce(box: Sandbox, ground: Ground, way: { strategy: MergeStrategy; oddName: string }) {
  const { added, repo } = ground;
  const { strategy, oddName } = way;
  write(ground.checkout, `main ${strategy}.txt`, 'main\n');
  ground.git('add', '.');
  ground.git('-c', 'commit.gpgSign=false', 'commit', '-q', '-m', `Main ${strategy}`);
  write(added.path, `sub dir/${strategy}.txt`, `${strategy}\n`);
  write(added.path, oddName, 'odd\n');
  const present = await presentWork(added.path, repo);
  const head = box.git(added.path, 'rev-parse', 'HEAD');
  const diff = { repo, from: head, to: present?.commit ?? '', paths: [] };
  expect((await changedFiles(diff)).map(({ path }) => path).sort()).toEqual(
    [`sub dir/${strategy}.txt`, oddName].sort(),
  );
  expect(await diffText(diff)).toContain(`+${strategy}`);
  const pair = { repo, ours: ground.git('rev-parse', 'main'), theirs: present?.commit ?? '' };
  expect(await new Clashes().among([pair])).toMatchObject([{ conflicts: [] }]);
  await land(box, ground, strategy);
  expect(readFileSync(join(ground.checkout, `sub dir/${strategy}.txt`), 'utf8').trim()).toBe(strategy);
  expect(existsSync(join(ground.checkout, oddName))).toBe(true);
  expect(ground.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  expect(await look(box, ground)).toMatchObject({ dirtyFiles: 0, untrackedFiles: 0, merged: true });
}
