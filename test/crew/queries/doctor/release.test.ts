import { expect, it } from 'vitest';
import { compareReleases, readRelease } from '../../../../src/crew/queries/doctor/programs.ts';

it.each([
  ['2.1.329 (Claude Code)', [2, 1, 329]],
  ['codex-cli 0.169.0', [0, 169, 0]],
  ['git version 2.39.5 (Apple Git-154)', [2, 39, 5]],
  ['codex-cli 0.170.0-alpha.3', [0, 170, 0]],
  ['version 7', undefined],
  ['', undefined],
])('the release in %j is %j', (text, release) => {
  expect(readRelease(text)).toEqual(release);
});

it.each([
  [[2, 1, 9], [2, 1, 329], -1],
  [[2, 2], [2, 1, 329], 1],
  [[2, 39], [2, 39, 0], 0],
])('%j against %j', (a, b, order) => {
  expect(Math.sign(compareReleases(a, b))).toBe(order);
  expect(Math.sign(compareReleases(b, a))).toBe(order === 0 ? 0 : -order);
});
