import { expect, it } from 'vitest';
import { eventsText } from '../../src/cli/events.ts';

const event = {
  ...{ seq: 7, ts: '2030-01-31T12:00:00.123Z', type: 'landed', worker_id: 'aaaa0001', name: 'Ada' },
  data: { target: 'main', tests: 'none', files: ['a\u001b[2J', 'b'], after: 'x'.repeat(200) },
};

it('an event is a line that fits, in the words of the log, and moves no cursor', () => {
  const started = { ...event, type: 'plan_started', worker_id: 'p1', data: {} };
  const { name: _, ...unnamed } = started;
  expect(eventsText([event, unnamed], 80)).toMatchInlineSnapshot(`
    "2030-01-31T12:00:00Z Ada landed target=main tests=none files=["a\\u001b[2J","b"]…
    2030-01-31T12:00:00Z p1 plan_started
    "
  `);
  expect(eventsText([], 80)).toBe('');
});
