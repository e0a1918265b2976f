import { describe, expect, test } from 'vitest';
import { decodeStatus, decodeWorktreeList } from '../../../src/worktree/git/porcelain.ts';

const z = (...lines: string[]) => lines.map((line) => `${line}\0`).join('');

describe('the list of worktrees', () => {
  test('gives every block its own facts', () => {
    const text = [
      z('worktree /r', 'HEAD 1111111111111111111111111111111111111111', 'branch refs/heads/main'),
      z('worktree /r/.worktrees/a b', 'HEAD 2222222222222222222222222222222222222222', 'detached', 'locked'),
      z(
        'worktree /gone',
        'HEAD 3333333333333333333333333333333333333333',
        'branch refs/heads/x/y',
        'prunable gitdir file points to non-existent location',
      ),
      z(
        'worktree /new\nline',
        'HEAD 0000000000000000000000000000000000000000',
        'branch refs/heads/orphan',
        'locked on a\nstick',
        'future field',
      ),
    ];
    expect(decodeWorktreeList(text.map((block) => `${block}\0`).join(''))).toEqual([
      { path: '/r', sha: '1'.repeat(40), branch: 'main', bare: false, detached: false },
      { path: '/r/.worktrees/a b', sha: '2'.repeat(40), bare: false, detached: true, locked: '' },
      {
        path: '/gone',
        sha: '3'.repeat(40),
        branch: 'x/y',
        bare: false,
        detached: false,
        prunable: 'gitdir file points to non-existent location',
      },
      { path: '/new\nline', branch: 'orphan', bare: false, detached: false, locked: 'on a\nstick' },
    ]);
  });

  test('of a bare repository starts with the repository', () => {
    expect(decodeWorktreeList(`${z('worktree /r.git', 'bare')}\0`)).toEqual([
      { path: '/r.git', bare: true, detached: false },
    ]);
  });

  test('of nothing is empty', () => {
    expect(decodeWorktreeList('')).toEqual([]);
  });
});

describe('a status', () => {
  const oid = 'a'.repeat(40);
  test('tells tracked, conflicting and untracked paths apart, spaces and all', () => {
    const text = z(
      `# branch.oid ${oid}`,
      '# branch.head feat/x',
      '# branch.upstream origin/feat/x',
      '# branch.ab +1 -0',
      `1 .M N... 100644 100644 100644 ${oid} ${oid} a file`,
      `1 A. N... 000000 100755 100755 ${oid} ${oid} new`,
      `1 .M S.MU 160000 160000 160000 ${oid} ${oid} sub`,
      `u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} both sides`,
      '? un tracked\nfile',
      '? nested/',
    );
    expect(decodeStatus(text)).toEqual({
      sha: oid,
      branch: 'feat/x',
      changes: [
        { kind: 'tracked', path: 'a file', index: '.', worktree: 'M', submodule: false, changedInside: false },
        { kind: 'tracked', path: 'new', index: 'A', worktree: '.', submodule: false, changedInside: false },
        { kind: 'tracked', path: 'sub', index: '.', worktree: 'M', submodule: true, changedInside: true },
        { kind: 'conflict', path: 'both sides' },
        { kind: 'untracked', path: 'un tracked\nfile' },
        { kind: 'untracked', path: 'nested/' },
      ],
    });
  });

  test('before the first commit has no sha, and on no branch has no branch', () => {
    expect(decodeStatus(z('# branch.oid (initial)', '# branch.head main'))).toEqual({ branch: 'main', changes: [] });
    expect(decodeStatus(z(`# branch.oid ${oid}`, '# branch.head (detached)'))).toEqual({ sha: oid, changes: [] });
  });

  test.each(['', z('# branch.oid x', '# branch.head m', '9 what is this')])(
    'that cannot be read throws: %j',
    (text) => {
      expect(() => decodeStatus(text)).toThrow('git status printed');
    },
  );
});
