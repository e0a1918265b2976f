// A crew of cardboard for tests of the edge: answers at once, waits when told to, and keeps a diary.
import type { CallContext, Crew } from '../../src/crew/api.ts';
import { CrewError } from '../../src/model/errors.ts';
import type { SpawnResult } from '../../src/wire/starting.ts';
import type { WorkerView } from '../../src/wire/worker.ts';

export const ada: WorkerView = {
  session_id: 'aaaa0001',
  name: 'ada',
  terminal_id: 'tmux:%1',
  agent_type: 'claude',
  status: 'idle',
  evidence: { source: 'agent', at: '2026-01-01T00:00:00.000Z', detail: 'state file says idle' },
  is_idle: true,
  turn: { id: 't1', started_at: '2026-01-01T00:00:00.000Z', ended_by: 'completed' },
  background_tasks: 0,
  project_path: '/project/.worktrees/ada',
  main_repo_path: '/project',
  worktree_path: '/project/.worktrees/ada',
  branch: 'ada',
  base: { ref: 'HEAD', sha: '0'.repeat(40) },
  permission_mode: 'default',
  sandbox: 'off',
  agent_session_id: '00000000-0000-4000-8000-000000000000',
  transcript_path: '/home/claude/projects/project/0.jsonl',
  tmux: { socket: 'crewmux', session: 'crew-project', window: '@1', attach: 'tmux -L crewmux attach -t =crew-project' },
  managed_by: { manager: '1', alive: true, mine: true },
  created_at: '2026-01-01T00:00:00.000Z',
  last_activity: '2026-01-01T00:00:00.000Z',
  pending_messages: 0,
  restarts: 0,
  source: 'spawned',
};

const spawnResult = (count: number, warnings: readonly string[] = []): SpawnResult => ({
  sessions: Array.from({ length: count }, () => ada),
  layout: 'auto',
  count,
  coordinator_guidance: 'Wait for them.',
  failed: [],
  warnings,
});

/** `note` gets one line for each thing that happens to the crew. Workers named `boom` and `nobody` make it throw. */
export const stubCrew = (note: Note, { disposeMs = 0 } = {}): Crew => ({
  ...spawning(note),
  ...branching(),
  ...looking(note),
  ...talking(note),
  ...watching(note),
  async dispose() {
    await new Promise((resolve) => setTimeout(resolve, disposeMs));
    note('disposed');
  },
});

type Note = (line: string) => void;
type Part<Name extends keyof Crew> = Pick<Crew, Name>;

const spawning = (
  note: Note,
): Part<'spawn' | 'restart' | 'close' | 'adopt' | 'annotate' | 'merge' | 'diff' | 'conflicts' | 'setPermissions'> => ({
  async spawn({ workers, layout }, call) {
    note(`spawn ${JSON.stringify({ workers, layout: layout ?? null, clientRoot: call.clientRoot ?? null })}`);
    return spawnResult(workers.length);
  },
  restart: async ({ session_ids }) => spawnResult(session_ids.length),
  async close({ session_ids, force }) {
    note(`close force=${force}`);
    const closed = { success: true, worktree: 'removed', branch: 'ada' } as const;
    const results = Object.fromEntries(session_ids.map((id) => [id, closed]));
    return { session_ids, results, success_count: session_ids.length, failure_count: 0 };
  },
  adopt: async () => ({ success: true, message: 'Adopted.', session: ada }),
  async setPermissions(request) {
    note(`rules ${JSON.stringify(request)}`);
    const rules = { allow: request.allow ?? [], ask: request.ask ?? [], deny: request.deny ?? [] };
    const workers = [{ session_id: ada.session_id, name: 'ada', holds: 'within_3_seconds' as const }];
    return { scope: request.scope, rules, in_effect: rules, changed: true, workers, not_enforced_by: [] };
  },
  conflicts: async () => ({ pairs: [], against_base: [] }),
  diff: async ({ session_id }) => ({
    session_id,
    branch: 'ada',
    base: { ref: 'main', commit: '0'.repeat(40) },
    uncommitted_files: 0,
    files: [],
    file_count: 0,
    additions: 0,
    deletions: 0,
    diff: '',
  }),
  async merge({ session_id, dry_run }) {
    note(`merge dry_run=${dry_run}`);
    return {
      success: true,
      session_id,
      outcome: dry_run ? 'dry_run' : 'landed',
      target: 'main',
      branch: 'ada',
      from_commit: '0'.repeat(40),
      to_commit: '1'.repeat(40),
      strategy: 'squash',
      leftovers_committed: 0,
      tests: { status: 'none', command: null, output: '' },
      conflicts: [],
      files: [],
      file_count: 0,
      checkout: 'updated',
    };
  },
  annotate: async ({ session_id, annotation }) => ({ success: true, session_id, annotation }),
});

const branching = (): Part<'sync' | 'propose'> => ({
  sync: async ({ session_id, strategy = 'rebase' }) => ({
    ...({ success: true, session_id, outcome: 'synced', strategy, branch: 'ada' } as const),
    ...{ from: 'main', from_commit: '1'.repeat(40), before: '0'.repeat(40), after: '2'.repeat(40) },
    ...{ commits_replayed: 1, conflicts: [], backup_ref: 'refs/crewmux/before-sync/aaaa0001/20260101T000000Z' },
  }),
  propose: async ({ session_id, title = 'Cart' }) => ({
    ...{ success: true, session_id, url: 'https://github.com/acme/app/pull/1', branch: 'ada', remote: 'origin' },
    ...{
      base: 'main',
      title,
      body_path: '/home/pull-request.md',
      commits: 1,
      pushed: true,
      existing: false,
      missing: [],
    },
  }),
});

const looking = (
  note: Note,
): Part<
  'list' | 'examine' | 'discover' | 'logs' | 'screen' | 'reports' | 'worktrees' | 'cleanup' | 'restore' | 'trackerHelp'
> => ({
  async list({ include_closed, status_filter }) {
    note(`list ${JSON.stringify({ include_closed, status_filter: status_filter ?? null })}`);
    const workers = Array.from({ length: include_closed ? 300 : 1 }, () => ada);
    return { workers, count: workers.length, attention: [] };
  },
  async examine({ session_id, screen_lines }) {
    meet(session_id, note);
    const messages = { total_messages: 2, user_messages: 1, assistant_messages: 1 };
    return {
      ...ada,
      conversation_stats: { ...messages, last_user_prompt: 'Do it.', last_assistant_preview: 'Done.' },
      usage: { input_tokens: 1, output_tokens: 2, cache_tokens: 3 },
      git: null,
      attention: null,
      ...(screen_lines > 0 ? { screen: 'x\n'.repeat(screen_lines) } : {}),
    };
  },
  discover: async () => ({ sessions: [], count: 0, unmanaged_count: 0 }),
  async logs({ session_id }) {
    meet(session_id, note);
    const page = { total_pages: 1, page_size: 5, pages_returned: 1, offset: 0, start_index: 0, end_index: 1 };
    return {
      session_id,
      messages: [{ index: 0, role: 'assistant', content: '語'.repeat(200_000), timestamp: ada.created_at }],
      page_info: { ...page, total_messages: 1, messages_returned: 1 },
    };
  },
  async screen({ session_id, lines = 1 }) {
    return { session_id, screen: 'x\n'.repeat(lines), truncated: false, changed: true, token: 'k' };
  },
  reports: async () => ({ reports: [], count: 0 }),
  worktrees: async ({ repo_path }) => ({ repo_path, worktrees: [], total: 0, orphan_count: 0, removed_count: 0 }),
  cleanup: async ({ dry_run }) => ({ worktrees: [], removed_count: 0, dry_run }),
  restore: async () => ({ salvages: [], count: 0 }),
  trackerHelp: async (_, call) => ({
    tracker: null,
    cli: null,
    help: call.clientRoot ?? 'no root',
    quick_commands: {},
    worker_tip: '',
  }),
});

const talking = (note: Note): Part<'message' | 'interrupt' | 'answer'> => ({
  answer: async ({ session_id, request_id, decision }) => ({
    ...{ success: true, session_id, request_id: request_id ?? 'e0000001', decision },
    ...({ via: 'hook', status: 'working' } as const),
    evidence: ada.evidence,
  }),
  async message(request) {
    note(`message ${JSON.stringify({ ...request, message: request.message.length })}`);
    const outcome = { success: true, verdict: 'submitted', turn: { id: 't2' }, evidence: ada.evidence } as const;
    const results = Object.fromEntries(request.session_ids.map((id) => [id, outcome]));
    return { success: true, session_ids: request.session_ids, results };
  },
  async interrupt({ session_ids }) {
    const outcome = { success: true, outcome: 'interrupted', detail: 'turn ended' } as const;
    return { session_ids, results: Object.fromEntries(session_ids.map((id) => [id, outcome])), success: true };
  },
});

const watching = (note: Note): Part<'checkIdle' | 'wait' | 'changes' | 'status' | 'doctor'> => ({
  doctor: async () => ({ status: 'ok', findings: [{ check: 'git', status: 'ok', detail: 'git 2.39' }] }),
  checkIdle: async ({ session_ids }) => ({
    session_ids,
    idle: Object.fromEntries(session_ids.map((id) => [id, true])),
    all_idle: true,
    idle_count: session_ids.length,
    busy_count: 0,
    attention: [],
  }),
  async wait({ session_ids, mode, timeoutSeconds }, call) {
    note(`wait ${timeoutSeconds} s of ${call.maxWaitMs} ms`);
    for (let tick = 0; tick < 3; tick++) call.progress(`tick ${tick}`);
    if (timeoutSeconds > 0) await aborted(call, note);
    const idle = { idle_session_ids: session_ids, all_idle: true, waiting_on: [], attention: [] };
    return { session_ids, ...idle, mode, waited_seconds: 0, timed_out: false, cursor: 'c1' };
  },
  changes: async () => ({
    events: [{ seq: 1, ts: ada.created_at, type: 'worker_idle', worker_id: ada.session_id, data: { odd: [1] } }],
    summary: { started: [], completed: ['ada'], stuck: [], attention: [] },
    active_count: 0,
    idle_count: 1,
    poll_ts: ada.created_at,
    cursor: 'c2',
  }),
  status: async () => ({
    workers: { starting: [], idle: [], working: [], waiting: [], dead: [], closed: [] },
    attention: [],
    counts: { starting: 0, idle: 0, working: 0, waiting: 0, dead: 0, closed: 0 },
    recent: [],
    conflicts: [],
    escapes: [],
    failures: [],
    reports: [],
    tasks: [],
    cost_usd: null,
    tokens: { input: 0, output: 0, cache: 0 },
    suggested_calls: [],
    attach: null,
  }),
});

function meet(ref: string, note: Note): void {
  note(`asked for ${ref}`);
  if (ref === 'boom') throw new TypeError('the floor gave way');
  if (ref === 'nobody') throw new CrewError('unknown_worker', 'No worker named "nobody".', 'Call list_workers.');
}

const aborted = (call: CallContext, note: Note) =>
  new Promise<void>((resolve) => {
    call.signal.addEventListener('abort', () => {
      note('wait aborted');
      resolve();
    });
  });
