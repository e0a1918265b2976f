import { expect, it } from 'vitest';
import { nearest } from '../../src/model/nearest.ts';

const known = ['session_ids', 'timeout', 'wait_mode', 'tmux.socket'];

it.each([
  ['sesion_ids', 'session_ids'],
  ['SESSION_IDS', 'session_ids'],
  ['time_out', 'timeout'],
  ['timeout_seconds', 'timeout'],
  ['socket', 'tmux.socket'],
  ['worker', undefined],
  ['', undefined],
])('%j was meant as %j', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
