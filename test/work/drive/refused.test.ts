import { expect, it } from 'vitest';
import { CrewError } from '../../../src/model/errors.ts';
import type { Task } from '../../../src/model/task.ts';
import { atWork, ended as over } from '../../../src/model/task-progress.ts';
import { refusedWith } from '../../../src/work/drive/perform.ts';
import { ended, facts, task, work, worker } from '../parts.ts';

const at = (one: Task) => facts({ tasks: [one], works: [work({ turn: ended() })] });
const running = task({ state: 'running', worker, attempt: 1, startedAt: 0, branch: 'ada' });
const inTheWay =
  'No. Nothing was landed. Have it committed, stashed or moved aside there, or have another branch checked out there; then retry.';
const checked = task({ ...running, state: 'landing', overAt: 30 });
const bounced = task({ ...running, state: 'bounced', message: { id: 'm', text: 'Mend it.' }, toldAt: 9 });
const landed = task({ ...running, state: 'landed' });
it.each([
  [
    'checkout_in_the_way',
    checked,
    {
      progress: { ...checked.progress, hold: { why: 'checkout_in_the_way', words: inTheWay, files: [] } },
      reason: inTheWay,
    },
  ],
  ['target_moved', checked, { progress: { hold: { why: 'other', words: 'No. Do.', files: [] } }, reason: 'No. Do.' }],
  ['worker_busy', bounced, { progress: { ...bounced.progress, as: 'running' }, reason: null, notBefore: 2_000 }],
  ['worker_busy', checked, { progress: atWork, reason: null, notBefore: 2_000 }],
  ['state_locked', running, { notBefore: 2_000 }],
  ['limit_reached', running, { notBefore: 6_000, reason: 'No. Do.' }],
  ['internal', { ...running, maxRetries: 3 }, { progress: over('failed'), reason: 'internal: No. Do.' }],
  ['internal', landed, { progress: { ...landed.progress, isSeenTo: true } }],
] as const)('an act that is refused with %s', (code, one, expected) => {
  expect(refusedWith(at(one), one, new CrewError(code, 'No.', 'Do.'))).toMatchObject(expected);
});

it('a refused act after the end leaves the end as it is', () => {
  expect(refusedWith(at(landed), landed, new CrewError('worker_busy', 'No.', 'Do.'))).toEqual({
    progress: { ...landed.progress, isSeenTo: true },
  });
});
