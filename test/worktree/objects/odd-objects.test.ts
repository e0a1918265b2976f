import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { forge, loosePath } from '../../support/forged.ts';
import { openFixing } from './fixing.ts';

const { box, commit, filled, fix, packs, packed, reached } = openFixing();
let made = 0;
let repo: string;
beforeEach(() => {
  made += 1;
  repo = filled();
});
afterAll(() => box.dispose());

const git = (...args: string[]) => box.git(repo, ...args);
const gitDir = (at = repo) => join(at, '.git');
const idOf = (what: string) => git('rev-parse', what);

it('fixed are the objects of a repository with sha256', async () => {
  repo = box.dir(`wide-${made}`);
  git('init', '-q', '-b', 'main', '--object-format=sha256');
  commit(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await fix(repo);
  expect(packed(repo).toSorted()).toEqual(reached(repo).toSorted());
  commit(repo, { 'c.txt': 'c\n' });
  forge(gitDir(), idOf('main:c.txt'), { type: 'blob', content: 'evil\n' });
  await expect(fix(repo)).rejects.toThrow(`${idOf('main:c.txt')} (c.txt)`);
});

it('fixed are the objects of a shallow clone, also once it is deepened', async () => {
  const origin = repo;
  repo = join(box.root, `shallow-${made}`);
  box.git(box.root, 'clone', '-q', '--depth=1', `file://${origin}`, repo);
  commit(repo, { 'own.txt': 'own\n' });
  await fix(repo);
  expect(packed(repo)).toEqual(expect.arrayContaining([...reached(repo)]));
  git('-c', 'fetch.unpackLimit=1000', 'fetch', '-q', '--unshallow');
  const old = idOf('main~2');
  expect(existsSync(loosePath(gitDir(), old))).toBe(true);
  await fix(repo);
  expect(packed(repo)).toContain(old);
});

it('fixed are the objects of one that borrows the loose objects of another', async () => {
  const origin = repo;
  repo = join(box.root, `borrowing-${made}`);
  box.git(box.root, 'clone', '-q', '--shared', origin, repo);
  const id = idOf('main:plain.txt');
  forge(gitDir(origin), id, { type: 'blob', content: 'evil\n' });
  await expect(fix(repo)).rejects.toThrow(`${id} (plain.txt)`);
  forge(gitDir(origin), id, { type: 'blob', content: 'plain\n' });
  await fix(repo);
  expect(packed(repo).toSorted()).toEqual(reached(repo).toSorted());
  expect(packs(origin)).toEqual([]);
});

it('fixed are the objects of a partial clone, without fetching any, and looked at anew by each start', async () => {
  const origin = repo;
  box.git(origin, 'config', 'uploadpack.allowFilter', 'true');
  commit(origin, { 'plain.txt': 'newer\n' });
  const old = box.git(origin, 'rev-parse', 'main~1:plain.txt');
  repo = join(box.root, `partial-${made}`);
  box.git(box.root, 'clone', '-q', '--filter=blob:none', `file://${origin}`, repo);
  commit(repo, { 'own.txt': 'own\n' });
  await fix(repo);
  expect(packed(repo)).toContain(idOf('main:own.txt'));
  expect(packed(repo)).not.toContain(old);
  forge(gitDir(), old, { type: 'blob', content: 'evil\n' });
  await expect(fix(repo)).rejects.toThrow(`The object ${old} (plain.txt)`);
});
