// What is sent is what the model is asked, byte for byte, and nothing of it runs on the way.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

const anything = z.looseObject({});

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew();
});
afterAll(() => crew.dispose());

const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i} of "many" lines`).join('\n');
const sized = (bytes: number) => 'All work and no play, ünd so weiter. 🚀 \n'.repeat(Math.ceil(bytes / 44)).trim();

/** Names to texts; where two are given, the second is what must arrive. */
const texts: Readonly<Record<string, readonly [string, string?]>> = {
  'a path': ['/etc/hosts is a file'],
  'a leading exclamation mark': ['!touch ran-from-bang'],
  'a leading hash': ['# remember this'],
  'a leading at sign': ['@nobody look at this'],
  'a leading dash': ['--version'],
  'a trailing backslash': ['ends in a backslash \\'],
  'a trailing semicolon': ['ends in a semicolon;'],
  'quotes and substitutions': ['\'a\' "b" `touch ran-tick` $(touch ran-sub) ${HOME} %s \\n'],
  'tmux formats': ['#{pane_id} #(touch ran-format) #[fg=red] #S'],
  'control characters': ['one\u0003two\u001b[31mthree\u0000\u007f', 'onetwo[31mthree'],
  CRLF: ['one\r\ntwo\r\n', 'one\ntwo'],
  'blank around it': ['\n\n  in the middle  \n\n', 'in the middle'],
  unicode: ['Grüße, 世界 👩‍👩‍👧 café'],
  'key names': ['Enter'],
  'four lines': ['one\n\ntwo\n\n\nthree'],
  '20 lines': [lines(20)],
  '1 KB': [sized(1_000)],
  '10 KB': [sized(10_000)],
  '100 KB': [sized(100_000)],
};
/** The prompt box has no tabs. */
const typedOnly: typeof texts = { tabs: ['a\tb\n\tc', 'a    b\n    c'] };
const promptOnly: typeof texts = { tabs: ['a\tb\n\tc'] };
const rowsOf = (more: typeof texts) =>
  Object.entries({ ...texts, ...more }).map(([name, [text, expected = text]]) => ({ name, text, expected }));
type Row = ReturnType<typeof rowsOf>[number];

const ran = (of: Worker) =>
  ['ran-from-bang', 'ran-tick', 'ran-sub', 'ran-format'].filter((name) => existsSync(join(of.project_path, name)));

/** What went wrong when the requests of `of` since `since` are not the one prompt expected; empty when all is well. */
function amiss(of: Worker, row: Row, since: number): string[] {
  const asked = requestsOf(of).slice(since);
  if (asked.length === 1 && asked[0]?.prompt === row.expected) return [];
  return [`${row.name}: ${JSON.stringify(asked.map((r) => r.prompt.slice(0, 200)))}`];
}
// A first prompt that begins with a slash comes without the words that tell the folder.
const requestsOf = (of: Worker) =>
  crew.home.model.requests.filter(
    (r) => r.kind === 'turn' && (r.cwd === of.project_path || r.conversation === of.agent_session_id),
  );

describe.concurrent('arrives byte for byte', { timeout: 180_000 }, () => {
  test('every text as a first prompt', async () => {
    const table = rowsOf(promptOnly);
    const failed: string[] = [];
    for (let i = 0; i < table.length; i += 5) {
      const batch = table.slice(i, i + 5);
      const made = await crew.spawn(...batch.map(({ text }) => ({ prompt: text })));
      expect(made.failed).toEqual([]);
      const session_ids = made.sessions.map((w) => w.session_id);
      const answer = await crew.wait(session_ids, { timeout: 60 });
      if (!answer.all_idle) failed.push(JSON.stringify(answer));
      for (const [k, row] of batch.entries()) {
        const worker = made.sessions[k];
        if (worker === undefined) throw new Error(`No worker for ${row.name}`);
        failed.push(...amiss(worker, row, 0));
        expect(ran(worker)).toEqual([]);
      }
      await crew.call('close_workers', anything, { session_ids, force: true });
    }
    expect(failed).toEqual([]);
  });

  test('every text as a message to an idle worker', async () => {
    const worker = await crew.one({});
    const failed: string[] = [];
    for (const row of rowsOf(typedOnly)) {
      const before = requestsOf(worker).length;
      const outcome = await crew.message(worker, row.text, { wait_mode: 'all', timeout: 40 });
      if (outcome.verdict !== 'submitted') failed.push(`${row.name}: ${JSON.stringify(outcome)}`);
      failed.push(...amiss(worker, row, before));
    }
    expect(failed).toEqual([]);
    expect(ran(worker)).toEqual([]);
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('every text but the longest as a message to a working worker', async () => {
    const worker = await crew.one({});
    const failed: string[] = [];
    for (const [i, row] of rowsOf(typedOnly)
      .filter(({ text }) => text.length < 50_000)
      .entries()) {
      const hold = `busy${i}`;
      await crew.message(worker, `HOLD ${hold}\nSAY ok`);
      await crew.home.model.waitFor(hold, (r) => r.cwd === worker.project_path && r.prompt.includes(`HOLD ${hold}\n`));
      const before = requestsOf(worker).length;
      const outcome = await crew.message(worker, row.text);
      crew.home.model.release(hold);
      await crew.idle(worker);
      if (outcome.verdict !== 'queued') failed.push(`${row.name}: ${JSON.stringify(outcome)}`);
      failed.push(...amiss(worker, row, before));
    }
    expect(failed).toEqual([]);
    expect(ran(worker)).toEqual([]);
    expect(crew.falseIdles(worker)).toEqual([]);
  });
});
