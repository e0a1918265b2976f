// A crew of cardboard for tests of the edge: answers at once, waits when told to, and keeps a diary.
import type { Crew, Examiner, PlanBranch, Run } from '../../src/crew/api.ts';
import { CrewError } from '../../src/model/errors.ts';
import type { SpawnResult } from '../../src/wire/starting.ts';
import { ada } from './ada.ts';

export { ada };

const spawnResult = (count: number, warnings: readonly string[] = []): SpawnResult => ({
  sessions: Array.from({ length: count }, () => ada),
  attach: null,
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
  ...using,
  ...looking(note),
  ...talking(note),
  ...watching(note),
  ...working(note),
  askExpert: async () => ({ answer: 'Yes.', agent_session_id: ada.agent_session_id ?? '', duration_seconds: 1 }),
  ...{ deniesEditing: async () => false, onAsked: () => () => undefined, takeOver: async () => undefined },
  ...{ happened: async () => [], wholeRequest: async () => undefined },
  ...{ needs: () => ({ attention: [], alarms: [], rested: [], taken: [] }), seen: () => undefined },
  onMembers(listen) {
    members.add(listen);
    return () => members.delete(listen);
  },
  async dispose() {
    if (disposeMs > 0) await new Promise((resolve) => setTimeout(resolve, disposeMs));
    note('disposed');
  },
});

const members = new Set<() => void>();
type Note = (line: string) => void;
type Part<Name extends keyof Crew> = Pick<Crew, Name>;

const spawning = (
  note: Note,
): Part<
  'start' | 'restart' | 'restartPlan' | 'close' | 'adopt' | 'annotate' | 'land' | 'diff' | 'conflicts' | 'setRules'
> => ({
  async start({ workers, layout = null, here = null }) {
    note(`start ${JSON.stringify({ workers, layout, here })}`);
    for (const listen of members) listen();
    return spawnResult(workers.length);
  },
  restart: async ({ workers }) => spawnResult(workers.length),
  restartPlan: async ({ workers }) =>
    workers.map((session_id) => ({ session_id, name: session_id, action: 'restart', reason: 'it goes on' })),
  async close({ workers, force }) {
    note(`close force=${force}`);
    const closed = { success: true, worktree: 'removed', branch: 'ada' } as const;
    return Object.fromEntries(workers.map((id) => [id, closed]));
  },
  adopt: async () => ({ success: true, message: 'Adopted.', session: ada }),
  async setRules(order) {
    note(`rules ${JSON.stringify(order)}`);
    const rules = { allow: order.allow ?? [], ask: order.ask ?? [], deny: order.deny ?? [] };
    const workers = [{ session_id: ada.session_id, name: 'ada', holds: 'within_3_seconds' as const }];
    const in_effect = { allow: rules.allow.length, ask: rules.ask.length, deny: rules.deny.length };
    return { scope: order.scope, rules, in_effect, changed: true, workers, not_enforced_by: [] };
  },
  conflicts: async () => ({ pairs: [], against_base: [] }),
  diff: async ({ worker }) => ({
    session_id: worker,
    branch: 'ada',
    base: { ref: 'main', commit: '0'.repeat(40) },
    uncommitted_files: 0,
    files: [],
    file_count: 0,
    additions: 0,
    deletions: 0,
    diff: '',
  }),
  async land({ worker, dryRun }) {
    note(`land dryRun=${dryRun}`);
    return {
      success: true,
      session_id: subjectOf(worker),
      outcome: dryRun ? 'dry_run' : 'landed',
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
  annotate: async ({ worker, annotation }) => ({ success: true, session_id: worker, annotation }),
});

type TaskVerbs =
  | 'check'
  | 'accounts'
  | 'factsAhead'
  | 'roleFacts'
  | 'place'
  | 'work'
  | 'asksAhead'
  | 'passReport'
  | 'onChange'
  | 'tell'
  | 'post'
  | 'cursor';
const working = (note: Note): Part<TaskVerbs> => ({
  place: async ({ here: project = '/project' }) => ({ project, crew: 'crew-project', repoPath: '/project' }),
  ...{ work: () => [], asksAhead: async () => [], passReport: async () => undefined },
  factsAhead: async () => ({ testCommand: 'make test', missing: [], absent: [], problems: [], givesTools: true }),
  check: async () => ({ exitCode: 0, timedOut: false, output: '' }),
  accounts: () => ({ usual: 'claude', others: [], limits: new Map() }),
  roleFacts: async () => ({}),
  ...{ post: () => undefined, cursor: () => 'c1', onChange: () => () => undefined },
  tell: async (events) => note(`tell ${JSON.stringify(events)}`),
});
const subjectOf = (worker: string | PlanBranch): string => (typeof worker === 'string' ? worker : worker.id);

const branching = (): Part<'sync' | 'propose' | 'openPlanBranch' | 'branchOf'> => ({
  openPlanBranch: async ({ id, name, base: ref = 'main' }) => ({
    ...{ id, name, repoPath: '/project', crew: 'crew-project', branch: `crewmux/${name}-${id}` },
    base: { ref, sha: '0'.repeat(40) },
  }),
  branchOf: async () => ({ branch: 'ada', commits: [], behind: 0, dirtyFiles: 0 }),
  sync: async ({ worker, strategy = 'rebase' }) => ({
    ...({ success: true, session_id: worker, outcome: 'synced', strategy, branch: 'ada' } as const),
    ...{ from: 'main', from_commit: '1'.repeat(40), before: '0'.repeat(40), after: '2'.repeat(40) },
    ...{ commits_replayed: 1, conflicts: [], backup_ref: 'refs/crewmux/before-sync/aaaa0001/20260101T000000Z' },
  }),
  propose: async ({ worker, title = 'Cart' }) => ({
    ...{
      success: true,
      session_id: subjectOf(worker),
      url: 'https://github.com/acme/app/pull/1',
      branch: 'ada',
      remote: 'origin',
    },
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

const using: Part<'usage' | 'usageOf' | 'whoIs'> = {
  usage: async () => [],
  usageOf: async () => undefined,
  whoIs: async ({ worker }) => ({ id: worker, name: worker }),
};

const looking = (
  note: Note,
): Part<
  'list' | 'examine' | 'discover' | 'logs' | 'screen' | 'reports' | 'worktrees' | 'clean' | 'restore' | 'trackerHelp'
> => ({
  async list({ includeClosed, status = null }) {
    note(`list ${JSON.stringify({ includeClosed, status })}`);
    const workers = Array.from({ length: includeClosed ? 300 : 1 }, () => ada);
    return { workers, count: workers.length, attention: [], attach: null };
  },
  async examine({ worker, screenLines }) {
    meet(worker, note);
    const messages = { total_messages: 2, user_messages: 1, assistant_messages: 1 };
    return {
      ...ada,
      conversation_stats: { ...messages, last_user_prompt: 'Do it.', last_assistant_preview: 'Done.' },
      usage: { input_tokens: 1, output_tokens: 2, cache_tokens: 3 },
      git: null,
      attention: null,
      ...(screenLines > 0 ? { screen: 'x\n'.repeat(screenLines) } : {}),
    };
  },
  discover: async () => ({ sessions: [], count: 0, unmanaged_count: 0 }),
  async logs({ worker }) {
    meet(worker, note);
    const page = { total_pages: 1, page_size: 5, pages_returned: 1, offset: 0, start_index: 0, end_index: 1 };
    return {
      session_id: worker,
      messages: [{ index: 0, role: 'assistant', content: '語'.repeat(200_000), timestamp: ada.created_at }],
      page_info: { ...page, total_messages: 1, messages_returned: 1 },
    };
  },
  async screen({ worker, lines = 1 }) {
    return { session_id: worker, screen: 'x\n'.repeat(lines), truncated: false, changed: true, token: 'k' };
  },
  reports: async () => ({ reports: [], count: 0 }),
  worktrees: async ({ repoPath }) => ({
    repo_path: repoPath,
    worktrees: [],
    total: 0,
    orphan_count: 0,
    removed_count: 0,
  }),
  clean: async ({ dryRun }) => ({ worktrees: [], removed_count: 0, dry_run: dryRun }),
  restore: async () => ({ salvages: [], count: 0 }),
  trackerHelp: async ({ here = 'no root' }) => ({
    tracker: null,
    cli: null,
    help: here,
    quick_commands: {},
    worker_tip: '',
  }),
});

const talking = (note: Note): Part<'send' | 'interrupt' | 'answer'> => ({
  answer: async ({ worker, requestId = 'e0000001', decision }) => ({
    ...{ success: true, session_id: worker, request_id: requestId, decision },
    ...({ via: 'hook', status: 'working' } as const),
    evidence: ada.evidence,
  }),
  async send(order) {
    note(`send ${JSON.stringify({ ...order, text: order.text.length })}`);
    const outcome = { success: true, verdict: 'submitted', turn: { id: 't2' }, evidence: ada.evidence } as const;
    return Object.fromEntries(order.workers.map((id) => [id, outcome]));
  },
  async interrupt({ workers }) {
    const outcome = { success: true, outcome: 'interrupted', detail: 'turn ended' } as const;
    return Object.fromEntries(workers.map((id) => [id, outcome]));
  },
});

const watching = (note: Note): Part<'checkIdle' | 'attention' | 'wait' | 'changes' | 'status' | 'crews'> => ({
  attention: async () => [],
  checkIdle: async ({ workers }) => ({
    session_ids: workers,
    idle: Object.fromEntries(workers.map((id) => [id, true])),
    all_idle: true,
    idle_count: workers.length,
    busy_count: 0,
    attention: [],
  }),
  async wait({ workers, mode, timeoutMs }, run) {
    note(`wait ${timeoutMs} ms`);
    for (let tick = 0; tick < 3; tick++) run.tell(`tick ${tick}`);
    if (timeoutMs > 0) await aborted(run, note);
    const idle = { idle_session_ids: workers, all_idle: true, waiting_on: [], attention: [] };
    const told = { cursor: 'c1', turns: {}, replies: {}, typed: {} };
    return { session_ids: workers, ...idle, mode, waited_seconds: 0, timed_out: false, ...told };
  },
  changes: async () => ({
    events: [{ seq: 1, ts: ada.created_at, type: 'worker_idle', worker_id: ada.session_id, data: { odd: [1] } }],
    summary: {
      started: [],
      completed: [{ session_id: ada.session_id, name: 'ada', project: '/project' }],
      stuck: [],
      attention: [],
    },
    active_count: 0,
    idle_count: 1,
    poll_ts: ada.created_at,
    cursor: 'c2',
  }),
  crews: async () => [],
  status: async () => ({
    workers: { starting: [], idle: [], working: [], waiting: [], unknown: [], dead: [], closed: [] },
    attention: [],
    counts: { starting: 0, idle: 0, working: 0, waiting: 0, unknown: 0, dead: 0, closed: 0 },
    recent: [],
    conflicts: [],
    ...{ slots: [], escapes: [], failures: [], reports: [] },
    tasks: [],
    suggested_calls: [],
    attach: null,
  }),
});

function meet(ref: string, note: Note): void {
  note(`asked for ${ref}`);
  if (ref === 'boom') throw new TypeError('the floor gave way');
  if (ref === 'nobody') throw new CrewError('unknown_worker', 'No worker named "nobody".', 'Call list_workers.');
}

const aborted = (run: Run, note: Note) =>
  new Promise<void>((resolve) => {
    run.signal.addEventListener('abort', () => resolve(note('wait aborted')));
  });

export const stubExaminer: Examiner = {
  doctor: async () => ({ status: 'ok', findings: [{ check: 'git', status: 'ok', detail: 'git 2.39' }] }),
  agentSessions: async () => ({ sessions: [] }),
};
