import { describe, expect, it } from 'vitest';
import { isDone } from '../../src/cli/act.ts';
import { diffWords } from '../../src/cli/diff.ts';
import { messageText, restOf } from '../../src/cli/logs.ts';
import { age, paintsFor } from '../../src/cli/paint.ts';
import { type CrewShown, plainStatus, statusText } from '../../src/cli/status.ts';
import { ago, need, now } from './need.ts';

const plain = paintsFor({ env: {} });

type Shown = CrewShown['workers'][number];

const work = (change: Partial<NonNullable<Shown['work']>> = {}) => ({
  branch: 'Ada-1-cart',
  headSha: 'a'.repeat(40),
  ahead: 0,
  changedFiles: 0,
  ...change,
});

const shown = (change: Partial<Shown['worker']>, more: Partial<Shown> = {}): Shown => ({
  worker: {
    session_id: '0000000a',
    name: 'Ada',
    terminal_id: 'tmux:%1',
    agent_type: 'claude',
    status: 'idle',
    evidence: { source: 'agent', at: ago(1), detail: 'idle' },
    is_idle: true,
    background_tasks: 0,
    project_path: '/shop',
    permission_mode: 'default',
    sandbox: 'off',
    managed_by: { manager: 'pid 1', alive: true, mine: false },
    created_at: ago(900),
    last_activity: ago(90),
    pending_messages: 0,
    restarts: 0,
    source: 'spawned',
    ...change,
  },
  since: now - 90_000,
  conflictsWith: [],
  words: '',
  ...more,
});

const doing = { kind: 'tool', since: ago(1) } as const;

describe('the table', () => {
  const drawn = (table: Partial<CrewShown>, width = 100, paints = plain) =>
    statusText({ workers: [], attention: [], alarms: [], plans: [], tasks: [], ...table }, { now, width, paints });

  it('shows state with reason and age, the marks of the branch, last words, and what waits', () => {
    const words = 'The cart\npage is \u001b[31mdone and all the tests pass on this machine.';
    const conflictsWith = ['Bruno', 'main'];
    const workers = [
      shown({ session_id: '0000000b', name: 'Bruno', status: 'waiting', agent_type: 'codex' }),
      shown({ session_id: '0000000c', name: 'Cleo', status: 'working', progress: 39.6 }),
      shown({
        session_id: '0000000d',
        name: 'Dora',
        status: 'working',
        doing: { ...doing, tool: 'Bash', detail: 'ls' },
      }),
      shown({}, { work: work({ ahead: 2, changedFiles: 3 }), conflictsWith, words }),
    ];
    expect(drawn({ workers, attention: [need()] })).toMatchInlineSnapshot(`
      "  NAME   AGENT   STATE                      AGE    BRANCH                     LAST WORDS
      ! Bruno  codex   permission: run: npm test  41 s   -
        Cleo   claude  working 40%                1 min  -
        Dora   claude  working: Bash ls           1 min  -
        Ada    claude  idle                       1 min  Ada-1-cart +2 *3 !Bruno,…  The cart page is [31…

      One thing waits for somebody: \`crewmux answer\` shows and answers.
      "
    `);
  });

  it('as lines it has each worker once, who needs somebody by a word, and the marks in words', () => {
    const usage = { input_tokens: 1_000, output_tokens: 400, cache_tokens: 32_000, context_left: 0.83 };
    const words = 'The cart\npage is \u001b[31mdone.';
    const workers = [
      shown({ session_id: '0000000b', name: 'Bruno', status: 'waiting', agent_type: 'codex' }),
      shown({}, { work: work({ ahead: 1, changedFiles: 3 }), conflictsWith: ['Bruno', 'main'], words, usage }),
      shown({ session_id: '0000000c', name: 'Cleo', status: 'dead' }),
    ];
    const table = { workers, attention: [need()], alarms: [], plans: [], tasks: [], schedules: ['each day'] };
    expect(plainStatus(table, now)).toMatchInlineSnapshot(`
      "1 idle, 1 waiting, 1 dead
      needs you: Bruno: permission: run: npm test for 41 s; codex
      Ada: idle for 1 min; claude; 33.4k tokens, window 17% full; branch Ada-1-cart; 1 commit ahead; 3 files not committed; would conflict with Bruno, main; The cart page is [31mdone.
      needs you: Cleo: dead: idle for 1 min; claude
      One thing waits for somebody: \`crewmux answer\` shows and answers.
      schedule: each day
      "
    `);
    const none = { workers: [], attention: [], alarms: [], plans: [], tasks: [] };
    expect(plainStatus(none, now)).toBe('No workers here.\n');
  });

  it('shows a worker whose last report calls for somebody first, with its words and what to do', () => {
    const alarm = { session_id: '0000000a', name: 'Ada', at: ago(5), kind: 'needs_review', says: 'Is\nit right?' };
    expect(drawn({ workers: [shown({})], alarms: [{ ...alarm, alarm: true }] })).toMatchInlineSnapshot(`
      "  NAME  AGENT   STATE                      AGE  BRANCH  LAST WORDS
      ! Ada   claude  needs review: Is it righ…  5 s  -

      Ada waits for a word: \`crewmux message\` sends one.
      "
    `);
  });

  it('shows plans and tasks that have not ended well below the workers, also where nobody works', () => {
    const plan = { planId: 'p1', name: 'shop', mode: 'copilot', nextCalls: [], createdAt: ago(9) } as const;
    const at = { planId: 'p1', at: 'pre_merge', job: 'api', why: 'api is done, and\nwould land', calls: [] } as const;
    const task = {
      kind: 'task',
      brings: 'commit',
      priority: 5,
      dependsOn: [],
      projectPath: '/shop',
      attempts: 1,
      nextCalls: [],
    } as const;
    const more = { ...task, evidence: { claimed: false, commits: [] }, createdAt: ago(9) };
    const text = drawn({
      paused: { since: ago(60) },
      loops: [
        { says: 'loop l1: iteration 3 of 10, running plan shop', nextCalls: [] },
        { says: 'loop l2: iteration 4 of 10, paused', nextCalls: ['run_loop {"action":"resume"}'] },
      ],
      plans: [
        { ...plan, state: 'running', jobs: { landed: 2, landing: 1 }, checkpoint: at },
        { ...plan, name: 'old', state: 'completed', jobs: { landed: 2 }, endedAt: ago(1) },
      ],
      tasks: [
        {
          ...more,
          taskId: 't1',
          title: 'Fix login',
          state: 'running',
          worker: { sessionId: '0000000a', name: 'Ada' },
          progress: 40,
        },
        { ...more, taskId: 't2', title: 'Tidy', state: 'failed', reason: 'no\nway', endedAt: ago(1) },
        { ...more, taskId: 't3', title: 'Look', state: 'queued', held: true },
        { ...more, taskId: 't4', title: 'Past', state: 'done', endedAt: ago(1) },
      ],
    });
    expect(text).toMatchInlineSnapshot(`
      "No workers here.

      paused since 2026-05-01T11:59:00.000Z: no task starts, and nothing lands
      loop l1: iteration 3 of 10, running plan shop
      loop l2: iteration 4 of 10, paused; crewmux loop resume
      plan shop: running, 2 landed, 1 landing; it waits at pre merge: api is done, and
      task Fix login: running 40% (Ada)
      task Tidy: failed: no
      task Look: not started yet
      "
    `);
  });

  it('is as wide as the terminal, and cuts the last words first', () => {
    const workers = [shown({}, { work: work({ branch: 'b'.repeat(90), ahead: 1 }), words: 'x'.repeat(300) })];
    const lines = drawn({ workers, attention: [] }, 120).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBe(119);
    expect(lines[1]).toMatch(/bbb… \+1 /);
  });

  it('shows a name of wide signs whole', () => {
    expect(drawn({ workers: [shown({ name: '日本語日本' })] })).toContain(' 日本語日本  claude');
  });

  it('has colours on a terminal alone, and none where NO_COLOR is set or the terminal is dumb', () => {
    const table = { workers: [shown({ status: 'dead' })], attention: [] };
    const on = (columns: number | undefined, env: Readonly<Record<string, string>>) =>
      drawn(table, 100, paintsFor({ env, ...(columns === undefined ? {} : { columns }) })).includes('\u001b');
    expect([on(80, {}), on(80, { NO_COLOR: '' })]).toEqual([true, true]);
    expect([on(80, { NO_COLOR: '1' }), on(80, { TERM: 'dumb' }), on(undefined, {})]).toEqual([false, false, false]);
  });
});

it.each([
  [{ success: true }, true],
  [{ success: false, results: {} }, false],
  [{ success_count: 1, failure_count: 1 }, false],
  [{ sessions: [], failed: [{ name: 'Ada' }] }, false],
  [{ session_ids: [], failure_count: 0 }, true],
])('the answer %j is done: %s', (structured, done) => {
  expect(isDone(structured)).toBe(done);
});

it.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3 * 3_600_000, '3 h'],
  [50 * 3_600_000, '2 d'],
  [-5, '0 s'],
])('%d ms are %s', (ms, words) => {
  expect(age(ms)).toBe(words);
});

it('a message that grows is written on, and one that became another is not written again', () => {
  const message = { index: 0, role: 'user' as const, timestamp: ago(1), content: 'one\u001b[2J\ntwo' };
  const text = messageText(message, plain);
  expect(text).toMatch(/^> user \d\d:\d\d:\d\d\n {2}one\[2J\n {2}two\n$/);
  const more = messageText({ ...message, tool_uses: [{ name: 'Bash', input: 'ls\n-l' }] }, plain);
  expect([restOf(text, undefined), restOf(more, text), restOf('else', text)]).toEqual([text, '  Bash ls -l\n', '']);
  const failed = [{ name: 'Bash', input: 'ls\n-l', failure: 'exit 2: \u001b[2Jno' }];
  const last = messageText({ ...message, tool_uses: failed }, plain);
  expect([restOf(last, more), restOf(last, last)]).toEqual(['  Bash ls -l → exit 2: [2Jno\n', '']);
});

it('a diff goes to a program as it is, and to a terminal without what it would obey', () => {
  const diff = 'diff --git a/x b/x\n+\tone\u001b[31m \n-two\n';
  const result = {
    session_id: '0000000a',
    branch: 'b',
    base: { ref: 'main', commit: 'c' },
    uncommitted_files: 0,
    files: [],
    file_count: 1,
    additions: 1,
    deletions: 1,
    diff,
  };
  const head = 'b since main: 1 file, +1 -1, 0 not committed\n\n';
  expect(diffWords(result, { paints: plain, isTerminal: false })).toBe(`${head}${diff}`);
  expect(diffWords(result, { paints: plain, isTerminal: true })).toBe(
    `${head}${diff.replace('\t', '  ').replace('\u001b', '')}`,
  );
});

it('a worker that has used something shows it before its branch: tokens first, money second', () => {
  const usage = { input_tokens: 1_000, output_tokens: 400, cache_tokens: 32_000, context_left: 0.83 };
  const limits = [{ window: '5h', used: 0.42, resets_at: ago(0) }];
  const cost = { usd: 0.028, source: 'estimate' as const };
  const table = {
    workers: [shown({}, { usage: { ...usage, limits, cost } })],
    attention: [],
    alarms: [],
    plans: [],
    tasks: [],
  };
  const text = statusText(table, { now, width: 200, paints: plain });
  expect(text).toMatch(/AGE +USED +BRANCH/);
  expect(text).toContain('33.4k tokens · window 17% full · 5h 42% · ~$0.03');
});
