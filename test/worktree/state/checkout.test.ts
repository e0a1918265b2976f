import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesInCheckout } from '../../../src/worktree/state/checkout.ts';
import { layGround } from '../../support/ground.ts';

const { box, repo: path } = await layGround();

const at = (name: string) => join(path, name);
const look = async (except: readonly string[] = []) => {
  const found = await changesInCheckout({ path, env: box.env }, except);
  if (found === undefined) throw new Error('no main checkout');
  return found;
};

it('a clean checkout has no change', async () => expect((await look()).size).toBe(0));

it('every kind of change has a time of now, whatever its file claims of its age', async () => {
  const from = Date.now() - 50;
  writeFileSync(at('ä b\n.txt'), 'x');
  utimesSync(at('ä b\n.txt'), 1, 1);
  writeFileSync(at('README.md'), 'changed\n');
  symlinkSync('/nowhere', at('link'));
  mkdirSync(at('a/b'), { recursive: true });
  writeFileSync(at('a/b/c'), '');
  const changes = await look();
  expect([...changes.keys()].sort()).toEqual(['README.md', 'a/b/c', 'link', 'ä b\n.txt']);
  for (const changed of changes.values()) expect(changed).toBeGreaterThan(from);
});

it('the time of a change stays when only git hears of the file', async () => {
  writeFileSync(at('file'), 'one');
  const first = (await look()).get('file');
  box.git(path, 'add', 'file');
  expect((await look()).get('file')).toBe(first);
});

it('a file that is gone has the time of its folder, and of the next above where that is gone too', async () => {
  mkdirSync(at('deep/er'), { recursive: true });
  writeFileSync(at('deep/er/file'), '');
  box.git(path, 'add', '.');
  box.git(path, 'commit', '-q', '-m', 'Deep');
  const from = Date.now() - 50;
  rmSync(at('deep'), { recursive: true });
  expect((await look()).get('deep/er/file')).toBeGreaterThan(from);
});

it('a file that was moved here is as young as the move', async () => {
  const elsewhere = join(box.dir('elsewhere'), 'file');
  writeFileSync(elsewhere, '');
  utimesSync(elsewhere, 1, 1);
  const from = Date.now() - 50;
  renameSync(elsewhere, at('file'));
  expect((await look()).get('file')).toBeGreaterThan(from);
});

it('worktrees in the checkout are no part of it, and are no main checkout', async () => {
  box.git(path, 'worktree', 'add', '-q', '-b', 'ada', at('trees/ada'));
  expect([...(await look()).keys()]).toEqual(['trees/ada/']);
  expect((await look([at('trees')])).size).toBe(0);
  expect((await look([at('trees/ada')])).size).toBe(0);
  expect(await changesInCheckout({ path: at('trees/ada'), env: box.env }, [])).toBeUndefined();
});

it('a bare repository has no checkout, and one without a commit has', async () => {
  const bare = box.dir('bare.git');
  box.git(bare, 'init', '-q', '--bare');
  expect(await changesInCheckout({ path: bare, env: box.env }, [])).toBeUndefined();
  const fresh = box.dir('fresh');
  box.git(fresh, 'init', '-q');
  writeFileSync(join(fresh, 'file'), '');
  expect([...((await changesInCheckout({ path: fresh, env: box.env }, [])) ?? new Map()).keys()]).toEqual(['file']);
});
