import { describe, expect, it } from 'vitest';
import {
  branchIn,
  followHead,
  type HeadState,
  judgeTips,
  passed,
  type TipStep,
} from '../../../src/worktree/git/tips.ts';

const entry = (from: string, to: string, message: string) => ({ from, to, message });
const on = (branch: string): HeadState => ({ branch });

describe('the steps that a history of HEAD tells', () => {
  it.each([
    ['a commit', [entry('a', 'b', 'commit: x')], [{ branch: 'main', from: 'a', to: 'b' }], on('main')],
    ['a pull', [entry('a', 'b', 'pull: Fast-forward')], [{ branch: 'main', from: 'a', to: 'b' }], on('main')],
    ['a change of branch', [entry('a', 'b', 'checkout: moving from main to wip')], [], on('wip')],
    [
      'a commit after a change of branch',
      [entry('a', 'a', 'checkout: moving from main to wip'), entry('a', 'b', 'commit: x')],
      [{ branch: 'wip', from: 'a', to: 'b' }],
      on('wip'),
    ],
    [
      'a rebase',
      [
        entry('a', 'm', 'rebase (start): checkout origin/main'),
        entry('m', 'n', 'rebase (pick): x'),
        entry('n', 'n', 'rebase (finish): returning to refs/heads/main'),
      ],
      [{ branch: 'main', from: 'a', to: 'n' }],
      on('main'),
    ],
    [
      'a pull that rebases',
      [
        entry('a', 'm', 'pull --rebase origin main (start): checkout m'),
        entry('m', 'n', 'pull --rebase origin main (pick): x'),
        entry('n', 'n', 'pull --rebase origin main (finish): returning to refs/heads/main'),
      ],
      [{ branch: 'main', from: 'a', to: 'n' }],
      on('main'),
    ],
    [
      'a rebase that still runs',
      [entry('a', 'm', 'rebase (start): checkout wip'), entry('m', 'n', 'rebase (pick): x')],
      [],
      { rebase: { branch: 'main', from: 'a' } },
    ],
    [
      'a rebase of another branch',
      [entry('a', 'm', 'rebase (start): checkout m'), entry('n', 'n', 'rebase (finish): returning to refs/heads/wip')],
      [{ branch: 'wip', from: undefined, to: 'n' }],
      on('wip'),
    ],
    [
      'a commit after a rebase that was given up',
      [
        entry('a', 'm', 'rebase (start): checkout m'),
        entry('m', 'a', 'rebase (abort): updating HEAD'),
        entry('a', 'b', 'commit: x'),
      ],
      [{ branch: 'main', from: 'a', to: 'b' }],
      on('main'),
    ],
    [
      'a commit after a new name',
      [entry('0', 'a', 'Branch: renamed refs/heads/main to refs/heads/trunk'), entry('a', 'b', 'commit: x')],
      [{ branch: 'trunk', from: 'a', to: 'b' }],
      on('trunk'),
    ],
  ] as const)('of %s', (_, entries, steps, now) => {
    expect(followHead(on('main'), entries)).toEqual({ steps, now });
  });

  it('a rebase that began before the last look ends where it leads', () => {
    const before = { rebase: { branch: 'main', from: 'a' } };
    const { steps } = followHead(before, [entry('n', 'n', 'rebase (finish): returning to refs/heads/main')]);
    expect(steps).toEqual([{ branch: 'main', from: 'a', to: 'n' }]);
  });
});

const step = (from: string, to: string, branch = 'main'): TipStep => ({ branch, from, to });

it('a step leads once, and only from where it began', () => {
  expect(passed('a', [step('a', 'b'), step('b', 'a'), step('a', 'c')])).toEqual(['a', 'b', 'a', 'c']);
  expect(passed('a', [step('x', 'y')])).toEqual(['a']);
});

describe('a branch', () => {
  const judged = (more: {
    stands?: string;
    told?: readonly TipStep[];
    own?: readonly TipStep[];
    attached?: readonly string[];
  }) =>
    judgeTips({
      kept: new Map([['main', ['a']]]),
      present: new Map(more.stands === undefined ? [] : [['main', more.stands]]),
      told: more.told ?? [],
      own: more.own ?? [],
      attached: new Set(more.attached ?? ['main']),
    })[0];

  it.each([
    ['stands where it was', { stands: 'a' }],
    ['is gone', {}],
    ['has a commit of the user', { stands: 'b', told: [step('a', 'b')] }],
    ['was set back by the user', { stands: 'a', told: [step('a', 'b'), step('b', 'a')] }],
    ['has a landing on no checkout', { stands: 'b', own: [step('a', 'b')] }],
    ['has a landing that git tells too', { stands: 'b', told: [step('a', 'b')], own: [step('a', 'b')] }],
    [
      'has a landing between two commits of the user',
      { stands: 'd', told: [step('a', 'b'), step('c', 'd')], own: [step('b', 'c')] },
    ],
    ['stands still beside commits on no branch', { stands: 'a', told: [step('a', 'b')], attached: [] }],
  ])('that %s is not moved', (_, more) => {
    expect(judged(more)).not.toHaveProperty('movedTo');
  });

  it.each([
    ['nobody led there', { stands: 'e' }, ['a']],
    ['another branch was led to', { stands: 'e', told: [step('a', 'e', 'wip')] }, ['a']],
    ['the user only changed to', { stands: 'e', told: [] }, ['a']],
    ['a commit of the user builds on', { stands: 'f', told: [step('e', 'f')] }, ['a']],
    ['somebody moved after a commit of the user', { stands: 'e', told: [step('a', 'b')] }, ['a', 'b']],
    ['lacks the last commit of the user', { stands: 'a', told: [step('a', 'b')] }, ['a', 'b']],
    ['a landing of something else led to', { stands: 'e', own: [step('x', 'e')] }, ['a']],
  ])('that %s is moved', (_, more, kept) => {
    expect(judged(more)).toEqual({ branch: 'main', kept, movedTo: more.stands });
  });
});

it.each([
  ['main', 'main'],
  ['refs/heads/main', 'main'],
  ['heads/feature/x', 'feature/x'],
  ['main~2', 'main'],
  ['main^{commit}', 'main'],
  ['main@{1}', 'main'],
  ['main:file', 'main'],
])('%s names the branch %s', (words, branch) => {
  expect(branchIn(words)).toBe(branch);
});
