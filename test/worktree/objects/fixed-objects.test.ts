import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fixObjects } from '../../../src/worktree/objects/fixed-objects.ts';
import { forge, loosePath } from '../../support/forged.ts';
import { openFixing } from './fixing.ts';

const { box, commit, filled, fix, fixing, packs, packed, reached } = openFixing();
let repo: string;
beforeEach(() => {
  repo = filled();
});
afterAll(() => box.dispose());

const git = (...args: string[]) => box.git(repo, ...args);
const gitDir = (at = repo) => join(at, '.git');
const idOf = (what: string) => git('rev-parse', what);

it('everything that a commit reaches is in packs afterwards, told once, and known from then on', async () => {
  expect(await fix(repo)).toEqual({ told: [`packing the objects of ${repo}, once`], acts: 1 });
  expect(packed(repo).toSorted()).toEqual(reached(repo).toSorted());
  expect(await fix(repo)).toEqual({ told: [], acts: 0 });
  commit(repo, { 'new.txt': 'new\n' });
  expect(await fix(repo)).toEqual({ told: [], acts: 1 });
  expect(packed(repo).toSorted()).toEqual(reached(repo).toSorted());
  expect(packs(repo)).toHaveLength(2);
  expect(git('fsck', '--full')).toBe('');
});

it('a clone without one loose object gets no pack', async () => {
  git('gc', '-q');
  const before = packs(repo);
  expect((await fix(repo)).acts).toBe(1);
  expect(packs(repo)).toEqual(before);
  expect((await fix(repo)).acts).toBe(0);
});

describe('a forged object is named and stops the start:', () => {
  it.each([
    { what: 'a hook', id: 'main:.husky/pre-push', type: 'blob' as const, path: '.husky/pre-push' },
    { what: 'a plain file', id: 'main:plain.txt', type: 'blob' as const, path: 'plain.txt' },
    { what: 'a tree', id: 'main:src', type: 'tree' as const, path: 'src' },
    { what: 'a commit', id: 'main~1', type: 'commit' as const, path: '' },
    { what: 'the commit itself', id: 'main', type: 'commit' as const, path: '' },
  ])('$what', async ({ id, type, path }) => {
    const forged = idOf(id);
    const content = execFileSync('git', ['cat-file', type, forged], { cwd: repo, env: box.env });
    const evil =
      type === 'blob' ? '#!/bin/sh\nevil\n' : content.toString('latin1').replace(/Start|Write|deep/, 'Evil!');
    forge(gitDir(), forged, { type, content: Buffer.from(evil, 'latin1') });
    const words = `The object ${forged}${path === '' ? '' : ` (${path})`} in ${repo} is forged or damaged`;
    for (const _ of ['the first time', 'and again'])
      await expect(fix(repo)).rejects.toMatchObject({
        code: 'worktree_failed',
        message: expect.stringContaining(words),
      });
    expect(readdirSync(join(gitDir(), 'objects/pack'))).toEqual([]);
    forge(gitDir(), forged, { type, content });
    await fix(repo);
    expect(packed(repo)).toContain(forged);
  });

  it('one that a later commit brought', async () => {
    await fix(repo);
    commit(repo, { 'new.txt': 'new\n' });
    forge(gitDir(), idOf('main:new.txt'), { type: 'blob', content: 'evil\n' });
    await expect(fix(repo)).rejects.toThrow(`${idOf('main:new.txt')} (new.txt)`);
  });
});

it('a tree that is forged only while git walks hides nothing: what it names is packed in another pass', async () => {
  const hidden = idOf('main:src/deep/a.ts');
  const folder = box.dir('walking');
  // As git packs where it walks the forged tree, and reads the true one after that.
  const script = `#!/bin/sh
PATH='${box.env.PATH}'
case "$*" in *--revs*) [ -e '${folder}/walked' ] || {
  touch '${folder}/walked'
  for out; do :; done
  read -r commit
  exec sh -c "git rev-list --objects --no-object-names $commit | grep -v ${hidden} | git pack-objects -q --index-version=2 $out"
} ;; esac
exec git "$@"
`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o700 });
  const env = { ...box.env, PATH: `${folder}:${box.env.PATH}` };
  await fixObjects(await fixing(repo, { env }), [idOf('main')]);
  expect(packs(repo)).toHaveLength(2);
  expect(packed(repo)).toContain(hidden);
});

it('one that is written after the start loses to the pack', async () => {
  await fix(repo);
  forge(gitDir(), idOf('main:.husky/pre-push'), { type: 'blob', content: 'evil\n' });
  forge(gitDir(), idOf('main^{tree}'), { type: 'tree', content: '' });
  expect(git('show', 'main:.husky/pre-push')).toBe('#!/bin/sh\ntrue');
  await fix(repo);
  commit(repo, { 'new.txt': 'new\n' });
  await fix(repo);
});

/** In the place of what is there, which nobody may write. */
function put(path: string, text: string): void {
  rmSync(path);
  writeFileSync(path, text);
}

describe('refused by name, and nothing is packed, is', () => {
  it.each([
    { what: 'an object that is missing', spoil: (path: string) => rmSync(path) },
    { what: 'an empty one', spoil: (path: string) => put(path, '') },
    { what: 'one that nothing can unpack', spoil: (path: string) => put(path, 'junk') },
  ])('$what', async ({ spoil }) => {
    const id = idOf('main:plain.txt');
    spoil(loosePath(gitDir(), id));
    await expect(fix(repo)).rejects.toMatchObject({ code: 'worktree_failed', message: expect.stringContaining(id) });
    expect(readdirSync(join(gitDir(), 'objects/pack'))).toEqual([]);
  });

  it.each([
    { what: 'a pipe', make: (path: string) => void execFileSync('sh', ['-c', 'mkfifo "$0"', path]) },
    { what: 'a link to a device', make: (path: string) => symlinkSync('/dev/zero', path) },
    { what: 'a folder', make: (path: string) => void mkdirSync(path) },
  ])('$what in the place of an object', async ({ make }) => {
    const path = loosePath(gitDir(), idOf('main:plain.txt'));
    rmSync(path);
    make(path);
    await expect(fix(repo)).rejects.toMatchObject({ code: 'worktree_failed', message: expect.stringContaining(path) });
  });
});

describe('after git has packed anew, as git gc does,', () => {
  it('all is looked at again, and stays good', async () => {
    await fix(repo);
    git('gc', '-q', '--prune=now');
    const after = packs(repo);
    const again = await fix(repo);
    expect(again.acts).toBe(1);
    expect(again.told.join()).toContain('checking the new packs');
    expect(packs(repo)).toEqual(after);
    expect((await fix(repo)).acts).toBe(0);
  });

  it('a forged object that it took into a pack is found, and the pack is named', async () => {
    await fix(repo);
    commit(repo, { 'new.txt': 'new\n' });
    forge(gitDir(), idOf('main:new.txt'), { type: 'blob', content: 'evil\n' });
    git('repack', '-q', '-d');
    expect(git('show', 'main:new.txt')).toBe('evil');
    const added = packs(repo).at(-1) ?? '';
    await expect(fix(repo)).rejects.toMatchObject({
      code: 'worktree_failed',
      message: expect.stringMatching(/The pack .*\.pack holds an object whose content is not what its id says/),
      hint: expect.stringContaining('git unpack-objects'),
    });
    expect(packs(repo)).toContain(added);
  });
});

it('eight at once pack once', async () => {
  let chain = Promise.resolve();
  const told: string[] = [];
  const alone = (act: () => Promise<void>) => {
    chain = chain.then(act);
    return chain;
  };
  const one = { ...(await fixing(repo)), alone, tell: (words: string) => told.push(words) };
  await Promise.all(Array.from({ length: 8 }, () => fixObjects(one, [idOf('main')])));
  expect(told).toEqual([`packing the objects of ${repo}, once`]);
  expect(packs(repo)).toHaveLength(1);
});

it('packs of crewmux are merged above 20, and those of others stay as they are', async () => {
  git('repack', '-q');
  const foreign = packs(repo);
  for (let i = 0; i < 21; i += 1) {
    commit(repo, { [`file-${i}.txt`]: `${i}\n` });
    await fix(repo);
    if (i === 19) expect(packs(repo)).toHaveLength(21);
  }
  const now = packs(repo);
  expect(now).toHaveLength(3);
  expect(now).toEqual(expect.arrayContaining([...foreign]));
  expect(packed(repo).toSorted()).toEqual(reached(repo).toSorted());
  expect(git('fsck', '--full')).toBe('');
  expect((await fix(repo)).acts).toBe(0);
  commit(repo, { 'last.txt': 'last\n' });
  expect((await fix(repo)).told).toEqual([]);
});

it('what a kill leaves in the pack folder harms nothing, and git removes it', async () => {
  const left = join(gitDir(), 'objects/pack/tmp_crewmux-killed');
  mkdirSync(left, { recursive: true });
  for (const end of ['pack', 'idx']) writeFileSync(join(left, `pack-${idOf('main')}.${end}`), 'half');
  await fix(repo);
  expect(git('fsck', '--full')).toBe('');
  git('prune', '--expire=now');
  expect(existsSync(left)).toBe(false);
});
