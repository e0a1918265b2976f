import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  branchName,
  foldersOf,
  numbered,
  ownFolderOf,
  worktreeName,
  worktreeOf,
} from '../../../src/worktree/git/slug.ts';
import { anyCodePoint } from '../../support/code-points.ts';
import { makeSandbox } from '../../support/sandbox.ts';

const worker = { workerName: 'ada', workerId: '0a1b2c3d' };

test.each([
  [{ ...worker }, 'ada-0a1b2c3d'],
  [{ ...worker, annotation: 'Fix the login' }, 'ada-0a1b2c3d-fix-the-login'],
  [{ ...worker, bead: 'cic-3dg' }, 'cic-3dg'],
  [{ ...worker, bead: 'ABC-12.1', annotation: 'Fix' }, 'ABC-12.1-fix'],
  [{ ...worker, bead: '../../etc/passwd' }, 'etc-passwd'],
  [{ ...worker, bead: 'a..b' }, 'a-b'],
  [{ ...worker, bead: '-rf' }, 'rf'],
  [{ ...worker, bead: 'feature.lock' }, 'feature'],
  [{ ...worker, bead: 'x.lock.lock.' }, 'x'],
  [{ ...worker, bead: '///' }, 'ada-0a1b2c3d'],
  [{ ...worker, bead: 'HEAD' }, 'work-HEAD'],
  [{ workerName: '', workerId: '' }, 'work-tree'],
  [{ ...worker, annotation: 'Prüfe das Größte' }, 'ada-0a1b2c3d-prüfe-das-größte'],
  [{ ...worker, annotation: '修复登录 🎉' }, 'ada-0a1b2c3d-修复登录'],
  [{ ...worker, bead: 'a@{b}~^:?*[\\' }, 'a-b'],
])('%j is called %s', (parts, name) => {
  expect(worktreeName(parts)).toBe(name);
});

test.each([
  [{ ...worker }, 'ada-0a1b2c3d/work'],
  [{ ...worker, annotation: 'Fix the login' }, 'ada-0a1b2c3d/fix-the-login'],
  [{ ...worker, bead: 'cic-3dg' }, 'cic-3dg-0a1b2c3d/work'],
  [{ ...worker, bead: 'ABC-12.1', annotation: 'Fix/it' }, 'ABC-12.1-0a1b2c3d/fix-it'],
  [{ ...worker, bead: '../../main', annotation: '../x.lock' }, 'main-0a1b2c3d/x'],
  [{ ...worker, annotation: '///' }, 'ada-0a1b2c3d/work'],
  [{ workerName: '', workerId: '' }, 'work-tree/work'],
  [{ workerName: 'HEAD', workerId: '' }, 'work-HEAD/work'],
])('the branch of %j is %s, and a number stands on its folder', (parts, name) => {
  expect(branchName(parts, 1)).toBe(name);
  expect(branchName(parts, 2)).toBe(name.replace('/', '-2/'));
  if (!('bead' in parts)) expect(worktreeOf(name)).toBe(worktreeName(parts));
});

test.each([
  ['ada-0a1b2c3d', undefined, []],
  ['ada-0a1b2c3d/work', 'ada-0a1b2c3d', ['ada-0a1b2c3d']],
  ['a/b/c', 'a/b', ['a', 'a/b']],
])('%s lies in the folder %s', (branch, own, all) => {
  expect(ownFolderOf(branch)).toBe(own);
  expect(foldersOf(branch)).toEqual(all);
});

test('a name of two hundred characters is cut between characters', () => {
  const name = worktreeName({ ...worker, bead: 'é'.repeat(200), annotation: 'x'.repeat(200) });
  expect(name).toBe(`${'é'.repeat(45)}-${'x'.repeat(60)}`);
});

test('whatever it is made of, a name is one short folder name', () => {
  const text = fc.oneof(fc.string({ unit: anyCodePoint }), fc.string({ unit: 'grapheme', maxLength: 300 }));
  fc.assert(
    fc.property(text, text, text, (bead, annotation, workerName) => {
      const name = worktreeName({ bead, annotation, workerName, workerId: '0a1b2c3d' });
      expect(name).toMatch(/^[\p{L}\p{N}\p{M}._-]+$/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
      const branch = branchName({ bead, annotation, workerName, workerId: '0a1b2c3d' }, 499);
      expect(branch).toMatch(/^[\p{L}\p{N}\p{M}._-]+\/[\p{L}\p{N}\p{M}._-]+$/u);
      expect(Buffer.byteLength(branch)).toBeLessThanOrEqual(200);
    }),
    { numRuns: 500 },
  );
});

test('git accepts every name as a branch, numbered or not', () => {
  const pieces = ['.', '-', '/', 'lock', '.lock', ' ', '@', '{', 'a', 'HEAD', '~', '\\', 'ü', '_', '\u0301'];
  const built = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });
  const awkward = fc.oneof(built, fc.string({ unit: anyCodePoint, maxLength: 300 }));
  const drawn = fc.sample(fc.tuple(awkward, awkward, fc.nat(3)), 150);
  const names = drawn.flatMap(([bead, annotation, attempt]) => {
    const parts = { bead, annotation, workerName: bead, workerId: '' };
    return [numbered(worktreeName(parts), attempt), branchName(parts, attempt)];
  });
  // What git refuses of a branch beyond the form of a ref.
  for (const name of names) expect(name).not.toMatch(/^(-|HEAD$|@\{)/);
  const box = makeSandbox();
  const repo = box.repo('app');
  const verifying = (all: readonly string[]) => all.map((name) => `verify refs/heads/${name}\0\0`).join('');
  const ask = (all: readonly string[]) =>
    execFileSync('git', ['update-ref', '-z', '--stdin'], { cwd: repo, env: box.env, input: verifying(all) });
  expect(() => ask(['a..b'])).toThrow('invalid ref format');
  // git refuses a name together with one below it.
  for (const group of [names.filter((name) => !name.includes('/')), names.filter((name) => name.includes('/'))])
    ask([...new Set(group)]);
  box.dispose();
});
