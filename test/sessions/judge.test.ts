import { expect, it } from 'vitest';
import type { Signal } from '../../src/model/turn.ts';
import { judge, type SessionTraces } from '../../src/sessions/judge.ts';

const now = 1_000_000_000;
const state = (status: 'idle' | 'busy' | 'waiting' | 'background' | 'unknown') => ({
  pid: 7,
  session: {
    agentSessionId: 's',
    signal: { from: 'agent', kind: 'state', at: 1, status, detail: status } as const,
  },
});
const starting = { pid: 7, session: { agentSessionId: 's' } };
const begun = (at: number): Signal => ({ from: 'transcript', kind: 'activity', at, detail: 'turn started' });
const ended = (at: number): Signal => ({
  ...{ from: 'transcript', kind: 'ended', how: 'completed', backgroundTasks: 0, at, detail: 'turn completed' },
});
const held = { heldBy: { pid: 8, since: now - 10_000 } };
const subagent = (parent: 'working' | 'idle' | 'ended', hasEnded = false) => ({ subagent: { parent, hasEnded } });

it.each<[string, Partial<SessionTraces>, string, string]>([
  ['a state file that is idle', { state: state('idle') }, 'idle', 'agent'],
  ['one that is busy', { state: state('busy') }, 'working', 'agent'],
  ['a shell behind the prompt', { state: state('background') }, 'working', 'agent'],
  ['one that waits', { state: state('waiting') }, 'waiting', 'agent'],
  ['a word that nobody knows', { state: state('unknown') }, 'unknown', 'agent'],
  ['a process that starts', { state: starting }, 'unknown', 'agent'],
  ['a turn without a process', { signals: [begun(now)] }, 'ended', 'pane'],
  ['a turn in a process', { ...held, signals: [begun(now - 1)] }, 'working', 'transcript'],
  ['a turn that has ended in one', { ...held, signals: [begun(now - 2), ended(now - 1)] }, 'idle', 'transcript'],
  ['a turn from before the process', { ...held, signals: [begun(now - 20_000)] }, 'unknown', 'transcript'],
  [
    'a turn that is silent for long',
    { ...held, signals: [begun(now)], writtenAt: now - 130_000 },
    'unknown',
    'transcript',
  ],
  ['a process and no turn', held, 'unknown', 'transcript'],
  ['a subagent of one at work', subagent('working'), 'working', 'transcript'],
  ['a silent one', { ...subagent('working'), writtenAt: now - 130_000 }, 'unknown', 'transcript'],
  ['one of a session at rest', subagent('idle'), 'unknown', 'transcript'],
  ['one that has finished', subagent('working', true), 'ended', 'transcript'],
  ['one of a session that has ended', subagent('ended'), 'ended', 'transcript'],
  ['a process that names no session', { perhaps: 9 }, 'unknown', 'pane'],
  ['processes that cannot be seen', { isBlind: true }, 'unknown', 'pane'],
  ['nothing but a transcript', {}, 'ended', 'pane'],
])('%s is judged rightly', (_, sight, status, source) => {
  const judged = judge({ signals: [], writtenAt: now, isBlind: false, now, ...sight });
  expect([judged.status, judged.evidence.source]).toEqual([status, source]);
});
