import { appendFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claudeSessions } from '../../src/agents/claude/sessions.ts';
import type { Clock } from '../../src/model/clock.ts';
import { UsageIndex } from '../../src/sessions/usage-index.ts';
import { systemClock } from '../../src/system/clock.ts';
import { type Ledger, spentOf } from '../../src/usage/ledger.ts';
import { handClock } from '../jsonl/hand-clock.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { answer } from './usage-lines.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const inputOf = (ledger: Ledger | undefined) => ledger && (spentOf(ledger).tokens[0]?.inputTokens ?? 0);
const filler = `${JSON.stringify({ type: 'user', text: 'y'.repeat(1_000) })}\n`;

function watched(clock: Clock = systemClock) {
  const index = new UsageIndex(clock);
  const seen: string[] = [];
  const trace = (name: string) => {
    const path = join(sandbox.root, name);
    const { size = 0, mtimeMs: modifiedAt = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const usageIn: typeof claudeSessions.usageIn = (line, file) => {
      if (line !== '') seen.push(`${name} ${line}`);
      return claudeSessions.usageIn(line, file);
    };
    return { agent: { usageIn }, file: { path, size, modifiedAt, agentSessionId: name } };
  };
  const now = async (name: string) => inputOf((await index.ledgersOf([trace(name)]))?.[0]);
  return {
    index,
    seen,
    now,
    trace,
    /** What is known once all is read that was asked for. */
    whole: (name: string) =>
      eventually(`${name} is read`, async () => {
        const input = await now(name);
        index.readOn();
        return input === undefined ? undefined : `${input}`;
      }),
  };
}
const write = (name: string, text: string) => writeFileSync(join(sandbox.root, name), text);
const append = (name: string, text: string) => appendFileSync(join(sandbox.root, name), text);

it('a transcript says nothing until it was read aside, and then what is new is read within a call', async () => {
  const { index, seen, now, whole } = watched();
  write('a', `${answer('m1')}\n${answer('m2')}\n`);
  expect(await now('a')).toBeUndefined();
  expect(seen).toEqual([]);
  index.readOn();
  expect(await whole('a')).toBe('200');
  expect(seen.splice(0)).toEqual([`a ${answer('m1')}`, `a ${answer('m2')}`]);
  expect(await now('a')).toBe(200);
  expect(seen).toEqual([]);
  append('a', `${answer('m3')}\n${answer('m4').slice(0, 20)}`);
  expect(await now('a')).toBe(300);
  append('a', `${answer('m4').slice(20)}\n`);
  expect(await now('a')).toBe(400);
  expect(seen).toEqual([`a ${answer('m3')}`, `a ${answer('m4')}`]);
});

it('a transcript that has grown by much is left to the reading aside, which goes on where it was', async () => {
  const { seen, now, whole } = watched();
  write('a', `${answer('m1')}\n`);
  await whole('a');
  seen.splice(0);
  append('a', `${filler.repeat(400)}${answer('m2')}\n`);
  expect(await now('a')).toBeUndefined();
  expect(seen).toEqual([]);
  expect(await whole('a')).toBe('200');
  expect(seen.length).toBe(401);
});

it('a line that is longer than a slice is read whole', async () => {
  const { whole } = watched();
  write(
    'a',
    `${JSON.stringify({ text: 'x'.repeat(900_000) })}\n${answer('m1')}\n${filler.repeat(300)}${answer('m2')}\n`,
  );
  expect(await whole('a')).toBe('200');
});

it.each([
  ['cut', () => write('a', `${answer('m9')}\n`)],
  ['written anew, and longer', () => write('a', `${filler}${filler}${answer('m9')}\n`)],
  [
    'replaced by one of the same length',
    () => {
      write('b', `${answer('m9')}\n${answer('m9')}\n`);
      renameSync(join(sandbox.root, 'b'), join(sandbox.root, 'a'));
    },
  ],
])('a transcript that was %s is counted anew', async (_, change) => {
  const { whole } = watched();
  write('a', `${answer('m1')}\n${answer('m2')}\n`);
  expect(await whole('a')).toBe('200');
  change();
  expect(await whole('a')).toBe('100');
});

it('the newest are read first, one slice at a time, and none after the end', async () => {
  const clock = handClock();
  const { index, seen, trace } = watched(clock);
  for (const [at, name] of ['old', 'new', 'newer'].entries()) {
    write(name, filler.repeat(400));
    utimesSync(join(sandbox.root, name), at, at);
  }
  await index.ledgersOf(['old', 'new', 'newer'].map(trace));
  expect(clock.timers).toBe(0);
  index.readOn();
  index.readOn();
  expect(clock.timers).toBe(1);
  for (const slices of [1, 2, 3]) {
    clock.advance(1_000);
    await eventually(`slice ${slices} is read`, () => clock.timers === 1 && seen.length > 0);
  }
  expect([...new Set(seen.map((line) => line.split(' ')[0]))]).toEqual(['newer', 'new']);
  expect(seen.length).toBeLessThan(800);
  index.stop();
  expect(clock.timers).toBe(0);
});

it('a file that is gone and one that is no plain file end the reading', async () => {
  const clock = handClock();
  const { index, trace } = watched(clock);
  sandbox.dir('folder');
  expect(await index.ledgersOf([trace('gone'), trace('folder')])).toBeUndefined();
  index.readOn();
  await eventually('all was tried', () => {
    clock.advance(1_000);
    return clock.timers === 0 && clock.now();
  });
  expect(await index.ledgersOf([trace('gone')])).toBeUndefined();
});
