import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Signal } from '../../src/model/turn.ts';
import { rows } from './turn-rows.ts';
import { laterRows } from './turn-rows-later.ts';
import { screenRows } from './turn-rows-screen.ts';
import {
  absent,
  activity,
  agent,
  dequeued,
  ended,
  enqueued,
  failed,
  givenUp,
  gone,
  hookPrompt,
  type Loose,
  launched,
  line,
  marker,
  notice,
  permission,
  play,
  promptSeen,
  ready,
  sent,
  stopped,
  trust,
} from './turn-signals.ts';

describe('reduceTurn', () => {
  it.each([...rows, ...laterRows, ...screenRows])('$title', ({ signals, is, waitingFor, endedBy }) => {
    const state = play(signals);
    expect({ is: state.is, waitingFor: state.waitingFor }).toEqual({ is, waitingFor });
    if (endedBy !== undefined) expect(state.turn?.endedBy).toBe(endedBy);
  });

  it('ignores what a resumed transcript tells of the time before the launch', () => {
    const old: Signal = { from: 'transcript', kind: 'prompt', text: 'old', origin: 'person', at: 5 };
    expect(play([launched, ready, old]).is).toBe('idle');
  });

  it('keeps what a dialog asks when the prompt of that turn is read after it', () => {
    const asked: Signal = {
      from: 'hook',
      kind: 'permission',
      waitingFor: 'plan_approval',
      tool: 'ExitPlanMode',
      input: {},
      at: 3_000,
    };
    const late: Signal = { from: 'transcript', kind: 'prompt', text: 'go', origin: 'person', at: 2_000 };
    const state = play([launched, ready, agent('busy'), asked, late, agent('waiting', 'permission')]);
    expect(state).toMatchObject({ is: 'waiting', waitingFor: 'plan_approval' });
  });

  it('counts a prompt told by hook and transcript as one turn', () => {
    const state = play([launched, ready, hookPrompt('a'), line('a'), activity, ended(), hookPrompt('b'), line('b')]);
    expect(state.turn?.number).toBe(2);
  });

  it('counts the same turns, whichever of hook and transcript is read first', () => {
    const at = (ms: number, signal: Loose): Signal => ({ at: ms, ...signal });
    const told = fc.record({ hookFirst: fc.boolean(), order: fc.array(fc.boolean(), { maxLength: 16 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), told, (turns, { hookFirst, order }) => {
        const starts = Array.from({ length: turns }, (_, i) => 2_000 + i * 1_000);
        const hooks = starts.flatMap((ms) => [at(ms + (hookFirst ? 0 : 5), hookPrompt()), at(ms + 300, stopped())]);
        const lines = starts.flatMap((ms) => [at(ms + (hookFirst ? 5 : 0), line()), at(ms + 400, ended())]);
        const mixed = order.flatMap((fromHooks) => (fromHooks ? hooks : lines).splice(0, 1));
        const { turn } = play([launched, ready, ...mixed, ...hooks, ...lines]);
        expect(turn).toMatchObject({ number: turns, endedBy: 'completed' });
      }),
    );
  });

  it('takes no request of an earlier turn for open, whichever of hook and transcript is read first', () => {
    const at = (ms: number, signal: Loose): Signal => ({ at: ms, ...signal });
    const asking = { from: 'hook', kind: 'permission', waitingFor: 'permission', tool: 'Bash', input: {} } as const;
    const held = (requestId: string): Loose => ({ ...asking, requestId });
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 8 }), (order) => {
        const hooks = [at(2_000, hookPrompt()), at(2_100, held('a')), at(3_000, hookPrompt()), at(3_100, held('b'))];
        const lines = [at(2_005, line()), at(2_400, ended()), at(3_005, line())];
        const mixed = order.flatMap((fromHooks) => (fromHooks ? hooks : lines).splice(0, 1));
        const state = play([launched, ready, ...mixed, ...hooks, ...lines, at(3_200, agent('waiting', 'permission'))]);
        expect(state.requests.map(({ requestId }) => requestId)).toEqual(['b']);
      }),
    );
  });

  it('knows what was answered until the agent itself says that it waits no more', () => {
    const asking = { from: 'hook', kind: 'permission', waitingFor: 'permission', tool: 'Bash', input: {} } as const;
    const answered = { from: 'hook', kind: 'answered', requestId: 'a', by: 'manager', decision: 'allow' } as const;
    const before = [launched, ready, hookPrompt(), agent('waiting', 'permission'), { ...asking, requestId: 'a' }];
    const { requests, facts } = play([...before, answered, activity, ended()]);
    expect({ requests, asked: facts.asked.map(({ requestId }) => requestId) }).toEqual({ requests: [], asked: ['a'] });
  });

  it('takes a trouble that is still drawn when the turn has gone on for over', () => {
    const at = (ms: number, signal: Loose): Signal => ({ at: ms, ...signal });
    const before = [launched, ready, at(2_000, line()), at(4_000, promptSeen(0, 0, 'Reconnecting'))];
    expect(play(before).facts.trouble?.detail).toBe('Reconnecting');
    const wentOn = [...before, at(6_000, activity)];
    expect(play([...wentOn, at(6_004, promptSeen(0, 0, 'Reconnecting'))]).facts.trouble).toBeUndefined();
    expect(play([...wentOn, at(7_000, promptSeen(0, 0, 'Reconnecting'))]).facts.trouble?.at).toBe(7_000);
  });

  it('clears an early end when the same turn goes on', () => {
    const state = play([launched, ready, hookPrompt(), agent('busy'), stopped(), agent('idle'), notice, agent('busy')]);
    expect(state.turn).toMatchObject({ number: 2, endedAt: undefined });
  });

  const anySignal = fc.constantFrom<Loose>(
    ready,
    absent,
    agent('idle'),
    agent('busy'),
    agent('waiting'),
    agent('unknown'),
    hookPrompt(),
    stopped(),
    stopped(2),
    failed(),
    permission,
    line(),
    notice,
    activity,
    ended(),
    ended('interrupted'),
    marker(),
    enqueued('q'),
    dequeued(true),
    dequeued(false),
    trust,
    sent('m'),
    givenUp('m'),
    gone,
  );

  it('never says idle while one of our messages is outstanding', () => {
    fc.assert(
      fc.property(fc.array(anySignal, { maxLength: 25 }), (signals) => {
        const state = play([
          launched,
          ...signals.filter((s) => s.from !== 'us'),
          sent('unseen'),
          ...signals.filter((s) => s.from !== 'us'),
        ]);
        expect(state.is).not.toBe('idle');
      }),
    );
  });

  it('stays gone once the process is gone, and a gone worker never waits', () => {
    fc.assert(
      fc.property(fc.array(anySignal, { maxLength: 25 }), (signals) => {
        expect(play([launched, gone, ...signals]).is).toBe('gone');
      }),
    );
  });

  it('never says idle while the state file says anything but idle', () => {
    fc.assert(
      fc.property(fc.array(anySignal, { maxLength: 25 }), (signals) => {
        const state = play([launched, ...signals]);
        const said = state.facts.agent?.status;
        if (said !== undefined && said !== 'idle') expect(state.is).not.toBe('idle');
      }),
    );
  });
});
