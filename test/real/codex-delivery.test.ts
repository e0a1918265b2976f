// What is sent to Codex is what its model is asked, byte for byte: at once, in the turn that runs, or after it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i} of "many" lines`).join('\n');
const sized = (bytes: number) => 'All work and no play, ünd so weiter. 🚀 \n'.repeat(Math.ceil(bytes / 44)).trim();

/** Names to texts; where two are given, the second is what must arrive. */
const texts: Readonly<Record<string, readonly [string, string?]>> = {
  'a path': ['/etc/hosts is a file'],
  'a command of its own': ['/compact now'],
  'a lone slash': ['/'],
  'a leading exclamation mark': ['!touch ran-from-bang'],
  'a leading dash': ['--version'],
  'the word of a subcommand': ['resume'],
  'a trailing file': ['look at @README'],
  'a leading dollar': ['$imagegen is a word'],
  'a trailing backslash': ['ends in a backslash \\'],
  'a trailing semicolon': ['ends in a semicolon;'],
  'quotes and substitutions': ['\'a\' "b" `touch ran-tick` $(touch ran-sub) ${HOME} %s \\n'],
  'tmux formats': ['#{pane_id} #(touch ran-format) #[fg=red] #S'],
  'control characters': ['one\u0003two\u001b[31mthree\u0000\u007f', 'onetwo[31mthree'],
  CRLF: ['one\r\ntwo\r\n', 'one\ntwo'],
  'blank around it': ['\n\n  in the middle  \n\n', 'in the middle'],
  tabs: ['a\tb\n\tc'],
  unicode: ['Grüße, 世界 👩‍👩‍👧 café'],
  'key names': ['Enter'],
  'four lines': ['one\n\ntwo\n\n\nthree'],
  '20 lines': [lines(20)],
  '10 KB': [sized(10_000)],
  '100 KB': [sized(100_000)],
};
const rows = Object.entries(texts).map(([name, [text, expected = text]]) => ({ name, text, expected }));

const requestsOf = (of: Worker) =>
  crew.home.model.requests.filter((r) => r.kind === 'turn' && r.cwd === of.project_path);
const ran = (of: Worker) =>
  ['ran-from-bang', 'ran-tick', 'ran-sub', 'ran-format'].filter((name) => existsSync(join(of.project_path, name)));
const busy = async (hold: string): Promise<Worker> => {
  const worker = await crew.one({ agent_type: 'codex', prompt: `HOLD ${hold}\nSAY released` });
  await crew.home.model.waitFor(hold, (r) => r.cwd === worker.project_path && r.prompt.includes(hold));
  return worker;
};

describe.concurrent('to Codex', { timeout: 180_000 }, () => {
  test('every text arrives as a first prompt', async () => {
    const failed: string[] = [];
    for (let i = 0; i < rows.length; i += 6) {
      const batch = rows.slice(i, i + 6);
      const made = await crew.spawn(...batch.map(({ text: prompt }) => ({ agent_type: 'codex', prompt })));
      expect(made.failed).toEqual([]);
      await crew.wait(
        made.sessions.map((w) => w.session_id),
        { timeout: 60 },
      );
      for (const [k, row] of batch.entries()) {
        const worker = made.sessions[k];
        if (worker === undefined) throw new Error(`no worker for ${row.name}`);
        const prompts = requestsOf(worker).map(({ prompt }) =>
          row.text.startsWith('!') ? prompt.trimStart() : prompt,
        );
        if (prompts.length !== 1 || prompts[0] !== row.expected)
          failed.push(`${row.name}: ${JSON.stringify(prompts).slice(0, 200)}`);
        expect(ran(worker)).toEqual([]);
      }
    }
    expect(failed).toEqual([]);
  });

  test('every text arrives as a message', async () => {
    const worker = await crew.one({ agent_type: 'codex' });
    const failed: string[] = [];
    for (const row of rows) {
      const before = requestsOf(worker).length;
      const outcome = await crew.message(worker, row.text, { wait_mode: 'all', timeout: 30 });
      const prompts = requestsOf(worker)
        .slice(before)
        .map((r) => r.prompt);
      if (outcome.verdict !== 'submitted') failed.push(`${row.name}: ${JSON.stringify(outcome)}`);
      if (prompts.length !== 1 || prompts[0] !== row.expected)
        failed.push(`${row.name}: ${JSON.stringify(prompts).slice(0, 200)}`);
    }
    expect(failed).toEqual([]);
    expect(ran(worker)).toEqual([]);
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('a queued message has a turn of its own, after the running one', async () => {
    const worker = await busy('codex-queue');
    expect(await crew.message(worker, `SAY ${lines(6)}`)).toMatchObject({
      verdict: 'queued',
      evidence: { source: 'screen' },
    });
    expect(await crew.message(worker, '!SAY third')).toMatchObject({ verdict: 'queued' });
    const waiting = crew.wait([worker.session_id]);
    crew.home.model.release('codex-queue');
    expect(await waiting).toMatchObject({ all_idle: true });
    expect(requestsOf(worker).map((r) => r.prompt.slice(0, 10))).toEqual(['HOLD codex', 'SAY Line 0', '!SAY third']);
    expect(requestsOf(worker)[0]?.end?.how).toBe('end_turn');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('a steering message joins the turn that runs, at once', async () => {
    const worker = await busy('codex-steer');
    expect(await crew.message(worker, 'SAY steered', { delivery: 'steer' })).toMatchObject({ verdict: 'submitted' });
    expect(await crew.idle(worker)).toMatchObject({ turn: { ended_by: 'completed' } });
    const asked = requestsOf(worker);
    expect(asked.at(-1)?.texts).toEqual(['HOLD codex-steer\nSAY released', 'SAY steered']);
    expect(asked[0]?.end?.how).toBe('closed');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('a message that a running tool holds up says that it is queued', async () => {
    const worker = await crew.one({ agent_type: 'codex', prompt: 'BASH sleep 3\nSAY after the tool' });
    await eventually('the tool runs', () => crew.screen(worker).includes('sleep 3'));
    expect(await crew.message(worker, 'SAY besides', { delivery: 'steer' })).toMatchObject({ verdict: 'queued' });
    await crew.idle(worker);
    expect(requestsOf(worker).at(-1)?.prompt).toBe('SAY besides');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('an interrupting message ends the turn and what was queued, and begins its own', async () => {
    const worker = await busy('codex-interrupt');
    expect(await crew.message(worker, 'SAY dropped')).toMatchObject({ verdict: 'queued' });
    const outcome = await crew.message(worker, 'SAY instead', { delivery: 'interrupt', wait_mode: 'all', timeout: 30 });
    expect(outcome).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    expect(requestsOf(worker).map((r) => r.prompt.split('\n')[0])).toEqual(['HOLD codex-interrupt', 'SAY instead']);
  });

  test('nothing is typed where a person is typing', async () => {
    const worker = await crew.one({ agent_type: 'codex' });
    crew.keys(worker, '-l', 'half a thought');
    await eventually('the draft is drawn', () => crew.screen(worker).includes('half a thought'));
    expect(await crew.message(worker, 'SAY hello')).toMatchObject({ success: false, verdict: 'held' });
    expect(await crew.message(worker, 'SAY hello', { delivery: 'steer' })).toMatchObject({ verdict: 'held' });
    crew.keys(worker, 'C-u');
    await eventually('the draft is gone', () => !crew.screen(worker).includes('half a thought'));
    expect(await crew.message(worker, 'SAY hello', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  });
});
