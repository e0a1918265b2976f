import { expect, it } from 'vitest';
import { lastTurnMs, stuckWorker } from '../../../src/crew/queries/changes.ts';
import type { CrewEvent } from '../../../src/model/event.ts';
import { workerRecord } from '../../support/records.ts';
import { agent, hookPrompt, launched, play, ready } from '../../turn/turn-signals.ts';

it('a turn took from its start to its end, whatever another worker or an earlier launch did', () => {
  const event = (seq: number, type: CrewEvent['type'], turn: number, workerId = 'a'): CrewEvent => ({
    ...{ seq, at: seq * 1_000, type, workerId, data: { turn } },
  });
  const events = [
    event(1, 'turn_started', 1),
    event(2, 'turn_ended', 1),
    event(3, 'turn_started', 1),
    event(5, 'turn_started', 1, 'b'),
    event(9, 'turn_ended', 1),
    event(10, 'turn_started', 1),
  ];
  expect(lastTurnMs(events, 'a')).toBe(6_000);
  expect(lastTurnMs(events.slice(4), 'a')).toBeUndefined();
  expect(lastTurnMs(events, 'b')).toBeUndefined();
});

it('a stuck worker is told with its project, its label, how long it is silent and how long its turn runs', () => {
  const working = play([launched, ready, agent('idle'), hookPrompt(), agent('busy')]);
  const record = workerRecord({ projectPath: '/repo/.worktrees/ada', mainRepoPath: '/repo', bead: 'app-7' });
  const at = { now: 1_000 + 25 * 60_000 + 10, staleMs: 20 * 60_000 };
  expect(stuckWorker(record, working, at)).toEqual([
    {
      ...{ session_id: record.id, name: 'ada', project: '/repo', bead: 'app-7' },
      ...{ inactive_minutes: 25, duration_seconds: 1_500, duration_min: 25 },
    },
  ]);
  expect(stuckWorker(record, working, { ...at, now: 2_000 })).toEqual([]);
});
