import { expect, it } from 'vitest';
import { guidanceFor } from '../../../src/crew/lifecycle/worker-instructions.ts';

type Started = Parameters<typeof guidanceFor>[0][number];

const works: Started = { name: 'ada', status: 'working' };
const starts: Started = { name: 'bruno', status: 'starting' };
const rests: Started = { name: 'cy', status: 'idle' };
const waits = (name: string, waiting_for: Started['waiting_for']): Started =>
  waiting_for === undefined ? { name, status: 'waiting' } : { name, status: 'waiting', waiting_for };

const watch = 'Tell the user that they can watch with the command in attach.';
const more =
  'read_worker_logs tells what one did; message_workers gives it more; close_workers ends it and keeps its branch.';
const wait = (names: string) =>
  `wait_idle_workers {"session_ids":${names}} returns when they are done or one needs you; it may go on in the background.`;
const helps = 'The warnings tell what helps.';

it.each<[string, readonly Started[], string]>([
  ['nothing but the way to watch for one that is idle', [rests], watch],
  [
    'what those do that work or start',
    [works, starts],
    `ada, bruno run on their own now. ${wait('["ada","bruno"]')} ${more} ${watch}`,
  ],
  [
    'nothing of the idle one beside one that works',
    [rests, works],
    `ada runs on its own now. ${wait('["ada"]')} ${more} ${watch}`,
  ],
  [
    'what two wait for',
    [waits('dora', 'trust'), waits('ella', 'trust')],
    `2 wait for trust: dora, ella. ${helps} ${watch}`,
  ],
  [
    'each thing that somebody waits for, before the rest',
    [works, waits('dora', 'mcp_approval'), waits('ella', 'login'), waits('finn', undefined)],
    `1 waits for mcp approval: dora. 1 waits for login: ella. 1 waits for somebody: finn. ${helps} ada runs on its own now. ${wait('["ada"]')} ${more} ${watch}`,
  ],
  ['that one has ended again', [{ name: 'gus', status: 'dead' }], `1 is dead: gus. ${helps} ${watch}`],
  ['where to look when nobody was started', [], 'No worker was started; see `failed` for why and what to do.'],
])('the guidance says %s', (_, started, words) => {
  expect(guidanceFor(started, false)).toBe(words);
});

it('a manager that is woken is told to wait for nothing', () => {
  expect(guidanceFor([works], true)).toMatch(/^ada runs on its own now\. You will be told when/);
  expect(guidanceFor([works], true)).not.toContain('wait_idle_workers');
  expect(guidanceFor([rests], true)).toBe(watch);
});
