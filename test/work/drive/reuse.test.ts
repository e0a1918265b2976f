import { expect, it } from 'vitest';
import type { RoleFacts } from '../../../src/crew/api.ts';
import type { Acting } from '../../../src/work/drive/perform.ts';
import { performTask } from '../../../src/work/drive/perform.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { facts, job, plan, task, work } from '../parts.ts';

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

it('the label of a worker has the whole name of its job, however long that of its plan is', async () => {
  const one = job({ title: 'a'.repeat(40), state: 'starting', attempt: 1 });
  const labels: unknown[] = [];
  const crew = stubCrew(() => undefined);
  const acting: Acting = {
    crew: {
      ...crew,
      async start(order, run) {
        labels.push(...order.workers.map(({ annotation }) => annotation));
        return crew.start(order, run);
      },
    },
    folder: '/never',
    facts: () => facts({ tasks: [one], plans: [plan(['t'], { name: 'Ship '.repeat(16) })] }),
    run: { signal: new AbortController().signal, tell: () => undefined },
    claimed: new Set(),
  };
  await performTask(acting, 'start', one);
  expect(labels).toEqual([`${'Ship '.repeat(8).trimEnd()} ${one.title}`]);
});

it.each<[string, readonly string[], string | undefined, RoleFacts?]>([
  ['another agent, while a limit holds the usual one', ['claude'], 'codex'],
  ['whatever is usual, while no limit holds that', ['codex'], undefined],
  ['whatever is usual, while a limit holds all', ['claude', 'codex'], undefined],
  ['another agent, while a limit holds the usual one and its role names none', ['claude'], 'codex', {}],
  ['the agent of its role, while no limit holds that', [], 'codex', { agentType: 'codex' }],
  ['whatever its role names, while a limit holds that', ['codex'], undefined, { agentType: 'codex' }],
])('a task of any agent gets %s', async (_, limited, agentType, ofRole) => {
  const one = task({ agentType: 'any', state: 'starting', attempt: 1, ...(ofRole && { role: 'tester' }) });
  const roles = new Map(ofRole && [[one.id, ofRole]]);
  const started: unknown[] = [];
  const crew = stubCrew(() => undefined);
  const limits = new Map(limited.map((type) => [type, { until: 60_000, dueAt: 70_000 }]));
  const accounts = new Map([['/p', { usual: 'claude', others: ['codex'], limits }]]);
  const acting: Acting = {
    crew: {
      ...crew,
      async start(order, run) {
        started.push(...order.workers.map((worker) => worker.agentType));
        return crew.start(order, run);
      },
    },
    folder: '/never',
    facts: () => facts({ tasks: [one], accounts, roles }),
    run: { signal: new AbortController().signal, tell: () => undefined },
    claimed: new Set(),
  };
  await performTask(acting, 'start', one);
  expect(started).toEqual([agentType]);
});

it('the first prompt of a job ends with what those before it have reported, else with their last words', async () => {
  const workers = ['w', 'v', 'u'].map((id) => ({ id, name: `name-${id}` }));
  const [first, second, third] = workers.map((one, at) =>
    job({
      id: `d${at}`,
      title: `before-${at}`,
      worker: one,
      state: 'done',
      isSkipped: at === 2,
      lastWords: 'All is well.',
      startedAt: 5_000,
    }),
  );
  const later = task({ id: 'later', worker: { id: 'w', name: 'name-w' }, state: 'done', startedAt: 9_000 });
  const one = job({ title: 'build', dependsOn: ['d0', 'd1', 'd2'], state: 'starting', attempt: 1 });
  const prompts: unknown[] = [];
  const crew = stubCrew(() => undefined);
  const reported = { session_id: 'w', name: 'ada', report_id: 'r', at: '2026-01-01T00:00:00.000Z' };
  const acting: Acting = {
    crew: {
      ...crew,
      async start(order, run) {
        prompts.push(...order.workers.map(({ prompt }) => prompt));
        return crew.start(order, run);
      },
      async reports({ workers = [] }) {
        const [{ worker, until } = {}] = workers;
        if (worker !== 'w') throw new Error('gone');
        expect(until, 'the worker has a later task').toBe(9_000);
        const kinds = ['progress', 'report'] as const;
        const reports = kinds.map((kind) => ({ ...reported, kind, what_done: `A ${kind}.`, next_steps: 'Build.' }));
        return { reports, count: 2 };
      },
    },
    folder: '/never',
    facts: () => facts({ tasks: [one, first ?? one, second ?? one, third ?? one, later] }),
    run: { signal: new AbortController().signal, tell: () => undefined },
    claimed: new Set(),
  };
  await performTask(acting, 'start', one);
  const [prompt = ''] = prompts.map(String);
  expect(prompt.slice(prompt.indexOf('"before-0"'))).toBe(
    '"before-0", by worker "name-w" (w):\n| Done: A report.\n| Next steps: Build.\n\n"before-1", by worker "name-v" (v):\n| Done: All is well.',
  );
});
