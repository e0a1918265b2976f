import { expect, it } from 'vitest';
import { openWorkIn } from '../../../src/work/verbs/open-work.ts';
import { bookOf, job, plan, task, worker } from '../parts.ts';

const hold = { why: 'touch_set', words: 'b.ts is not its own', files: ['b.ts'] } as const;

it('of a project the plans that are open come with what they wait for, and open tasks are counted', () => {
  const here = bookOf(
    [
      job({ id: 'a', planId: 'q', state: 'landed' }),
      job({ id: 'b', planId: 'q', state: 'landing', worker, hold }),
      job({ id: 'c', state: 'running' }),
      task({ id: 'open' }),
      task({ id: 'over', state: 'done' }),
      task({ id: 'elsewhere', project: '/other' }),
    ],
    [
      plan(['c'], { name: 'runs', at: 9 }),
      plan(['a', 'b'], { id: 'q', name: 'held', at: 1 }),
      plan([], { id: 'r', name: 'over', state: 'completed' }),
      plan([], { id: 't', name: 'planned', planner: 'm', state: 'proposed' }),
      plan(['c'], { id: 's', name: 'stopped', isCancelled: true }),
    ],
  );
  const approval = plan([], { id: 'u', name: 'asks', mode: 'copilot', state: 'proposed', at: 5 });
  const found = openWorkIn(
    [here, bookOf([], [approval, plan([], { id: 'v', project: '/other' })])],
    (folder) => folder === '/p',
  );
  const call = (args: object) => `approve_plan ${JSON.stringify(args)}`;
  expect(found).toEqual({
    plans: [
      {
        name: 'asks',
        state: 'has not begun, 0 of 0 jobs done',
        asks: {
          why: expect.stringContaining('nothing starts before'),
          call: call({ plan_id: 'u', checkpoint: 'start', action: 'continue' }),
        },
      },
      {
        name: 'held',
        state: 'waits for a decision, 1 of 2 jobs done',
        asks: {
          why: 'b: b.ts is not its own',
          call: call({ plan_id: 'q', checkpoint: 'on_error', action: 'accept', job: 'b' }),
        },
      },
      { name: 'runs', state: 'is running, 0 of 1 job done' },
      { name: 'planned', state: 'is being planned' },
    ],
    tasks: 1,
  });
});
