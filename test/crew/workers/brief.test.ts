import { describe, expect, it } from 'vitest';
import { briefly, sharedBy } from '../../../src/crew/workers/view.ts';
import type { WorkerView } from '../../../src/wire/worker.ts';
import { ada } from '../../support/stub-crew.ts';

const home = '/home/ada/web-shop';
const tree = `${home}/.worktrees/ringo-aaaa0001-checkout-form`;
const at = '2030-01-01T00:00:00.000Z';
const ordinary: WorkerView = {
  ...ada,
  status: 'working',
  is_idle: false,
  evidence: { source: 'agent', at, detail: 'busy' },
  turn: { id: 'aaaa0001-1.12', started_at: '2030-01-01T00:00:00.000Z' },
  project_path: tree,
  main_repo_path: home,
  worktree_path: tree,
  branch: 'ringo-aaaa0001-checkout-form',
  annotation: 'Checkout form',
  permission_mode: 'acceptEdits',
  last_activity: at,
};
const byUs = { source: 'us' as const, at, detail: 'our message is not proved yet' };
const tmux = ada.tmux ?? { socket: '', session: '', window: '', attach: '' };
const shared = sharedBy([ordinary]);
const left = [
  'tmux',
  'base',
  'main_repo_path',
  'transcript_path',
  'agent_session_id',
  'created_at',
  'restarts',
  'source',
];

describe('a brief worker', () => {
  it.each([
    { ...ordinary, name: 'that works' },
    {
      ...ordinary,
      name: 'that is done',
      status: 'idle' as const,
      is_idle: true,
      turn: { id: 'aaaa0001-1.12', started_at: ordinary.created_at, ended_at: at, ended_by: 'completed' as const },
    },
  ])('takes at most 550 characters for an ordinary worker $name', (worker) => {
    expect(JSON.stringify(briefly({ ...worker, name: 'ringo' }, shared)).length).toBeLessThanOrEqual(550);
  });

  it('takes at most 120 characters more for the tool that it uses', () => {
    const doing = { kind: 'tool' as const, tool: 'Bash', detail: 'npm test -- --maxWorkers=1', since: at };
    const [rests, works] = [ordinary, { ...ordinary, doing }].map((one) => JSON.stringify(briefly(one, shared)).length);
    expect((works ?? 0) - (rests ?? 0)).toBeLessThanOrEqual(120);
  });

  it.each<readonly [keeps: 'keeps' | 'leaves out', title: string, change: Partial<WorkerView>]>([
    ['leaves out', 'works by its state file', {}],
    ['leaves out', 'works, known by what it does', { evidence: byUs, doing: { kind: 'thinking', since: at } }],
    ['leaves out', 'rests', { status: 'idle' }],
    ['keeps', 'rests with a message kept', { status: 'idle', pending_messages: 1 }],
    ['keeps', 'is told by a message of ours', { evidence: byUs }],
    ['keeps', 'is told by its screen', { evidence: { ...byUs, source: 'screen' } }],
    ['keeps', 'waits', { status: 'waiting', waiting_for: 'permission' }],
    ['keeps', 'is dead', { status: 'dead' }],
  ])('%s the words of the evidence where one %s', (keeps, _, change) => {
    expect('detail' in briefly({ ...ordinary, ...change }, shared).evidence).toBe(keeps === 'keeps');
  });

  it('is without what few callers need and without what is at rest, and keeps everything else as it is', () => {
    const { terminal_id, status, evidence, is_idle, ...rest } = briefly({ ...ordinary, terminal_id: null }, shared);
    expect({ status, evidence, is_idle }).toMatchObject({ status: 'working', is_idle: false });
    expect(terminal_id).toBeUndefined();
    const resting = ['background_tasks', 'pending_messages', 'managed_by', 'permission_mode', 'last_activity'];
    for (const name of [...left, ...resting]) expect(rest).not.toHaveProperty(name);
    const { session_id, name, turn, project_path, worktree_path, branch, sandbox } = ordinary;
    expect(rest).toMatchObject({ session_id, name, turn, project_path, worktree_path, branch, sandbox });
  });

  it.each<Partial<WorkerView>>([
    { background_tasks: 2 },
    { pending_messages: 1 },
    { managed_by: { manager: 'pid 7', alive: true, mine: false } },
    { managed_by: { manager: 'pid 7', alive: false, mine: false } },
    { permission_mode: 'bypassPermissions' },
    { permission_mode: 'manual' },
    { permission_mode: 'acceptEdits', agent_type: 'codex' },
    { last_activity: '2029-12-31T00:00:00.000Z' },
    { last_error: 'overloaded' },
    { limit: { kind: 'account', detail: 'limit reached' } },
    { waiting_for: 'login' },
  ])('says what may be bad news: %j', (news) => {
    expect(briefly({ ...ordinary, ...news }, shared)).toMatchObject(news);
  });
});

describe('what workers share', () => {
  it('is the first open one’s, and whoever has another says so', () => {
    const closed: WorkerView = { ...ordinary, status: 'closed', tmux: { ...tmux, attach: 'gone' } };
    const other: WorkerView = { ...ordinary, main_repo_path: '/elsewhere', tmux: { ...tmux, attach: 'another' } };
    const of = sharedBy([closed, ordinary, other]);
    expect(of).toEqual({ attach: tmux.attach, main_repo_path: home });
    expect(briefly(closed, of)).not.toHaveProperty('attach');
    expect(briefly(ordinary, of)).not.toHaveProperty('attach');
    expect(briefly(other, of)).toMatchObject({ attach: 'another', main_repo_path: '/elsewhere' });
  });

  it('is no attach command where nobody has a pane', () => {
    expect(sharedBy([])).toEqual({ attach: null });
  });
});
