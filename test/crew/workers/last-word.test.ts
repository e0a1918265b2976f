import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { codexAgent } from '../../../src/agents/codex/codex.ts';
import { Following } from '../../../src/crew/workers/following.ts';
import { conflictsOf } from '../../../src/crew/workers/keep-last-words.ts';
import { isLastWord, type LastWord, lastWordFile, readLastWord } from '../../../src/crew/workers/last-word.ts';
import { StateFiles } from '../../../src/crew/workers/state-files.ts';
import { systemClock } from '../../../src/system/clock.ts';
import type { TurnState } from '../../../src/turn/reduce-turn.ts';
import { recordingsOf } from '../../agents/recordings.ts';
import { workerRecord } from '../../support/records.ts';
import { type Loose, launched, play, ready } from '../../turn/turn-signals.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'crewmux-last-word-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

/** A launch whose files hold the first lines of a recording, and may be given the rest. */
function launchOf(name: string, agent: typeof claudeAgent, folder: string) {
  const dir = join(root, name);
  mkdirSync(dir, { recursive: true });
  const recorded = join(recordingsOf(agent), folder);
  const transcriptPath = join(dir, 'transcript.jsonl');
  const transcript = linesOf(join(recorded, 'transcript.jsonl'));
  // A start names the file of the recording.
  const hooks = linesOf(join(recorded, 'signals.jsonl')).filter((line) =>
    agent.decodeHook(line).every(({ kind }) => kind !== 'ready'),
  );
  const { launch, ...rest } = workerRecord({ agentType: agent.type });
  const record = { ...rest, launch: { ...launch, dir, transcriptPath } };
  writeFileSync(transcriptPath, '');
  return {
    lines: transcript.length,
    append(from: number, to: number) {
      const share = (at: number) => Math.round((at / transcript.length) * hooks.length);
      appendFileSync(
        transcriptPath,
        transcript
          .slice(from, to)
          .map((line) => `${line}\n`)
          .join(''),
      );
      appendFileSync(
        join(dir, 'signals.jsonl'),
        hooks
          .slice(share(from), share(to))
          .map((line) => `${line}\n`)
          .join(''),
      );
    },
    async follow(word?: LastWord) {
      const stateFiles = new StateFiles(systemClock);
      const onTrouble = (error: unknown) => {
        throw error;
      };
      const following = new Following(record, { agent, clock: systemClock, stateFiles, onTrouble, word });
      await following.drain();
      const { soFar } = following;
      await following.close();
      return soFar;
    },
  };
}

const overWire = (soFar: Omit<LastWord, 'v' | 'conflictsWith'>): LastWord =>
  JSON.parse(JSON.stringify({ v: 2, ...soFar, conflictsWith: [] }));

describe('the last word of a server', () => {
  it.each([
    ['claude', claudeAgent, '2.1.329/queued-merged'],
    ['claude that asked', claudeAgent, '2.1.329/permission-allowed'],
    ['codex', codexAgent, '0.169.0/queued-turn'],
  ])('is gone on from, at any line, to where one who read all stands: %s', async (name, agent, folder) => {
    const whole = launchOf(`${name}-whole`, agent, folder);
    whole.append(0, whole.lines);
    const all = await whole.follow();
    for (const at of [0, 1, Math.floor(whole.lines / 2), whole.lines - 1, whole.lines]) {
      const cut = launchOf(`${name}-${at}`, agent, folder);
      cut.append(0, at);
      const word = overWire(await cut.follow());
      expect(isLastWord(word)).toBe(true);
      cut.append(at, cut.lines);
      const { state, transcript } = await cut.follow(word);
      expect({ is: state.is, soFar: overWire({ ...all, transcript }).transcript.soFar }).toEqual({
        is: all.state.is,
        soFar: overWire(all).transcript.soFar,
      });
    }
  });

  const asked = { from: 'hook', kind: 'permission', waitingFor: 'permission', tool: 'Bash' } as const;
  const login = { waitingFor: 'login', title: 'Log in', text: 'Select login method', options: [] } as const;
  it.each<[string, TurnState['is'], typeof claudeAgent, readonly Loose[]]>([
    ['a restarted codex that rests', 'idle', codexAgent, [ready]],
    [
      'a described agent at work',
      'working',
      claudeAgent,
      [{ from: 'screen', kind: 'stirs', detail: 'busy', isTurn: true }],
    ],
    ['a worker that is not logged in', 'waiting', claudeAgent, [{ from: 'screen', kind: 'dialog', dialog: login }]],
    [
      'two requests of one second',
      'waiting',
      claudeAgent,
      [
        { ...asked, requestId: '1a2b3c4d', input: { command: 'ls' } },
        { ...asked, requestId: '2a2b3c4d', input: { command: 'pwd' } },
      ],
    ],
  ])('gives whoever looks the state and ages that the server tells: %s', async (name, is, agent, signals) => {
    const launch = launchOf(name, agent, agent.type === 'codex' ? '0.169.0/queued-turn' : '2.1.329/plain-turn');
    launch.append(0, launch.lines);
    const read = overWire(await launch.follow());
    const state = play([launched, ...signals]);
    const seen = (await launch.follow(overWire({ ...read, state }))).state;
    const told = ({ is, since, waitingFor, requests }: TurnState) => ({ is, since, waitingFor, requests });
    expect(told(seen)).toEqual(told(state));
    expect(seen.is).toBe(is);
  });

  it('of another shape, half written or missing is none', async () => {
    const launch = launchOf('shapes', claudeAgent, '2.1.329/plain-turn');
    launch.append(0, launch.lines);
    const word = overWire(await launch.follow());
    const { asked: _, ...facts } = word.state.facts;
    const wrong: readonly unknown[] = [
      undefined,
      {},
      { ...word, v: 1 },
      { ...word, signalsAt: 'far' },
      { ...word, state: { ...word.state, is: 'asleep' } },
      { ...word, state: { ...word.state, facts } },
      { ...word, transcript: { ...word.transcript, soFar: {} } },
    ];
    expect(wrong.map(isLastWord)).toEqual(wrong.map(() => false));
    const dir = join(root, 'files');
    mkdirSync(dir);
    expect(readLastWord(dir)).toBeUndefined();
    writeFileSync(join(dir, lastWordFile), JSON.stringify(word).slice(0, 90));
    expect(readLastWord(dir)).toBeUndefined();
    writeFileSync(join(dir, lastWordFile), JSON.stringify(word));
    expect(readLastWord(dir)).toEqual(word);
  });

  it('names each other worker and base of a conflict once', () => {
    const foreseen = [
      { name: 'Ada', with: 'Bruno', files: ['a'] },
      { name: 'Bruno', with: 'Ada', files: ['a'] },
      { name: 'Ada', with: 'main', files: ['b'] },
      { name: 'Bruno', with: 'main', files: ['b'] },
    ];
    expect(conflictsOf({ name: 'Ada' }, foreseen)).toEqual(['Bruno', 'main']);
    expect(conflictsOf({ name: 'Clara' }, foreseen)).toEqual([]);
  });
});
