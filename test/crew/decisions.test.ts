import { describe, expect, it } from 'vitest';
import { closeRefusal } from '../../src/crew/lifecycle/close.ts';
import { unsettled } from '../../src/crew/messages/send-journal.ts';
import { crewName } from '../../src/crew/place.ts';
import { cursorOf, seqOf } from '../../src/crew/queries/changes.ts';
import { isOfProject } from '../../src/crew/queries/list.ts';
import { pageRange, pagesOf } from '../../src/crew/queries/logs.ts';
import { suggestions } from '../../src/crew/queries/status.ts';
import { waitOver } from '../../src/crew/queries/wait.ts';
import { eventsOfChange, missedEvents } from '../../src/crew/workers/publish.ts';
import { eventTypes } from '../../src/model/event.ts';
import type { Signal } from '../../src/model/turn.ts';
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
      title: 'the same end of a turn is told once, though its agent is busy for a moment after it',
      signals: [ready, prompt(4), stopped(5), agent('idle', 6), agent('busy', 7), agent('idle', 8)],
      told: ['worker_idle'],
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

describe('missedEvents', () => {
  const told = (...types: readonly string[]) =>
    types.map((text) => {
      const [type = '', turn] = text.split(' ');
      return { type: eventTypes.find((one) => one === type) ?? 'reconciled', data: { turn: Number(turn) } };
    });
  const busy = heard(ready, agent('idle', 3), prompt(4), agent('busy', 5));
  const done = heard(ready, prompt(4), stopped(5), agent('idle', 6));
  const start = ['worker_started', 'worker_ready', 'worker_idle'];
  it.each([
    {
      title: 'what is told is not told again',
      state: done,
      logged: [...start, 'turn_started 1', 'turn_ended 1', 'worker_idle'],
      missed: [],
    },
    {
      title: 'an adoption begins no launch',
      state: done,
      logged: [...start, 'turn_started 1', 'turn_ended 1', 'worker_idle', 'worker_adopted'],
      missed: [],
    },
    { title: 'a turn that went on is told', state: busy, logged: start, missed: ['turn_started', 'worker_active'] },
    {
      title: 'so is its end',
      state: done,
      logged: [...start, 'turn_started 1', 'worker_active'],
      missed: ['turn_ended', 'worker_idle'],
    },
    {
      title: 'and the whole of one that nobody saw',
      state: done,
      logged: start,
      missed: ['turn_started', 'turn_ended'],
    },
    {
      title: 'what an earlier launch did tells nothing of this one',
      state: done,
      logged: ['worker_started', 'turn_started 1', 'turn_ended 1', 'worker_restarted'],
      missed: ['turn_started', 'turn_ended', 'worker_idle'],
    },
  ])('$title', ({ state, logged, missed }) => {
    expect(missedEvents(state, told(...logged)).map(({ type }) => type)).toEqual(missed);
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
