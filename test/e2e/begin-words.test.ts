// The words that begin something: in a shell script beside a server, and without one.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { agentCommand, bundle, openStand, type Stand } from './crew.ts';
import { wordsOn } from './words.ts';

const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync(resolve('docs/terminal.md'), 'utf8')) ?? [];

/** The script of the document, with `crewmux` on its path. */
async function runScript(stand: Stand, ...tasks: string[]) {
  const bin = stand.sandbox.dir('bin');
  writeFileSync(join(bin, 'crewmux'), `#!/bin/sh\nexec '${process.execPath}' '${bundle}' "$@"\n`);
  writeFileSync(join(bin, 'two.sh'), script);
  for (const name of ['crewmux', 'two.sh']) chmodSync(join(bin, name), 0o755);
  const { env } = stand.sandbox;
  return promisify(execFile)(join(bin, 'two.sh'), tasks, {
    cwd: stand.repo,
    env: { ...env, CREWMUX_COMMAND: agentCommand.join(' '), PATH: `${bin}:${env.PATH}` },
  });
}

describe('beside a server that has no worker yet', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = openStand();
    const server = await stand.serve();
    await server.connection.call('list_workers', {});
  });
  afterAll(() => stand.dispose());

  it('the script of docs/terminal.md spawns two, waits, merges and closes', async () => {
    expect(script.trim().split('\n').length).toBeLessThanOrEqual(10);
    const { stdout } = await runScript(stand, 'WRITE hello.txt hello', 'WRITE bye.txt bye');
    expect(stdout).toMatch(/^Ada: started[\s\S]*^Bo: started[\s\S]*^Ada: idle\nBo: idle\n/m);
    expect(stdout).toMatch(/Ada: closed[\s\S]*Bo: closed/);
    const texts = ['hello.txt', 'bye.txt'].map((name) => readFileSync(join(stand.repo, name), 'utf8').trim());
    expect(texts).toEqual(['hello', 'bye']);
    const gone = await wordsOn(stand)('wait');
    expect(gone).toEqual({ code: 0, stdout: 'No workers here.\n', stderr: '' });
  });

  it('events -f goes on with each event, a line of JSON each, and ends with whoever reads it', async () => {
    const child = spawn(process.execPath, [bundle, 'events', '-f', '--json', '--since', '1h'], {
      cwd: stand.repo,
      env: stand.sandbox.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += String(text);
    });
    const events = () =>
      printed
        .split('\n')
        .slice(0, -1)
        .map((line) => z.object({ seq: z.number(), type: z.string() }).parse(JSON.parse(line)));
    const count = (type: string) => events().filter((event) => event.type === type).length;
    await eventually('what was before is printed', () => count('worker_closed') === 2);
    const crewmux = wordsOn(stand);
    await crewmux('spawn', 'SAY hello', '--name', 'Ed');
    await crewmux('wait', 'Ed');
    await crewmux('close', 'Ed');
    await eventually('what happens is printed', () => count('worker_closed') === 3);
    const seqs = events().map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
    child.stdout.destroy();
    await crewmux('spawn', 'SAY hello', '--name', 'Fo');
    await ended;
    await crewmux('close', '--all', '--force', '--yes');
  });

  it('a spawn that fails is refused as by the tool, and a wait ends badly at its time and when one needs somebody', async () => {
    const crewmux = wordsOn(stand);
    expect(await crewmux('spawn', 'SAY hello', '--base', 'nowhere')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/not started\. .*nowhere/),
    });
    expect(await crewmux('spawn', 'HOLD lunch', '--name', 'Cy')).toMatchObject({ code: 0 });
    expect(await crewmux('wait', 'Cy', '--timeout', '0.2')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Cy: \w+\nThe time is up after /),
    });
    expect(await crewmux('spawn', 'BASH rm -rf ../gone', '--name', 'Di')).toMatchObject({ code: 0 });
    expect(await crewmux('wait', 'Cy', 'Di')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Di: waiting; run: rm -rf \.\.\/gone\n`crewmux answer` shows/m),
    });
    stand.release('lunch');
    expect(await crewmux('wait', 'Cy')).toEqual({ code: 0, stdout: 'Cy: idle\n', stderr: '' });
  });
});

describe('without a server', () => {
  let stand: Stand;
  beforeAll(() => {
    stand = openStand();
  });
  afterAll(() => stand.dispose());

  it('spawn makes nothing and says what is missing', async () => {
    const crewmux = wordsOn(stand);
    expect(await crewmux('spawn', 'SAY hello')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^No server is at work for this project[\s\S]*`crewmux keep`/),
    });
    expect((await crewmux('status')).stdout).toBe('No workers here.\n');
  });

  it('a task is entered, listed, started and cancelled, and each says that nobody drives it', async () => {
    const crewmux = wordsOn(stand);
    const entered = await crewmux('task', 'submit', 'Fix the cart.\nAll of it.', '--hold');
    expect(entered).toMatchObject({ code: 0, stderr: expect.stringContaining('No server is at work') });
    const [, id = ''] = /^task (\w+) \(Fix the cart\.\)/.exec(entered.stdout) ?? [];
    expect(entered.stdout).toContain(`crewmux task start ${id}`);
    expect((await crewmux('task')).stdout).toBe(`task ${id} Fix the cart.: not started yet\n`);
    expect(await crewmux('task', 'start', 'Fix the')).toMatchObject({ code: 0 });
    expect(await crewmux('task', 'start', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('no start') });
    expect(await crewmux('task', 'cancel', id)).toMatchObject({ code: 0 });
    expect(await crewmux('spawn', 'Mend the cart.', '--template', 'bug-fix', '--name', 'Mend')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Plan \w+ is running/),
      stderr: expect.stringContaining('No server is at work'),
    });
    expect((await crewmux('plan', 'men')).stdout).toMatch(/^Mend \[/);
    expect(await crewmux('task', 'submit', 'Go', '--on-complete', 'never')).toMatchObject({ code: 1, stdout: '' });
  });
});

it('a wait sees by itself that a worker is done whose server has ended', async () => {
  const stand = openStand();
  try {
    const server = await stand.serve();
    const { session_id: id } = await server.one({ name: 'Ada', prompt: 'HOLD lunch' });
    await server.until(id, 'working');
    await server.connection.close();
    const waiting = wordsOn(stand)('wait', 'Ada');
    stand.release('lunch');
    expect(await waiting).toMatchObject({ code: 0, stdout: 'Ada: idle\n' });
  } finally {
    await stand.dispose();
  }
});
