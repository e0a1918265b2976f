import { describe, expect, it } from 'vitest';
import type { PaneInfo, PaneList } from '../../src/backends/terminal.ts';
import { closeRefusal } from '../../src/crew/lifecycle/close.ts';
import { endedDraft } from '../../src/crew/lifecycle/recover.ts';
import { unsettled } from '../../src/crew/messages/send-journal.ts';
import { crewName } from '../../src/crew/place.ts';
import { cursorOf, seqOf } from '../../src/crew/queries/changes.ts';
import { isOfProject } from '../../src/crew/queries/list.ts';
import { pageRange, pagesOf } from '../../src/crew/queries/logs.ts';
import { suggestions } from '../../src/crew/queries/status.ts';
import { waitOver } from '../../src/crew/queries/wait.ts';
import { type PaneFacts, verdictOn } from '../../src/crew/workers/pane-facts.ts';
import { eventsOfChange } from '../../src/crew/workers/publish.ts';
import { endedOf } from '../../src/crew/workers/roster.ts';
import type { Signal } from '../../src/model/turn.ts';
import type { ManagerRef } from '../../src/model/worker.ts';
import { digestOf } from '../../src/system/digest.ts';
import { initialTurn, reduceTurn, type TurnState } from '../../src/turn/reduce-turn.ts';
import { stuckSince } from '../../src/turn/stuck.ts';
import { workerRecord } from '../support/records.ts';

const ready: Signal = { from: 'hook', kind: 'ready', reason: 'startup', agentSessionId: 'u', at: 2 };
const agent = (status: 'idle' | 'busy' | 'waiting', at: number): Signal => ({
  from: 'agent',
  kind: 'state',
  status,
  detail: status,
  at,
});
const prompt = (at: number): Signal => ({ from: 'hook', kind: 'prompt', text: 'x', at });
const unseen: Signal = { from: 'pane', kind: 'unseen', detail: 'tmux does not answer', at: 4 };
const seen: Signal = { from: 'pane', kind: 'seen', at: 6 };
const stopped = (at: number): Signal => ({ from: 'hook', kind: 'stopped', backgroundTasks: 0, at });
const heard = (...signals: readonly Signal[]): TurnState => signals.reduce(reduceTurn, initialTurn(1));

describe('waitOver', () => {
  const quiet = { total: 3, idle: 0, ended: 0, alarming: false };
  it.each([
    ['all', { ...quiet, idle: 2 }, false],
    ['all', { ...quiet, idle: 3 }, true],
    ['all', { ...quiet, idle: 2, ended: 1 }, true],
    ['all', { ...quiet, alarming: true }, true],
    ['any', quiet, false],
    ['any', { ...quiet, idle: 1 }, true],
    ['any', { ...quiet, ended: 1 }, false],
    ['any', { ...quiet, ended: 3 }, true],
  ] as const)('%s with %j is over: %s', (mode, now, over) => {
    expect(waitOver(mode, now)).toBe(over);
  });
});

describe('eventsOfChange', () => {
  const types = (signals: readonly Signal[]) => {
    const before = heard(...signals.slice(0, -1));
    return eventsOfChange(before, heard(...signals)).map(({ type }) => type);
  };
  it.each([
    { title: 'the first sign of life is told', signals: [ready], told: ['worker_ready', 'worker_idle'] },
    {
      title: 'a prompt begins a turn',
      signals: [ready, agent('idle', 3), prompt(4)],
      told: ['turn_started', 'worker_active'],
    },
    {
      title: 'an idle ends it',
      signals: [ready, prompt(4), stopped(5), agent('idle', 6)],
      told: ['turn_ended', 'worker_idle'],
    },
    {
      title: 'a second word of the same idle is no news',
      signals: [ready, prompt(4), stopped(5), agent('idle', 6), agent('idle', 7)],
      told: [],
    },
    { title: 'a dialog is told', signals: [ready, prompt(4), agent('waiting', 5)], told: ['worker_waiting'] },
    {
      title: 'its answer is told before the work goes on',
      signals: [ready, prompt(4), agent('waiting', 5), agent('busy', 6)],
      told: ['worker_answered', 'worker_active'],
    },
    {
      title: 'a worker that nobody can see is no news',
      signals: [ready, agent('idle', 3), unseen],
      told: [],
    },
    {
      title: 'nor is one that is seen again as it was',
      signals: [ready, agent('idle', 3), unseen, seen],
      told: [],
    },
    {
      title: 'what became of it meanwhile is told when it is seen again',
      signals: [ready, agent('busy', 3), unseen, agent('idle', 5), seen],
      told: ['worker_idle'],
    },
    {
      title: 'a death in the middle of a turn ends the turn',
      signals: [ready, prompt(4), { from: 'pane', kind: 'gone', detail: 'exit code 1', at: 9 }],
      told: ['turn_ended', 'worker_dead'],
    },
  ] as const)('$title', ({ signals, told }) => {
    expect(types(signals)).toEqual(told);
  });
});

describe('closeRefusal', () => {
  it.each([
    { title: 'an idle worker may be closed', turn: heard(ready, agent('idle', 3)), others: false, code: undefined },
    { title: 'a working one not', turn: heard(ready, agent('busy', 3)), others: false, code: 'worker_busy' },
    {
      title: 'one that nobody can see not',
      turn: heard(ready, agent('idle', 3), unseen),
      others: false,
      code: 'tmux_failed',
    },
    {
      title: 'one with a start-up dialog may',
      turn: heard(ready, agent('waiting', 3)),
      others: false,
      code: undefined,
    },
    {
      title: 'another living manager’s not',
      turn: heard(ready, agent('idle', 3)),
      others: true,
      code: 'owned_by_another',
    },
  ])('$title', ({ turn, others, code }) => {
    expect(closeRefusal(workerRecord(), turn, others)?.code).toBe(code);
  });

  it('lets a dead worker of anybody be closed', () => {
    expect(closeRefusal(workerRecord({ phase: 'dead' }), undefined, true)).toBeUndefined();
  });
});

describe('endedOf', () => {
  it('names no manager whose process cannot be looked at', async () => {
    const told: unknown[] = [];
    const isAlive = async ({ pid }: ManagerRef) => {
      if (pid === 3) throw new Error('ps failed');
      return pid === 1;
    };
    const managers = [1, 2, 3].map((pid) => ({ pid, processStart: '9' }));
    expect(await endedOf(managers, { isAlive, onTrouble: (error) => told.push(error) })).toEqual([managers[1]]);
    expect(told).toMatchObject([{ message: 'ps failed' }]);
  });
});

describe('verdictOn', () => {
  const pane: PaneInfo = {
    ref: { socket: 's', serverPid: 1, serverStartedAt: 1, id: '%3' },
    session: 'crew',
    sessionId: '$1',
    windowId: '@1',
    pid: 2,
    command: 'claude',
    cwd: '/',
    dead: false,
    inMode: false,
    width: 220,
    height: 50,
    marks: { worker: '00000000' },
  };
  const record = workerRecord({ paneId: '%3' });
  /** The server of its pane answers. */
  const seen = (panes: readonly PaneInfo[]): PaneFacts => ({
    listing: { panes, server: { serverPid: 1, serverStartedAt: 1 } },
    server: 'ended',
  });
  const nobody: PaneList = { panes: [], server: undefined };
  it.each([
    { title: 'its pane stands', panes: [pane], is: 'alive' },
    { title: 'its pane is dead', panes: [{ ...pane, dead: true, exitCode: 3 }], is: 'ended' },
    { title: 'there is no such pane', panes: [], is: 'ended' },
    {
      title: 'a restarted tmux gave its id to another',
      panes: [{ ...pane, ref: { ...pane.ref, serverPid: 7 } }],
      is: 'ended',
    },
    { title: 'the pane says it is another worker', panes: [{ ...pane, marks: { worker: 'ffffffff' } }], is: 'ended' },
    { title: 'a person started another program in it', panes: [{ ...pane, pid: 9 }], is: 'ended' },
  ])('$title', ({ panes, is }) => {
    expect(verdictOn(record, seen(panes)).is).toBe(is);
  });

  const other = { serverPid: 7, serverStartedAt: 1 };
  const reborn = { ...pane, ref: { ...pane.ref, ...other } };
  it.each([
    { title: 'tmux could not list its panes', listing: { failed: 'lost server' }, server: 'ended', is: 'unknown' },
    { title: 'nobody answers, and its server runs', listing: nobody, server: 'runs', is: 'unknown' },
    { title: 'nobody answers, and its server cannot be looked at', listing: nobody, server: 'unknown', is: 'unknown' },
    { title: 'nobody answers, and its server has ended', listing: nobody, server: 'ended', is: 'ended' },
    {
      title: 'another server took the socket while its own runs',
      listing: { panes: [reborn], server: other },
      server: 'runs',
      is: 'unknown',
    },
    {
      title: 'another server has its pid by now',
      listing: { panes: [], server: { serverPid: 1, serverStartedAt: 9 } },
      server: 'ended',
      is: 'ended',
    },
  ] as const)('$title: $is', ({ listing, server, is }) => {
    expect(verdictOn(record, { listing, server }).is).toBe(is);
  });

  it('whose end is found is dead, and one that was being closed is closed', () => {
    const found = { detail: 'its pane is gone', at: 9, me: { pid: 1, processStart: '1' } };
    expect(endedDraft(workerRecord(), found)).toMatchObject({
      type: 'worker_dead',
      set: { phase: 'dead', endedAt: 9 },
    });
    expect(endedDraft(workerRecord({ closing: true }), found)).toMatchObject({
      type: 'worker_closed',
      set: { phase: 'closed', closing: null },
    });
  });

  it('takes a worker without a pane for one whose spawn was cut off', () => {
    const born = workerRecord({ phase: 'spawning' });
    const unborn = { ...born, launch: { ...born.launch, number: 0 } };
    expect(verdictOn(unborn, seen([pane]))).toMatchObject({ is: 'ended' });
    expect(verdictOn(born, seen([]))).toMatchObject({ is: 'ended' });
    expect(verdictOn(born, seen([{ ...pane, dead: true }]))).toMatchObject({ is: 'ended' });
  });

  it('takes one whose pane is there for started, though nothing had noted it', () => {
    expect(verdictOn(workerRecord({ phase: 'spawning' }), seen([pane]))).toMatchObject({ is: 'born', pane });
  });
});

describe('unsettled', () => {
  const begin = (id: string) => JSON.stringify({ v: 1, id, at: 1, launch: 1, digest: digestOf('x'), chars: 1 });
  it('names the sends that were begun and not settled, whatever else stands in the file', () => {
    const lines = [begin('a'), begin('b'), 'torn {', JSON.stringify({ v: 1, id: 'a', at: 2, verdict: 'submitted' })];
    expect(unsettled(lines).map(({ id }) => id)).toEqual(['b']);
  });
});

describe('small decisions', () => {
  it.each([
    [{ pages: 1, offset: 0 }, 12, { from: 7, to: 12 }],
    [{ pages: 2, offset: 0 }, 12, { from: 2, to: 12 }],
    [{ pages: 1, offset: 1 }, 12, { from: 2, to: 7 }],
    [{ pages: 1, offset: 2 }, 12, { from: 0, to: 2 }],
    [{ pages: 1, offset: 99 }, 12, { from: 0, to: 0 }],
    [{ pages: 1, offset: 0 }, 0, { from: 0, to: 0 }],
  ])('a request for %j of %i messages means %j', (request, total, range) => {
    expect(pageRange(total, { ...request, format: 'compact' })).toEqual(range);
  });

  it('lists the newest page first, each in order inside', () => {
    expect(pagesOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).toEqual([7, 8, 9, 10, 11, 2, 3, 4, 5, 6, 0, 1]);
  });

  it('hands a cursor back as the place it was made of', () => {
    expect(seqOf(cursorOf(123_456))).toBe(123_456);
  });

  it('refuses a cursor it did not make', () => {
    expect(() => seqOf('42')).toThrow('"42" is not a cursor.');
  });

  it('keeps two projects of one name in two tmux sessions', () => {
    expect(crewName('crew-', '/a/shop')).not.toBe(crewName('crew-', '/b/shop'));
    expect(crewName('crew-', '/a/my.shop: v2')).toMatch(/^crew-[a-zA-Z0-9_-]+$/);
  });

  it('calls a worker stuck only while it works and says nothing', () => {
    const working = heard(ready, agent('busy', 3));
    expect(stuckSince(working, { now: 3 + 60_000, staleMs: 60_000 })).toBe(3);
    expect(stuckSince(working, { now: 3 + 59_999, staleMs: 60_000 })).toBeUndefined();
    expect(stuckSince(heard(ready, agent('idle', 3)), { now: 1e9, staleMs: 60_000 })).toBeUndefined();
  });

  it.each([
    ['/repo', true],
    ['/repo/.worktrees', true],
    ['/rep', false],
    ['REPO', true],
    ['other', false],
  ])('filters projects by %s', (filter, expected) => {
    expect(isOfProject({ projectPath: '/repo/.worktrees/a', mainRepoPath: '/repo' }, filter)).toBe(expected);
  });

  it('suggests to begin when there is nobody', () => {
    expect(suggestions([], { working: [], idle: [] })).toEqual(['spawn_workers to begin']);
  });

  it('point to the call of a need instead of saying it a second time', () => {
    const need = { session_id: '1', name: 'ada', since: '', title: '', detail: '', answer_with: ['the call'] } as const;
    const needs = [
      { ...need, waiting_for: 'permission' } as const,
      { ...need, name: 'ben', waiting_for: 'dead' } as const,
    ];
    expect(suggestions(needs, { working: [], idle: [] })).toEqual(['answer_with of ada, ben in attention']);
  });
});
