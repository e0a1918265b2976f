// The mode of a worker for whom nobody named one, by its place and its rules.
import { expect, it } from 'vitest';
import { startMode } from '../../../src/crew/attention/permissions.ts';
import { presetNames } from '../../../src/model/rule.ts';

const own = { hasWorktree: true, usersMode: 'plan' };
const shared = { hasWorktree: false, usersMode: 'plan' };

it.each([
  ['no preset', undefined, 'acceptEdits', 'plan'],
  ['full', 'full', 'acceptEdits', 'plan'],
  ['implement', 'implement', 'acceptEdits', 'plan'],
  ['fix', 'fix', 'acceptEdits', 'plan'],
  ['test', 'test', 'manual', 'manual'],
  ['review', 'review', 'manual', 'manual'],
  ['explore', 'explore', 'manual', 'manual'],
  ['rules that cannot be read', 'unknown', 'manual', 'manual'],
] as const)('with %s edits ask nobody in its own worktree as the preset says', (_, preset, inOwn, inShared) => {
  expect(startMode({ ...own, preset })).toBe(inOwn);
  expect(startMode({ ...shared, preset })).toBe(inShared);
});

it('asks in a shared checkout where the user has named no mode', () => {
  expect(startMode({ hasWorktree: false, usersMode: undefined, preset: undefined })).toBe('manual');
});

it('asks before edits under every preset that does not let a worker edit all its files', () => {
  const asking = presetNames.filter((preset) => startMode({ ...own, preset }) === 'manual');
  expect(asking).toEqual(['test', 'review', 'explore']);
});
