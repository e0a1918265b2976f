import { expect, it } from 'vitest';
import type { Acting } from '../../src/jobs/perform.ts';
import { performTask } from '../../src/jobs/perform.ts';
import { stubCrew } from '../support/stub-crew.ts';
import { facts, task, work } from './parts.ts';

it('two tasks that begin at once do not take the same idle worker', async () => {
  const order = { role: 'tester', state: 'starting', attempt: 1 } as const;
  const tasks = [task({ id: 'a', ...order }), task({ id: 'b', ...order })];
  const acting: Acting = {
    crew: {
      ...stubCrew(() => undefined),
      branchOf: async () => ({ branch: 'ada', commits: [], behind: 0, dirtyFiles: 0 }),
    },
    folder: '/never',
    facts: () => facts({ tasks, works: [work({ role: 'tester' })] }),
    run: { signal: new AbortController().signal, tell: () => undefined },
    claimed: new Set(),
  };
  const changes = await Promise.all(tasks.map((one) => performTask(acting, 'start', one)));
  expect(changes.map((change) => change?.isReused)).toEqual([true, false]);
});
