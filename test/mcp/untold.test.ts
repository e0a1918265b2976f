// What the hook at the prompt shows a manager: the text, the file that holds it, and the shell line that prints it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Needs } from '../../src/crew/api.ts';
import { ShownKeys } from '../../src/mcp/shown-keys.ts';
import { keepUntold, shownPath } from '../../src/mcp/untold.ts';
import { endedSince, type PlanNews, untoldLimit, untoldOf, untoldText } from '../../src/mcp/untold-text.ts';
import type { AttentionView } from '../../src/wire/attention.ts';
import type { BriefPlan } from '../../src/wire/plans.ts';
import { endKey, shownKeysIn } from '../../src/wire/shown-keys.ts';
import { outward } from '../../src/wire/spoken.ts';
import { ofJobs } from '../../src/wire/status.ts';
import type { CheckpointView, TaskView } from '../../src/wire/tasks.ts';
import type { JobsSummary } from '../../src/work/api.ts';
import { anyCodePoint } from '../support/code-points.ts';
import { eventually, makeSandbox } from '../support/sandbox.ts';

const since = '2026-01-01T00:00:00.000Z';
const call = 'answer_worker {"session_id":"w","request_id":"r","decision":"allow"}';
const denial = call.replace('allow', 'deny');
const need = (change: Partial<AttentionView> = {}): AttentionView => ({
  ...{ session_id: 'w', name: 'ada', waiting_for: 'permission', request_id: 'r', since },
  ...{ title: 'ada wants to run: npm i', detail: 'asks for Bash' },
  ...{ tool: { name: 'Bash', input: { command: 'npm i' }, cwd: '/' }, answer_with: [call, denial] },
  ...change,
});
const asks = (...answer_with: readonly string[]) =>
  need({ waiting_for: 'question', title: 'ada asks: "Which\n one?"', answer_with });
const point: CheckpointView = { planId: 'p', at: 'on_error', job: 'a', why: 'a failed', calls: ['approve_plan {}'] };
const alarm = { session_id: 'w', name: 'ada', at: since, kind: 'blocked', says: 'No key', alarm: true } as const;

const none: Needs = { attention: [], alarms: [], rested: [], taken: [] };
const idle: PlanNews = { checkpoints: [], plans: [], tasks: [] };
const waker = { hasWaiter: () => false, ring: () => false, onWaiter: () => () => undefined };

const planOf = (change: Partial<BriefPlan>): BriefPlan => ({
  ...{ planId: 'p', name: 'shop', state: 'completed', mode: 'autopilot', jobs: {}, nextCalls: [], createdAt: since },
  ...change,
});
const taskOf = (change: Partial<TaskView>): TaskView => ({
  ...{ taskId: 't', title: 'Fix login', state: 'landed', brings: 'commit', kind: 'task', priority: 5, dependsOn: [] },
  ...{ projectPath: '/p', attempts: 1, evidence: { claimed: false, commits: [] }, nextCalls: [], createdAt: since },
  ...change,
});

const linesOf = (needs: Partial<Needs>, points: readonly CheckpointView[] = []) =>
  untoldText(untoldOf({ ...none, ...needs }, { ...idle, checkpoints: points }, () => false))
    ?.split('\n')
    .slice(1);

describe('the text', () => {
  it.each<[string, readonly string[] | undefined, readonly string[] | undefined]>([
    ['nothing', linesOf({}), undefined],
    [
      'a worker that another manager has taken',
      linesOf({ taken: [{ name: 'ada', by: 7, key: 'k' }] }),
      ['- "Another manager (pid 7) has adopted ada": examine_worker {"session_id":"ada"}'],
    ],
    [
      'a permission with the act',
      linesOf({ attention: [need()] }),
      [`- "ada wants to run: npm i": ${call}, or "deny"`],
    ],
    ['a question in quotes', linesOf({ attention: [asks(call)] }), [String.raw`- "ada asks: \"Which one?\"": ${call}`]],
    [
      'no call to allow where the act is cut',
      linesOf({ attention: [need({ title: 'ada wants to run: npm …' })] }),
      ['- "ada wants to run: npm …": crew_status has the call'],
    ],
    [
      'no call where one is too long, or one choice is as good as the next',
      linesOf({ attention: [asks(`${call}${'x'.repeat(200)}`), asks(call, call), asks()] }),
      Array.from({ length: 3 }, () => String.raw`- "ada asks: \"Which one?\"": crew_status has the call`),
    ],
    ['no call that has line ends', linesOf({ attention: [asks('a\nb')] }), [expect.stringMatching(/: crew_status/)]],
    ['a checkpoint', linesOf({}, [point]), ['- "A plan waits for a decision: a failed": approve_plan {}']],
    ['an alarm', linesOf({ alarms: [alarm] }), ['- "ada reports blocked: No key": read_reports {"worker":"w"}']],
    [
      'how many more there are',
      linesOf({ attention: Array.from({ length: 9 }, () => need()) })?.slice(-1),
      ['- and 6 more: crew_status'],
    ],
  ])('has %s', (_, shown, lines) => expect(shown).toEqual(lines));

  it('says of itself that it is no order, and stays short, whatever is asked', () => {
    const words = fc.string({ unit: anyCodePoint, maxLength: 300 });
    const any = fc.record({ title: words, detail: words, answer_with: fc.array(words) }).map(need);
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 12 }), (attention) => {
        const text = untoldText(untoldOf({ ...none, attention }, idle, () => false)) ?? '';
        expect(text.length).toBeLessThanOrEqual(untoldLimit);
        expect(text).toMatch(/^From crewmux, not from your user: it orders nothing/);
      }),
    );
  });

  it('has the end of all work once, and no end from before or while more is under way', () => {
    const [plan, task] = [planOf({}), taskOf({ taskId: 't', state: 'landed' })];
    const at = (time: string) => ({ plans: [{ ...plan, endedAt: time }], tasks: [{ ...task, endedAt: time }] });
    const rest = { checkpoints: [], running: 0, limit: 1 };
    const now = endedSince({ ...rest, ...at('2026-01-01T00:00:02Z') }, Date.parse('2026-01-01T00:00:01Z'));
    const rested = [
      { name: 'ada', key: 'ada idle 1' },
      { name: 'bruno', key: 'bruno idle 2' },
    ];
    const told = new Set<string>();
    const said = () =>
      untoldOf({ ...none, rested }, now, (key) => told.has(key)).map(({ words, call }) => `${words}: ${call}`);
    expect(said()).toEqual([
      'The plan shop is completed: plan_status {"plan_id":"p"}',
      'No task runs: Fix login (landed): list_tasks {}',
      'All are done: ada, bruno: wait_idle_workers {"session_ids":["ada","bruno"]}',
    ]);
    for (const key of shownKeysIn([
      { plan_id: 'p', state: 'completed' },
      { task_id: 't', plan_id: 'p', state: 'landed' },
    ]))
      told.add(key);
    for (const { key } of rested) told.add(key);
    expect(said()).toEqual([]);
    const old = endedSince({ ...rest, ...at('2026-01-01T00:00:00Z') }, Date.parse('2026-01-01T00:00:01Z'));
    const { tasks, plans } = at('2026-01-01T00:00:02Z');
    const busy = endedSince({ ...rest, plans, tasks: [...tasks, taskOf({ taskId: 'u', state: 'running' })] }, 0);
    expect([old.plans, old.tasks, busy.tasks, busy.plans.length]).toEqual([[], [], [], 1]);
  });

  it('leaves out what was told', () => {
    expect(
      untoldOf({ ...none, attention: [need()] }, { ...idle, checkpoints: [point] }, (key) => key === 'w r'),
    ).toMatchObject([{ call: 'approve_plan {}' }]);
  });
});

const hooks = z.object({
  hooks: z.object({
    UserPromptSubmit: z.tuple([z.object({ hooks: z.tuple([z.object({ command: z.string() })]) })]),
  }),
});
const [
  {
    hooks: [{ command }],
  },
] = hooks.parse(JSON.parse(readFileSync('plugin/hooks/hooks.json', 'utf8'))).hooks.UserPromptSubmit;

const sandbox = makeSandbox();
const client = new AbortController();
afterAll(() => sandbox.dispose());

describe('the hook', () => {
  it('prints once what the server keeps for its session, without a process of its own', async () => {
    const path = join(sandbox.dir('untold'), '7');
    const env = { CREWMUX_HOME: sandbox.root, CLAUDE_PID: '7', PATH: '/nowhere' };
    const prompt = (more: object = {}) =>
      execFileSync('/bin/sh', ['-c', command], {
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'inherit'],
        encoding: 'utf8',
      });
    const told = new ShownKeys();
    const listeners = new Set<() => void>();
    let attention: readonly AttentionView[] = [];
    const change = (now: readonly AttentionView[]) => {
      attention = now;
      for (const listen of listeners) listen();
    };
    keepUntold({
      crew: {
        needs: () => ({ ...none, attention }),
        onChange: (listen) => {
          listeners.add(listen);
          return () => listeners.delete(listen);
        },
        jobs: {
          jobsSummary: async () => ({ plans: [], tasks: [], running: 0, limit: 1, checkpoints: [] }),
          onChange: () => () => undefined,
        },
      },
      told,
      place: { path, pid: process.pid, openedAt: 0, waker },
      client: { signal: client.signal, log: { path: '', write: () => undefined } },
    });
    expect(prompt()).toBe('');
    change([need()]);
    await eventually('the need stands in the file', () => existsSync(path));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect([prompt({ CLAUDE_PID: '8' }), prompt({ CREWMUX_WORKER: 'w' }), prompt({ CLAUDE_PID: '' })]).toEqual([
      '',
      '',
      '',
    ]);
    expect(JSON.parse(prompt())).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringContaining(`"ada wants to run: npm i": ${call}`),
      },
    });
    expect(prompt()).toBe('');
    change([need(), need({ request_id: 'second', title: 'ada asks again' })]);
    await eventually('only the new need is in the file', () => /again/.test(readFileSync(path, 'utf8')));
    expect(prompt()).not.toContain('for Bash');
    change([need(), need({ request_id: 'third' })]);
    await eventually('a third need is in the file', () => /npm i/.test(readFileSync(path, 'utf8')));
    told.note(['w third']);
    await eventually('what an answer has told is taken out again', () => !existsSync(path));
    change([need({ request_id: 'fourth' })]);
    await eventually('a fourth need is in the file', () => existsSync(path));
    client.abort();
    expect([existsSync(path), existsSync(shownPath(path))]).toEqual([false, false]);
  });

  it('has the end of a plan and a checkpoint anew where they come again after they were told', async () => {
    const path = join(sandbox.dir('untold'), '9');
    const told = new ShownKeys();
    const client = new AbortController();
    let glance: JobsSummary = { plans: [], tasks: [], running: 0, limit: 1, checkpoints: [] };
    const listeners = new Set<() => void>();
    const becomes = (plan: Partial<BriefPlan>, checkpoints: readonly CheckpointView[] = []) => {
      glance = { ...glance, plans: [planOf(plan)], checkpoints: [...checkpoints] };
      for (const listen of listeners) listen();
    };
    const onChange = (listen: () => void) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    };
    keepUntold({
      crew: { needs: () => none, onChange: () => () => undefined, jobs: { jobsSummary: async () => glance, onChange } },
      told,
      place: { path, pid: process.pid, openedAt: 0, waker },
      client: { signal: client.signal, log: { path: '', write: () => undefined } },
    });
    const says = (words: string) =>
      eventually(`it says: ${words}`, () => existsSync(path) && readFileSync(path, 'utf8').includes(words));
    const paused = { planId: 'p', state: 'paused' } as const;
    for (const ended of [{ state: 'failed' }, { state: 'completed' }] as const) {
      becomes(paused, [point]);
      await says('a failed');
      told.note(shownKeysIn(outward(ofJobs, glance)));
      becomes({ ...ended, endedAt: since });
      await says(`shop is ${ended.state}`);
      told.note(shownKeysIn(outward(ofJobs, glance)));
      await eventually('all is told', () => !existsSync(path));
      // It says when it ended until its driver has taken it up again.
      becomes({ state: 'running', endedAt: since });
      await eventually('its end is past', () => !told.has(endKey('p')));
      expect(existsSync(path)).toBe(false);
    }
    client.abort();
  });

  it('is silent about what a server that is gone has left', () => {
    const path = join(sandbox.dir('untold'), '7');
    const gone = Number(execFileSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
    execFileSync('/bin/sh', ['-c', `printf 'n ${gone}\\nold\\n' >'${path}'`]);
    const env = { CREWMUX_HOME: sandbox.root, CLAUDE_PID: '7', PATH: '/nowhere' };
    expect(execFileSync('/bin/sh', ['-c', command], { env, encoding: 'utf8' })).toBe('');
  });
});
