import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetNames } from '../../../src/model/rule.ts';
import { emptyBook, type Task } from '../../../src/model/task.ts';
import { foldLines } from '../../../src/store/job-book.ts';
import { subtaskInput } from '../../../src/wire/desk.ts';
import type { dispatch } from '../../../src/wire/dispatch.ts';
import { inward } from '../../../src/wire/spoken.ts';
import { submitTaskInput } from '../../../src/wire/tasks.ts';
import { performTask } from '../../../src/work/drive/perform.ts';
import { dispatchOf } from '../../../src/work/drive/start.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { facts, task, work } from '../parts.ts';

const asked = {
  agent_type: 'codex',
  model: 'fast',
  role: 'tester',
  preset: 'review',
  permission_mode: 'plan',
  sandbox: false,
  skip_permissions: true,
  env: { MY_KEY: 'my_value' },
  mcp_config: { my_server: { some_key: 1 } },
  append_system_prompt: 'Be short.',
  bead: 'bd-1',
  copy_files: ['.env'],
  symlink_dirs: ['node_modules'],
  setup_commands: ['make'],
} as const satisfies Record<keyof typeof dispatch, unknown>;

const ordered = {
  agentType: 'codex',
  model: 'fast',
  role: 'tester',
  preset: 'review',
  permissionMode: 'plan',
  sandbox: false,
  skipPermissions: true,
  env: asked.env,
  mcpServers: asked.mcp_config,
  appendSystemPrompt: 'Be short.',
  bead: 'bd-1',
  copyFiles: ['.env'],
  symlinkDirs: ['node_modules'],
  setupCommands: ['make'],
};

const order = inward(submitTaskInput, submitTaskInput.parse({ title: 'a', prompt: 'b', ...asked }));
const written = (one: Task) => foldLines(emptyBook, [JSON.stringify({ v: 3, tasks: [one] })]).tasks.get(one.id);

it('what a task is to be started with reaches the start of its worker, through the book', () => {
  const { projectPath: _, ...fields } = order;
  const kept = written({ ...task(), ...fields });
  expect(kept && dispatchOf(kept)).toEqual(ordered);
});

const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/).filter((name) => name !== '__proto__');
const text = fc.string({ minLength: 1 });
const texts = fc.array(text, { maxLength: 3 });
const anyDispatch = fc.record(
  {
    ...{ agentType: text, model: text, role: text, permissionMode: text, appendSystemPrompt: text, bead: text },
    ...{ preset: fc.constantFrom(...presetNames), sandbox: fc.boolean(), skipPermissions: fc.boolean() },
    ...{ env: fc.dictionary(key, text), mcpConfig: fc.dictionary(key, fc.dictionary(key, text)) },
    ...{ copyFiles: texts, symlinkDirs: texts, setupCommands: texts },
  },
  { requiredKeys: [], noNullPrototype: true },
);

it('a book gives back what it was written with, whatever that is', () => {
  fc.assert(
    fc.property(anyDispatch, (given) => {
      const one = { ...task(), ...given };
      expect(JSON.stringify(written(one))).toBe(JSON.stringify(written(JSON.parse(JSON.stringify(one)))));
      expect(written(one)).toEqual(one);
    }),
  );
});

describe('a worker cannot name for a subtask', () => {
  const subtask = { title: 'Docs', prompt: 'Write.' };
  it.each(Object.entries({ ...asked, max_turns: 1, max_cost_usd: 1 }).filter(([name]) => name !== 'role'))(
    '%s',
    (name, value) => {
      expect(subtaskInput.safeParse({ ...subtask, [name]: value }).success).toBe(false);
    },
  );
  it('anything but its role', () => {
    expect(subtaskInput.parse({ ...subtask, role: 'tester' })).toMatchObject({ role: 'tester' });
  });
});

const isReused = async (one: Task, given: Partial<Parameters<typeof work>[0]> = {}, others: readonly Task[] = []) => {
  const change = await performTask(
    {
      crew: stubCrew(() => undefined),
      folder: '/never',
      facts: () => facts({ tasks: [one, ...others], works: [work({ role: 'tester', ...given })] }),
      run: { signal: new AbortController().signal, tell: () => undefined },
      claimed: new Set(),
    },
    'start',
    one,
  );
  return change?.isReused;
};
const waits = { role: 'tester', state: 'starting', attempt: 1 } as const;

describe('an idle worker of its role', () => {
  const { agentType: _, model: __, role: ___, ...own } = order;
  const fields = Object.entries(own).filter(([name]) =>
    Object.hasOwn(
      asked,
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ),
  );
  it('takes a task', async () => {
    expect(fields).toHaveLength(11);
    expect(await isReused(task(waits))).toBe(true);
  });
  it.each(fields)('takes no task with %s of its own', async (name, value) => {
    expect(await isReused({ ...task(waits), [name]: value })).toBe(false);
  });
  it('that was started with what one task asked for takes no other', async () => {
    const before = task({ id: 'before', state: 'done', worker: { id: 'w', name: 'ada' }, env: { A: 'b' } });
    expect(await isReused(task(waits), {}, [before])).toBe(false);
    expect(await isReused(task(waits), {}, [{ ...before, isReused: true }])).toBe(true);
  });
  it('with rights of its own takes no task that a worker has entered', async () => {
    const from = { id: 'v', name: 'bea' };
    expect(await isReused(task({ ...waits, from }))).toBe(true);
    expect(await isReused(task({ ...waits, from }), { hasOwnRights: true })).toBe(false);
    expect(await isReused(task(waits), { hasOwnRights: true })).toBe(true);
  });
});

it('of two idle workers of its role a task takes the one of a slot; a new one fills a free slot, a reviewer none', async () => {
  const started: unknown[] = [];
  const crew = stubCrew(() => undefined);
  const taken = async (one: Task, works: readonly ReturnType<typeof work>[]) => {
    const start: typeof crew.start = (order, run) => {
      started.push(order.workers[0]?.fillsSlot);
      return crew.start(order, run);
    };
    const acting = {
      crew: { ...crew, start },
      ...{ folder: '/never', claimed: new Set<string>(), facts: () => facts({ tasks: [one], works }) },
      run: { signal: new AbortController().signal, tell: () => undefined },
    } satisfies Parameters<typeof performTask>[0];
    return (await performTask(acting, 'start', one))?.worker?.id;
  };
  const kept = work({ id: 'v', role: 'tester' });
  expect(await taken(task(waits), [kept, work({ role: 'tester', slot: 'tester-1' })])).toBe('w');
  await taken(task(waits), []);
  await taken(task({ ...waits, kind: 'review' }), []);
  expect(started).toEqual([true, undefined]);
});
