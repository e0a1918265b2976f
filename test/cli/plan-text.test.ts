import { expect, it } from 'vitest';
import { paintsFor } from '../../src/cli/paint.ts';
import { plainPlan, planText } from '../../src/cli/plan-text.ts';
import { rowsToCopy, wholeLines } from '../../src/cli/rows-to-copy.ts';
import type { BriefPlan, WholePlan } from '../../src/wire/plans.ts';
import type { CheckpointView, TaskView } from '../../src/wire/tasks.ts';

const plain = paintsFor({ env: {} });
const drawn = (status: Parameters<typeof planText>[0], width = 110) =>
  planText(status, { width, paints: plain, program: 'crewmux' });
const at = '2026-01-01T00:00:00.000Z';

const job = (name: string, change: Partial<TaskView> = {}): TaskView => ({
  taskId: `t-${name}`,
  name,
  state: 'queued',
  kind: 'job',
  brings: 'commit',
  priority: 5,
  dependsOn: [],
  projectPath: '/shop',
  planId: 'p1',
  attempts: 0,
  evidence: { claimed: false, commits: [] },
  nextCalls: [],
  createdAt: at,
  ...change,
});

const checkpoint: CheckpointView = {
  planId: 'p1',
  at: 'on_error',
  job: 'page',
  why: 'page: changes docs/a.md, which is outside of src/page/',
  calls: [
    'approve_plan {"plan_id":"p1","checkpoint":"on_error","action":"accept","job":"page"}',
    'approve_plan {"plan_id":"p1","checkpoint":"on_error","action":"relaunch","job":"page","prompt":"what it is to do"}',
    'diff_worker {"session_id":"0000000b"}',
    'edit_plan {"plan_id":"p1","skip":[]}',
  ],
};

const ada = { sessionId: '0000000a', name: 'Ada' };
const bo = { sessionId: '0000000b', name: 'Bo' };

const whole: WholePlan = {
  ...{ planId: 'p1', name: 'shop', state: 'running', mode: 'supervisor', goal: 'A shop.\nWith a cart.' },
  ...{ base: { ref: 'main', sha: 'a'.repeat(40) }, integrationBranch: 'crewmux/shop-p1' },
  ...{
    waves: [['api', 'page', 'docs'], ['test']],
    criticalPath: ['api', 'test'],
    conflicts: [],
    tests: [],
    mermaid: '',
  },
  jobs: [
    job('api', {
      state: 'landed',
      worker: ada,
      evidence: { claimed: true, commits: ['b'.repeat(40)], landedAt: 'c'.repeat(40) },
    }),
    job('page', {
      state: 'landing',
      worker: bo,
      evidence: { claimed: true, commits: ['d'.repeat(40), 'e'.repeat(40)] },
      reason: 'it left\nits paths',
    }),
    job('docs', { state: 'running', worker: ada, progress: 60 }),
    job('test', { dependsOn: ['api', 'page'], reason: 'waits for page' }),
  ],
  nextCalls: ['wait_tasks {"plan_id":"p1"}'],
  usage: { inputTokens: 900, outputTokens: 100, cacheTokens: 11_000, cost: { usd: 1.5, source: 'agent' } },
};

it('a plan shows its head, what it waits for with the words that clear it, and each wave of jobs', () => {
  expect(drawn({ ...whole, checkpoint, nextCalls: checkpoint.calls })).toMatchInlineSnapshot(`
    "shop [p1] is running (supervisor), 12.0k tokens · $1.50 so far
      A shop.
      begun from main; jobs land on crewmux/shop-p1
          git log --oneline aaaaaaaaaaaa..crewmux/shop-p1
      ! on error: page: changes docs/a.md, which is outside of src/page/
          crewmux plan approve p1 --at on_error --action accept --job page
          crewmux plan approve p1 --at on_error --action relaunch --job page --prompt 'what it is to do'
          crewmux diff 0000000b
          ask your manager to change the plan
    wave 1
      landed     api                Ada · landed as cccccccccccc
      landing    page               Bo · 2 commits, newest dddddddddddd · it left
      running    docs               60% · Ada
    wave 2
      queued     test               after api, page · waits for page
    "
  `);
});

it('as lines it has no columns and no signs, and each job says what it is', () => {
  expect(plainPlan({ ...whole, checkpoint, nextCalls: checkpoint.calls }, 'crewmux')).toMatchInlineSnapshot(`
    "shop [p1] is running (supervisor), 12.0k tokens, $1.50 so far
    A shop.
    begun from main; jobs land on crewmux/shop-p1
    git log --oneline aaaaaaaaaaaa..crewmux/shop-p1
    needs you: on error: page: changes docs/a.md, which is outside of src/page/
    crewmux plan approve p1 --at on_error --action accept --job page
    crewmux plan approve p1 --at on_error --action relaunch --job page --prompt 'what it is to do'
    crewmux diff 0000000b
    ask your manager to change the plan
    wave 1
    api: landed; Ada; landed as cccccccccccc
    page: landing; Bo; 2 commits, newest dddddddddddd; it left
    docs: running; 60%; Ada
    wave 2
    test: queued; after api, page; waits for page
    "
  `);
  const goal = '! on error\u001b[1m: pay';
  const lines = plainPlan({ ...whole, goal }, 'crewmux').split('\n');
  // What a worker or a goal says is never taken for a need.
  expect(lines).toContain('! on error[1m: pay');
  expect(lines.filter((line) => line.startsWith('needs you'))).toEqual([]);
});

it('a plan that has not begun shows its planner, its warnings, and who knows of the others', () => {
  const proposed = { ...whole, state: 'proposed', planner: ada, warnings: ['api and page both change src/.'] } as const;
  const lines = drawn(proposed).split('\n');
  expect(lines).toContain('  its planner is Ada');
  expect(lines).toContain('  Warning: api and page both change src/.');
  const others = '  What else may hold it up, such as a login or a missing test command, only your manager is shown.';
  expect(lines).toContain(others);
  expect(drawn(whole)).not.toContain(others);
});

it('without a checkpoint it shows the next words of each job, and else those of the plan', () => {
  const tailOf = (status: WholePlan) => drawn(status).split('\n').slice(-4);
  expect(tailOf(whole).at(-2)).toBe('next: crewmux plan p1 --watch');
  const failed = job('page', {
    state: 'failed',
    nextCalls: ['approve_plan {"plan_id":"p1","action":"retry","job":"page"}'],
  });
  expect(tailOf({ ...whole, jobs: [failed] })).toMatchInlineSnapshot(`
    [
      "wave 2",
      "next, for page",
      "      crewmux plan approve p1 --action retry --job page",
      "",
    ]
  `);
});

const brief: BriefPlan = {
  ...{ planId: 'p1', name: 'shop', state: 'running', mode: 'supervisor' },
  ...{ jobs: { landed: 1, queued: 2 }, nextCalls: [], createdAt: at },
};

it('all plans are shown briefly, each with what it waits for', () => {
  expect(
    drawn({
      plans: [
        { ...brief, checkpoint },
        { ...brief, name: 'docs', reason: 'no\nroom' },
      ],
    }),
  ).toMatchInlineSnapshot(`
    "shop [p1] is running (supervisor): 1 landed, 2 queued
      ! on error: page: changes docs/a.md, which is outside of src/page/
          crewmux plan approve p1 --at on_error --action accept --job page
    docs [p1] is running (supervisor): 1 landed, 2 queued
        no
    "
  `);
  expect(drawn({ plans: [] })).toBe('No plans here.\n');
});

it('a command is whole whatever the width, and in the name by which the program was started', () => {
  const [call = ''] = checkpoint.calls;
  const text = planText({ plans: [{ ...brief, checkpoint }] }, { width: 30, paints: plain, program: 'npx -y crewmux' });
  expect(call).toContain('accept');
  expect(text).toContain('\n      npx -y crewmux plan approve p1 --at on_error --action accept --job page\n');
});

it.each([
  ['      crewmux plan p1 --watch', 30, ['      crewmux plan p1 --watch']],
  [
    "  crewmux message a 'go on' && crewmux message b 'it''s'",
    36,
    ["  crewmux message a 'go on' && \\", "      crewmux message b 'it''s'"],
  ],
  ["  crewmux message a 'one word that has no room'", 30, ['  … too wide for this ', 'terminal: look without --watch']],
])('%j in %d columns is whole in all its rows, or is not there', (line, width, rows) => {
  expect(rowsToCopy(line, width)).toEqual(rows);
});

it('rows that belong together stand together, or are counted', () => {
  const lines = [['a'], ['b', 'c'], ['d']];
  expect([4, 3, 2].map((room) => wholeLines(lines, room))).toEqual([
    ['a', 'b', 'c', 'd'],
    ['a', '… 3 more lines'],
    ['a', '… 3 more lines'],
  ]);
});

it('no line is wider than the terminal, and none holds what a terminal obeys', () => {
  const text = drawn({ ...whole, goal: `\u001b]52;c;x\u0007${'x'.repeat(200)}` }, 60);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBe(60);
  expect(text).not.toContain('\u001b');
});
