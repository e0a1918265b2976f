import { expect, it } from 'vitest';
import { outcomeText } from '../../src/cli/outcome-text.ts';

const reader = { records: [{ id: 'a1b2c3d4', name: 'Ada' }], program: 'crewmux' };
const said = (tool: string, structured: Readonly<Record<string, unknown>>) =>
  outcomeText({ tool, text: `${tool} {"session_ids":["a1b2c3d4"]}`, structured }, reader);
const evidence = { source: 'us', at: '2026-01-01T00:00:00.000Z', detail: 'typed' };

const landing = {
  ...{ success: false, session_id: 'a1b2c3d4', outcome: 'conflict', target: 'main', branch: 'Ada/cart' },
  ...{ from_commit: 'f'.repeat(40), to_commit: 'f'.repeat(40), strategy: 'squash', leftovers_committed: 0 },
  ...{ tests: { status: 'none', command: null, output: '' }, files: [], file_count: 0, checkout: 'none' },
  conflicts: [
    {
      file: 'cart.ts',
      ours: [{ sha: 'a'.repeat(40), subject: 'Add a cart' }],
      theirs: [{ sha: 'b'.repeat(40), subject: 'Fix\nlogin', owner: 'Bruno' }],
    },
    { file: 'page.ts', ours: [], theirs: [] },
  ],
  reason: 'Ada/cart and main do not agree on 2 files; main was not touched.',
};

it('a merge that conflicts names each file and whose change it is, and the word that has it solved', () => {
  expect(said('merge_worker', landing)).toMatchInlineSnapshot(`
    "Ada/cart and main do not agree on 2 files; main was not touched.
      cart.ts
        Ada/cart: aaaaaaaaaaaa "Add a cart"
        main: bbbbbbbbbbbb "Fix login" of Bruno
      page.ts
        Ada/cart: no commit is known
        main: no commit is known
    \`crewmux merge Ada --send-back\` has Ada solve this."
  `);
  const sentBack = { success: true, verdict: 'queued', turn: null, evidence };
  const text = said('merge_worker', { ...landing, sent_back: sentBack });
  expect(text.split('\n').at(-1)).toBe('Sent back to Ada: queued (us: typed)');
});

it('a merge whose tests fail shows the end of what they said', () => {
  const output = `${Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')}\n`;
  const tests = { status: 'failed', command: 'npm test', output, path: '/log' };
  const text = said('merge_worker', { ...landing, conflicts: [], outcome: 'checks_failed', tests });
  expect(text).toContain('\n    line 28\n');
  expect(text).toMatch(/line 39\nAll that the tests printed is in \/log$/);
  expect(text).not.toContain('line 27');
});

const worker = {
  ...{ session_id: 'a1b2c3d4', name: 'Ada', agent_type: 'claude', status: 'idle', evidence, is_idle: true },
  ...{ project_path: '/shop', sandbox: 'off' },
};
const started = {
  ...{ sessions: [worker], attach: null, layout: 'auto', count: 1, failed: [], warnings: [] },
  coordinator_guidance: 'wait_idle_workers {"session_ids": ["Ada"]} returns when they are done.',
};

it('a start offers the word that waits for all of them, as a shell reads it', () => {
  const sessions = [worker, { ...worker, name: 'Bo of Bath' }];
  expect(
    said('spawn_workers', { ...started, sessions })
      .split('\n')
      .at(-1),
  ).toBe("`crewmux wait Ada 'Bo of Bath'` waits for the end.");
});

it('a restart says who runs again and what a person does next, and nothing for a manager', () => {
  const failed = [{ name: 'Bo', step: 'pane', error: 'No pane.', hint: 'Call list_workers for ids and names.' }];
  expect(said('restart_workers', { ...started, failed })).toMatchInlineSnapshot(`
    "Ada: restarted, and idle (us: typed)
    Bo: not restarted. No pane. Run \`crewmux status\` for ids and names.
    \`crewmux message\` gives more to do; nobody goes on without."
  `);
  const waiting = { ...worker, status: 'waiting', waiting_for: 'plan_approval', is_idle: false };
  expect(said('restart_workers', { ...started, sessions: [waiting] })).toMatchInlineSnapshot(`
    "Ada: restarted, and waiting for plan approval (us: typed)
    \`crewmux answer\` shows what waits, and answers."
  `);
});

it('an outcome of a message, a close and an answer has the name of the worker and the words of a person', () => {
  const held = { success: false, verdict: 'held', turn: null, evidence, hint: 'Look at it with read_worker_screen.' };
  expect(said('message_workers', { success: false, session_ids: [], results: { a1b2c3d4: held } })).toBe(
    'Ada: held (us: typed) Look at it with `crewmux attach`.',
  );
  const warning = 'It works. Wait for it with wait_tasks.';
  const kept = { success: false, worktree: 'kept', branch: 'b', warning };
  expect(said('close_workers', { session_ids: [], results: { ada: kept }, success_count: 0, failure_count: 1 })).toBe(
    'ada: not closed, worktree kept, branch b. It works. Wait for it with `crewmux status --watch`.',
  );
  const answer = { success: true, session_id: 'a1b2c3d4', request_id: 'r', decision: 'allow', via: 'hook', evidence };
  expect(said('answer_worker', { ...answer, status: 'working' })).toBe('Ada: allow taken; it is working (us: typed)');
});

it('a changed plan shows the words that bring it further, each once', () => {
  const plan = {
    ...{ plan_id: 'p1', name: 'shop', state: 'running', mode: 'copilot', integration_branch: 'crewmux/shop' },
    ...{ jobs: {}, waves: [], critical_path: [], conflicts: [], mermaid: '', created_at: evidence.at },
    ...{ warnings: ['It asks, and waits: wait_tasks tells.'] },
    next_calls: ['wait_tasks {"plan_id":"p1"}', 'wait_tasks {"plan_id":"p1"}', 'edit_plan {"plan_id":"p1"}'],
  };
  expect(said('approve_plan', plan)).toMatchInlineSnapshot(`
    "shop [p1] is running; its branch is crewmux/shop.
    Warning: It asks, and waits: \`crewmux status --watch\` tells.
        crewmux plan p1 --watch
        ask your manager to change the plan"
  `);
});

it('a schedule shows when it runs, how its last run went, and the word that lets it go on', () => {
  const schedule = {
    ...{ id: 's1', cron: '0 3 * * *', timezone: 'UTC', task: { title: 'Nightly' }, check: 'make due', missed: 2 },
    ...{
      enabled: false,
      next_runs: [],
      paused_because: '3 runs in a row failed',
      runs_only_while: 'a server or crewmux keep lives',
    },
    last_run: { at: evidence.at, outcome: 'nothing_to_do', reason: 'its check ended with 1' },
  };
  expect(
    said('schedule_task', { id: 's1', schedules: [schedule] }).replaceAll(evidence.at, 'THEN'),
  ).toMatchInlineSnapshot(`
    "s1  0 3 * * * (UTC)  task Nightly
      not enabled: 3 runs in a row failed
      if make due
      last THEN: nothing to do (its check ended with 1)
      missed 2
      \`crewmux schedule enable s1\` lets it go on.
    They run only while a server lives, a session with crewmux in this project, or \`crewmux keep\`."
  `);
  expect(said('schedule_task', { id: 's1', schedules: [] })).toBe('Removed.');
});

it('a tool whose answer has another form than expected is told in its own words, without its calls', () => {
  expect(said('restart_workers', {})).toBe('`crewmux restart a1b2c3d4`');
  expect(said('annotate_worker', {})).toBe('ask your manager');
});

it('a loop shows its state, its plans, and the words that go on with it', () => {
  const plans = [{ plan_id: 'p1', name: 'Shop\n(1)', state: 'completed' }];
  const next = ['resume', 'stop'].map((action) => `run_loop ${JSON.stringify({ action, project_path: '/p' })}`);
  const calls = [...next, 'open_pull_request {"plan_id":"p1"}'];
  const loop = {
    loop_id: 'l1',
    state: 'paused',
    iteration: 1,
    plans,
    reason: 'It landed\nnothing.',
    next_calls: calls,
  };
  expect(said('run_loop', loop)).toMatchInlineSnapshot(`
    "loop l1 on crewmux/loop-l1: paused, iteration 1
      It landed nothing.
      plan Shop (1) [p1]: completed
        crewmux loop resume
        crewmux loop stop
        ask your manager to open a pull request"
  `);
});
