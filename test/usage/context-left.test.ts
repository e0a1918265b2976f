import { expect, it } from 'vitest';
import { contextStep } from '../../src/usage/context-left.ts';

it.each([
  ['says nothing of what the agent does not tell', undefined, false, 'nothing'],
  ['says nothing at a fifth', 0.2, false, 'nothing'],
  ['says it below a fifth', 0.199, false, 'say'],
  ['says it once', 0.1, true, 'nothing'],
  ['can say it again once there is room', 0.9, true, 'forget'],
  ['keeps to what it said while the agent tells nothing', undefined, true, 'nothing'],
] as const)('a context window %s', (_, contextLeft, isSaid, step) => {
  expect(contextStep({ contextLeft, isSaid })).toBe(step);
});
