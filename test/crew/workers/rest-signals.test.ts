import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { Following } from '../../../src/crew/workers/following.ts';
import { endsOf, mayRest, restSignals } from '../../../src/crew/workers/rest-signals.ts';
import { StateFiles } from '../../../src/crew/workers/state-files.ts';
import { earlierSignalsPath, signalsPath } from '../../../src/store/question-line.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { initialTurn, type TurnState } from '../../../src/turn/reduce-turn.ts';
import { workerRecord } from '../../support/records.ts';
import { makeSandbox } from '../../support/sandbox.ts';

const box = makeSandbox();
afterAll(() => box.dispose());

const minute = 60_000;
const idle: TurnState = { ...initialTurn(0), is: 'idle', lastActivityAt: 0 };
it.each<[string, Partial<TurnState>, { now?: number; bytes?: number }, boolean]>([
  ['idle for a while, with a long file', {}, {}, true],
  ['with a short file', {}, { bytes: 1_000 }, false],
  ['idle a moment ago', {}, { now: 1_000 }, false],
  ['at work', { is: 'working' }, {}, false],
  ['waiting', { is: 'waiting' }, {}, false],
])('the signals of a worker %s begin anew, or do not', (_, state, at, may) => {
  expect(mayRest({ ...idle, ...state }, { now: minute, bytes: 100_000, ...at })).toBe(may);
});

it('begin and end of a launch are kept, in whole lines', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `${String(from + at).padStart(5, '0')} ${'x'.repeat(93)}\n`).join('');
  expect(endsOf('', lines(0, 700))).toBe(lines(0, 700));
  expect(endsOf('', lines(0, 2_000))).toBe(lines(0, 81) + lines(2_000 - 655, 2_000));
  expect(endsOf(lines(0, 800), lines(800, 2_000))).toBe(lines(0, 81) + lines(2_000 - 655, 2_000));
});

const hook = (at: number, payload: object) =>
  `${JSON.stringify({ at, payload: { session_id: 'u', transcript_path: null, cwd: '/p', ...payload } })}\n`;
const start = hook(1, { hook_event_name: 'SessionStart', source: 'startup' });
const turn = (at: number) =>
  hook(at, { hook_event_name: 'UserPromptSubmit', turn_id: `t${at}`, prompt: `go ${at} ${'x'.repeat(400)}` }) +
  hook(at + 1, { hook_event_name: 'Stop', turn_id: `t${at}`, last_assistant_message: 'done', background_tasks: [] });

it('a server goes on where it was, and one that finds no last word knows as much', async () => {
  const dir = join(box.dir('launches'), '1');
  mkdirSync(dir);
  const turns = Array.from({ length: 150 }, (_, at) => turn(10 + 2 * at));
  writeFileSync(signalsPath(dir), [start, ...turns].join(''));
  const { launch, ...rest } = workerRecord();
  const record = { ...rest, launch: { ...launch, dir, transcriptPath: '', startedAt: 0 } };
  const follow = async () => {
    const onTrouble = (error: unknown) => {
      throw error;
    };
    const stateFiles = new StateFiles(systemClock);
    const following = new Following(record, { agent: claudeAgent, clock: systemClock, stateFiles, onTrouble });
    await following.drain();
    return following;
  };
  const server = await follow();
  const rests = (at: number) => server.apply({ from: 'agent', kind: 'state', at, status: 'idle', detail: 'idle' });
  rests(500);
  const before = server.state;
  expect([before.is, before.turn?.number]).toEqual(['idle', 150]);
  expect(await restSignals(server, 10 * minute)).toBe(true);
  expect(existsSync(signalsPath(dir))).toBe(false);
  expect(statSync(earlierSignalsPath(dir)).size).toBeLessThan(80_000);
  expect([server.state, server.soFar.signalsAt]).toEqual([before, 0]);
  appendFileSync(signalsPath(dir), turn(1_000));
  await server.drain();
  rests(1_002);
  expect([server.state.is, server.state.turn?.number]).toEqual(['idle', 151]);
  const other = await follow();
  const known = ({ state: { facts }, agentSessionId }: Following) => [facts.readyAt, facts.witness, agentSessionId];
  expect(known(other)).toEqual(known(server));
  await Promise.all([server.close(), other.close()]);
});
