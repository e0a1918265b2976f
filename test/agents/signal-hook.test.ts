import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signalCommand } from '../../src/agents/signal-hook.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

const runHook = async (path: string, payload: string): Promise<{ code: unknown; said: string }> => {
  const hook = spawn('sh', ['-c', signalCommand({ marker: 'm', signalsPath: path })], { env: box.env });
  const said: string[] = [];
  hook.stdout.on('data', (chunk) => said.push(String(chunk)));
  hook.stderr.on('data', (chunk) => said.push(String(chunk)));
  hook.stdin.end(payload);
  const [code] = await once(hook, 'close');
  return { code, said: said.join('') };
};

test('a payload becomes one line with the time, also when it ends in a line feed', async () => {
  const path = join(box.root, "it's here.jsonl");
  expect(await runHook(path, '{"a":"x\\ny %s \\\\"}\n')).toEqual({ code: 0, said: '' });
  const text = readFileSync(path, 'utf8');
  expect(text.split('\n')).toHaveLength(2);
  const line = JSON.parse(text);
  expect(line.payload).toEqual({ a: 'x\ny %s \\' });
  expect(Math.abs(line.at - Date.now())).toBeLessThan(60_000);
});

test('large payloads of hooks that run side by side do not mix', async () => {
  const path = join(box.root, 'signals.jsonl');
  const payloads = Array.from({ length: 12 }, (_, i) => ({ i, big: String(i % 10).repeat(300_000) }));
  await Promise.all(payloads.map((payload) => runHook(path, JSON.stringify(payload))));
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).payload.i).sort((a, b) => a - b)).toEqual(payloads.map(({ i }) => i));
});

test('a folder that is gone disturbs nobody', async () => {
  expect(await runHook(join(box.root, 'gone', 'signals.jsonl'), '{}')).toEqual({ code: 0, said: '' });
});

test('a date that knows no milliseconds still gives whole ones', () => {
  const path = join(box.root, 'signals.jsonl');
  const bsdDate = 'date() { if [ "$1" = "+%s%3N" ]; then echo 17000000003N; else echo 1700000000; fi; }; ';
  execFileSync('sh', ['-c', bsdDate + signalCommand({ marker: 'm', signalsPath: path })], {
    input: '{}',
    env: box.env,
  });
  expect(readFileSync(path, 'utf8')).toBe('{"at":1700000000000,"payload":{}}\n');
});
