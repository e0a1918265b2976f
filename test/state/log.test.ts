import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LogLevel, logLevelOf, openLog } from '../../src/state/log.ts';
import { handClock } from '../jsonl/hand-clock.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let path: string;
beforeEach(() => {
  sandbox = makeSandbox();
  path = join(sandbox.root, 'log.jsonl');
});
afterEach(() => sandbox.dispose());

const open = (level: LogLevel, more: { maxBytes?: number; path?: string } = {}) =>
  openLog({ path, level, clock: handClock(0), pid: 7, ...more });

test('what is as grave as the level or graver is written, the rest is not', () => {
  const log = open('warn');
  log.error('broke', { code: 2 });
  log.warn('odd');
  log.info('fine');
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { v: 1, at: '1970-01-01T00:00:00.000Z', level: 'error', pid: 7, message: 'broke', facts: { code: 2 } },
    { v: 1, at: '1970-01-01T00:00:00.000Z', level: 'warn', pid: 7, message: 'odd', facts: {} },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('the log and the one before it stay within twice the bound and a line', () => {
  const log = open('info', { maxBytes: 2_000 });
  for (let i = 0; i < 500; i++) log.info('x'.repeat(100));
  const [now, before] = [statSync(path).size, statSync(`${path}.1`).size];
  expect(now + before).toBeLessThan(4_600);
});

test('a very long text is cut', () => {
  open('info').info('x'.repeat(100_000), { detail: 'y'.repeat(100_000) });
  expect(statSync(path).size).toBeLessThan(3_000);
});

test('a log that cannot be written does not throw', () => {
  const nowhere = join(sandbox.root, 'not', 'there', 'log');
  expect(() => open('debug', { path: nowhere }).error('lost')).not.toThrow();
  expect(existsSync(nowhere)).toBe(false);
});

test.each([
  ['debug', 'debug'],
  [' WARN ', 'warn'],
  ['loud', undefined],
])('the word %j names the level %j', (word, level) => {
  expect(logLevelOf(word)).toBe(level);
});
