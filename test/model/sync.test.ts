import { expect, it } from 'vitest';
import { planSync } from '../../src/model/sync.ts';

it.each([
  ['a base with nothing new', { ahead: 2, behind: 0 }, 'nothing'],
  ['a base with nothing new, whatever was asked', { ahead: 2, behind: 0, asked: 'merge' as const }, 'nothing'],
  ['a branch without commits', { ahead: 0, behind: 3 }, 'forward'],
  [
    'a branch without commits, also where a merge was asked for',
    { ahead: 0, behind: 3, asked: 'merge' as const },
    'forward',
  ],
  ['own commits', { ahead: 1, behind: 1 }, 'rebase'],
  ['own commits that were pushed', { ahead: 1, behind: 1, isPublished: true }, 'merge'],
  [
    'own commits that were pushed, and a rebase asked for',
    { ahead: 1, behind: 1, isPublished: true, asked: 'rebase' as const },
    'rebase',
  ],
  ['own commits and a merge asked for', { ahead: 1, behind: 1, asked: 'merge' as const }, 'merge'],
])('%s', (_, facts, plan) => {
  expect(planSync({ isPublished: false, asked: undefined, ...facts })).toEqual({ do: plan });
});
