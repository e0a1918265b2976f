import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLog } from '../../src/system/log.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const clock = { now: () => 0, after: () => () => undefined };

function open(path: string) {
  const lines: string[] = [];
  return { lines, log: openLog({ path, level: () => 'warn', clock, stderr: (line) => lines.push(line) }) };
}

it('an entry goes to stderr in one line and to the file with its stack, for the owner alone', () => {
  const path = join(sandbox.root, 'state/crewmux.log');
  const { log, lines } = open(path);
  log.write('error', 'it broke', new Error('cause'));
  log.write('info', 'below the level');
  expect(lines).toEqual(['crewmux error: it broke\n']);
  expect(readFileSync(path, 'utf8')).toMatch(/^1970-01-01T00:00:00.000Z crewmux error: it broke\nError: cause\n +at /);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('a file that has grown large makes room for a new one', () => {
  const path = join(sandbox.root, 'crewmux.log');
  writeFileSync(path, 'x'.repeat(1_000_001));
  open(path).log.write('warn', 'next');
  expect(statSync(`${path}.1`).size).toBe(1_000_001);
  expect(statSync(path).size).toBeLessThan(100);
});

it('a disk that cannot be written to leaves stderr', () => {
  writeFileSync(join(sandbox.root, 'file'), '');
  const { log, lines } = open(join(sandbox.root, 'file/crewmux.log'));
  log.write('error', 'said');
  expect(lines).toEqual(['crewmux error: said\n']);
});
