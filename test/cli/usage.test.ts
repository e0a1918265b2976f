import { expect, it } from 'vitest';
import { groupNamed, groupWords, readUsage, usageText } from '../../src/cli/usage.ts';
import type { UsageRow } from '../../src/wire/usage.ts';

const ada: UsageRow = {
  name: 'Ada',
  usage: { input_tokens: 1_000, output_tokens: 400, cache_tokens: 32_000, cost: { usd: 0.028, source: 'agent' } },
};
const bo: UsageRow = { name: 'Bo', usage: { input_tokens: 900, output_tokens: 26, cache_tokens: 0 } };

it('a row shows tokens first and money second, and no money where none is known', () => {
  expect(usageText([ada, bo], 'worker')).toMatchInlineSnapshot(`
    "WORKER  TOKENS  FRESH  CACHE  OUTPUT   COST
    Ada      33.4k   1.0k  32.0k     400  $0.03
    Bo         926    900      0      26      -
    "
  `);
  const estimated = { ...bo, usage: { ...bo.usage, cost: { usd: 1.5, source: 'estimate' as const } } };
  expect(usageText([estimated], 'day')).toMatchInlineSnapshot(`
    "DAY  TOKENS  FRESH  CACHE  OUTPUT    COST
    Bo      926    900      0      26  ~$1.50

    ~ tokens times prices; any other figure is what the agent itself counts.
    "
  `);
  expect(usageText([], 'role')).toBe('No worker of this project has used anything yet.\n');
});

it('another group is refused with the names of the four', () => {
  expect(groupNamed('plan')).toBe('plan');
  expect(groupNamed('week')).toBeUndefined();
  expect(groupWords('week')).toBe('crewmux usage: --by takes day, role, plan or worker, and got "week".\n');
});

it('a plan is named by the tasks of its workers', async () => {
  const asked: unknown[] = [];
  const usage = async (query: unknown) => {
    asked.push(query);
    return [ada];
  };
  const tasks = [{ taskId: 't1', planId: 'p1' }, { taskId: 't2' }];
  const jobs = {
    list: async () => ({ tasks }),
    planStatus: async () => ({ plans: [{ planId: 'p1', name: 'shop' }] }),
  };
  expect(await readUsage({ usage, jobs }, 'plan')).toEqual([ada]);
  await readUsage({ usage, jobs }, 'day');
  expect(asked).toEqual([{ by: 'plan', plans: new Map([['t1', 'shop']]) }, { by: 'day' }]);
});
