// Fresh servers by the hundred, several at a time: each answers `initialize`, or the drill tells how it ended.
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { bundle } from '../e2e/crew.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { drill, numberIn } from './drill.ts';

const starts = numberIn('CREWMUX_DRILL_STARTS', 40);
const atOnce = 4;
const perStartMs = 3_000;
const answerMs = 60_000;

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'drill', version: '0' } },
};
const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };

drill(
  'a fresh server answers initialize, however many start at once',
  async () => {
    const box = makeSandbox();
    try {
      const begun = { count: 0 };
      const silent = await Promise.all(Array.from({ length: atOnce }, () => startAll(box, begun)));
      expect(silent.flat()).toEqual([]);
      expect(begun.count).toBe(starts);
    } finally {
      box.dispose();
    }
  },
  { ceilingMs: starts * perStartMs },
);

/** Starts the next server for as long as any is to be started; returns what became of those that did not answer. */
async function startAll(box: Sandbox, begun: { count: number }): Promise<readonly string[]> {
  const silent: string[] = [];
  while (begun.count < starts) {
    begun.count += 1;
    const told = await shakeHands(box, begun.count);
    if (told !== undefined) silent.push(told);
  }
  return silent;
}

/** Resolves when the server has ended: to nothing where it answered first, else to how it ended and what it wrote. */
function shakeHands(box: Sandbox, number: number): Promise<string | undefined> {
  const cwd = box.dir(`project-${number % atOnce}`);
  const child = spawn(process.execPath, [bundle], { cwd, env: box.env, stdio: ['pipe', 'pipe', 'pipe'] });
  let [answer, errors] = ['', ''];
  let isAnswered = false;
  const tooLate = setTimeout(() => child.kill('SIGKILL'), answerMs);
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  child.stdout.on('data', (chunk) => {
    answer += String(chunk);
    if (isAnswered || !answer.includes('"protocolVersion"')) return;
    isAnswered = true;
    // Some end at once, and others while they open the crew.
    child.stdin.end(number % 2 === 0 ? '' : `${JSON.stringify(ready)}\n`);
  });
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`start ${number}: ${error.message}`));
    child.once('close', (code, signal) => {
      clearTimeout(tooLate);
      const end = `start ${number} ended with ${signal ?? code}`;
      if (!isAnswered) resolve(`${end} before it answered; stdout ${JSON.stringify(answer)}, stderr ${errors}`);
      else resolve(code === 0 ? undefined : `${end} after it answered; stderr ${errors}`);
    });
  });
}
