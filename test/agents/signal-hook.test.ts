import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askingCommand, awaitConnected, beforehandCommand, signalCommand } from '../../src/agents/signal-hook.ts';
import { connectedPathOf } from '../../src/store/worker-token.ts';
import { run } from '../../src/system/exec.ts';
import { noteConnected } from '../../src/worker/connected.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

const runHook = (path: string, payload: string) => runLine(signalCommand({ marker: 'm', signalsPath: path }), payload);

const runLine = async (command: string, payload: string): Promise<{ code: unknown; said: string }> => {
  const hook = spawn('sh', ['-c', command], { env: box.env });
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

test.each([
  ['a heard event', (signalsPath: string) => signalCommand({ marker: 'm', signalsPath })],
  ['a question that our program cannot take', () => askingCommand(askingBy('/nowhere/node'))],
])('only its owner may read the file that %s makes, also where it was removed meanwhile', async (_, commandFor) => {
  const path = join(box.root, 'signals.jsonl');
  const command = `umask 000; ${commandFor(path)}`;
  for (const round of [1, 2]) {
    expect(await runLine(command, JSON.stringify({ round }))).toEqual({ code: 0, said: '' });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    rmSync(path);
  }
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

const askingBy = (...program: string[]) => ({
  ...{ marker: 'm', agent: 'claude', program, launchDir: join(box.root, 'workers/a/launches/1') },
  signalsPath: join(box.root, 'signals.jsonl'),
});
const signalled = () =>
  existsSync(join(box.root, 'signals.jsonl')) ? readFileSync(join(box.root, 'signals.jsonl'), 'utf8') : '';

test('a program that answers is heard, and signals for itself', async () => {
  const payload = `{"a":"it's \\n $HOME ${'x'.repeat(300_000)}"}`;
  const program = writeProgram('cat >"$0.told"; echo "$NODE_OPTIONS$*" >"$0.words"; printf yes');
  expect(await runLine(askingCommand({ ...askingBy(program), ownServer: 'crew' }), payload)).toEqual({
    code: 0,
    said: 'yes',
  });
  expect(readFileSync(`${program}.told`, 'utf8')).toBe(payload);
  expect(readFileSync(`${program}.words`, 'utf8')).toMatch(/^hook --dir .* --agent claude --own crew --at \d+\n$/);
  await runLine(askingCommand({ ...askingBy(program), isUnasked: true }), payload);
  expect(readFileSync(`${program}.words`, 'utf8')).toMatch(/ --agent claude --unasked --at \d+\n$/);
  expect(signalled()).toBe('');
});

test.each([
  ['is missing', '/nowhere/node'],
  ['fails', 'exit 1'],
  ['is killed', 'kill -9 $$'],
])('where the program %s the plain signal is written, and nothing is said', async (_, words) => {
  const program = words.startsWith('/') ? words : writeProgram(`cat >/dev/null; ${words}`);
  expect(await runLine(askingCommand(askingBy(program)), '{"a":1}\n')).toEqual({ code: 0, said: '' });
  expect(JSON.parse(signalled()).payload).toEqual({ a: 1 });
});

const beforehand = (program: string, unjudged: string) =>
  beforehandCommand({
    ...askingBy(program),
    unjudged,
    tripwire: [['rm '], ["it's"], ['git', ' -f'], ['git', 'push'], ['curl', 'sh']],
  });

test('before a tool nothing that is to be judged goes unjudged', async () => {
  const payload = '{"tool_input":{"command":"rm x"}}';
  expect(await runLine(beforehand('/nowhere/node', 'NOT "JUDGED"'), payload)).toEqual({
    code: 0,
    said: 'NOT "JUDGED"',
  });
  expect(signalled()).toBe('');
});

test.each([
  ['rm -rf x', true],
  ["echo it's", true],
  ['git status && git push', true],
  ['make -f x; git log', true],
  ['curl x | sh', true],
  ['ls', false],
  ['push -f', false],
  ['curl x', false],
  ['x'.repeat(300_000), false],
])('before a tool our program starts for words of the tripwire alone: %#', async (command, looks) => {
  const program = writeProgram('cat >"$0.told"; printf looked');
  const payload = JSON.stringify({ cwd: '/rm /curl/sh', tool_name: 'Bash', tool_input: { command } });
  expect(await runLine(beforehand(program, 'NOT'), payload)).toEqual({ code: 0, said: looks ? 'looked' : '' });
  if (looks) expect(readFileSync(`${program}.told`, 'utf8')).toBe(payload);
});

const bash = { session_id: 'a', permission_mode: 'acceptEdits', tool_name: 'Bash', tool_input: { command: 'ls' } };
const kept = { tool: 'Bash', allowed: '{"it\'s":"kept"}' };

test.each([
  ['a command is allowed', bash, kept.allowed],
  ['another tool is not', { ...bash, tool_name: 'Write' }, ''],
  ['nor one that names the tool in its input', { ...bash, tool_name: 'x', tool_input: { tool_name: 'Bash' } }, ''],
  ['nor a command of an agent that only plans', { ...bash, permission_mode: 'plan' }, ''],
  ['a word of the tripwire goes to our program', { ...bash, tool_input: { command: 'rm x' } }, 'looked'],
  ['whatever follows the input', { ...bash, permission_mode: 'x', late: 'y'.repeat(300_000) }, kept.allowed],
])('where the sandbox keeps what is done, %s', async (_, payload, said) => {
  const program = writeProgram('cat >/dev/null; echo "$*" >"$0.words"; printf looked');
  const line = beforehandCommand({ ...askingBy(program), unjudged: 'NOT', tripwire: [['rm ']], kept });
  expect(await runLine(line, JSON.stringify(payload))).toEqual({ code: 0, said });
  if (said === 'looked') expect(readFileSync(`${program}.words`, 'utf8')).toMatch(/ --unasked --at \d+\n$/);
});

function writeProgram(script: string): string {
  const path = join(box.root, `program-${script.length}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

describe('the wait before the first prompt', () => {
  const token = () => join(box.dir('gate'), 'badge.json');
  const wait = (path: string) =>
    run('/bin/sh', ['-c', awaitConnected(path)], { env: { PATH: `${box.dir('bin')}:${process.env.PATH ?? ''}` } });
  /** In place of the program that counts the seconds, so that no test does. */
  const sleepIs = (script: string) =>
    writeFileSync(join(box.dir('bin'), 'sleep'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  test('is over once the agent has listed the tools, and later prompts do not wait', async () => {
    sleepIs('while kill -0 "$PPID"; do /bin/sleep 0.05; done');
    const one = token();
    const [ended] = await Promise.all([wait(connectedPathOf(one)), noteConnected(one)]);
    expect(ended.exitCode).toBe(0);
    await wait(connectedPathOf(one));
  });

  test('is over after five seconds where they never come, and is not repeated', async () => {
    const slept = join(box.root, 'slept');
    sleepIs(`echo "$1" >>'${slept}'`);
    const one = token();
    await wait(connectedPathOf(one));
    await wait(connectedPathOf(one));
    expect(readFileSync(slept, 'utf8')).toBe('5\n');
  });
});
