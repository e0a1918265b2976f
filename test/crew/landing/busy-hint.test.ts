import { expect, it } from 'vitest';
import { busyHint } from '../../../src/crew/landing/own-branch.ts';

it.each([
  ['working', undefined, 'wait_idle_workers'],
  ['waiting', 'permission', 'answer_worker call that examine_worker {"session_id":"0badcafe"} shows'],
  ['waiting', 'trust', 'answer_worker'],
  ['waiting', 'limit', 'wait_idle_workers'],
  ['waiting', 'login', 'wait_idle_workers'],
] as const)('a worker that is %s for %s is helped by %s', (is, waitingFor, words) => {
  expect(busyHint('0badcafe', { is, waitingFor }).forModel).toContain(words);
});
