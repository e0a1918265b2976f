// A person's words at a terminal, beside a server that lives, one that is stopped, and none.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { bundle, openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';
import { theirTmux, typedCrewmux } from './theirs.ts';
import { wordsOn } from './words.ts';

const table = z.object({
  workers: z.array(
    z.looseObject({ name: z.string(), status: z.string(), managed_by: z.looseObject({ manager: z.string() }) }),
  ),
  attention: z.array(z.looseObject({ waiting_for: z.string() })),
});

const filesUnder = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.json$/.test(name))
    : [];

describe('without a crew', () => {
  let stand: Stand;
  beforeAll(() => {
    stand = openStand();
  });
  afterAll(() => stand.dispose());

  it('status says so, --json is valid, and nothing is made', async () => {
    const crewmux = wordsOn(stand, { CREWMUX_HOME: join(stand.sandbox.root, 'never') });
    expect(await crewmux('status')).toEqual({ code: 0, stdout: 'No workers here.\n', stderr: '' });
    const { code, stdout } = await crewmux('status', '--json');
    expect({ code, table: table.parse(JSON.parse(stdout)) }).toEqual({
      code: 0,
      table: { workers: [], attention: [] },
    });
    expect(await crewmux('answer')).toEqual({ code: 0, stdout: 'Nothing waits for you.\n', stderr: '' });
    expect(await crewmux('logs', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No worker is called "nobody"'),
    });
    expect(existsSync(join(stand.sandbox.root, 'never'))).toBe(false);
  });
});

describe('beside a server', () => {
  let stand: Stand;
  let server: Server;
  let ada: Worker;
  const crewmux = (...words: string[]) => wordsOn(stand)(...words);
  beforeAll(async () => {
    stand = openStand();
    server = await stand.serve();
    ada = await server.one({ name: 'Ada' });
    await server.until(ada.session_id, 'idle');
  });
  afterAll(() => stand.dispose());

  it('a message goes through it, with its verdict, also where the text begins with a dash', async () => {
    expect(await crewmux('message', 'ada', '--say', 'hello')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Ada: submitted /),
      stderr: '',
    });
    await server.until(ada.session_id, 'idle');
    const logs = await crewmux('logs', 'Ada');
    expect(logs).toMatchObject({ code: 0, stdout: expect.stringContaining('> user') });
    expect(logs.stdout).toContain('  --say hello\n');
    expect(filesUnder(join(stand.sandbox.dir('crewmux'), 'orders'))).toEqual([
      expect.stringMatching(/^\d+.server\.json$/),
    ]);
  });

  it('status shows the worker without taking it over', async () => {
    const { code, stdout } = await crewmux('status');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^ {2}Ada +claude +idle /m) });
    expect(stdout).not.toContain('\u001b');
    const { workers } = table.parse(JSON.parse((await crewmux('status', '--json')).stdout));
    expect(workers).toMatchObject([
      { name: 'Ada', status: 'idle', managed_by: { manager: `pid ${server.connection.pid}` } },
    ]);
    expect((await server.look(ada.session_id)).managed_by).toMatchObject({ mine: true });
  });

  it('diff prints what a worker has changed', async () => {
    writeFileSync(join(ada.worktree_path ?? '', 'cart.ts'), 'export {};\n');
    expect(await crewmux('diff', 'Ada')).toMatchObject({ code: 0, stdout: expect.stringContaining('+++ b/cart.ts') });
  });

  it('a stopped one is named while it is stopped, and does not perform the order once it goes on', async () => {
    process.kill(server.connection.pid, 'SIGSTOP');
    const refused = await crewmux('close', 'Ada', '--force').finally(() =>
      process.kill(server.connection.pid, 'SIGCONT'),
    );
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`The server that manages Ada (pid ${server.connection.pid}) does not answer.`),
    });
    await expect(crewmux('message', 'Ada', 'after')).resolves.toMatchObject({ code: 0 });
    expect((await server.until(ada.session_id, 'idle')).status).toBe('idle');
  });

  it('a working worker is not closed, and the tool says why and what to do', async () => {
    await server.message(ada, 'HOLD lunch');
    await server.until(ada.session_id, 'working');
    expect(await crewmux('close', 'Aad')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No worker is called "Aad". Did you mean Ada?'),
    });
    // The beginning of a name will do.
    const refused = await crewmux('close', 'a');
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Ada: not closed.*working.*pass --force/s),
    });
    stand.release('lunch');
    await server.until(ada.session_id, 'idle');
  });

  it('logs -f goes on with the conversation, and ends with the worker', async () => {
    await server.message(ada, 'HOLD tea\nSAY goodbye');
    const options = { cwd: stand.repo, env: stand.sandbox.env };
    let ended: unknown = 'not yet';
    let printed = '';
    const child = execFile(process.execPath, [bundle, 'logs', '-f', '-n', '1', 'Ada'], options, (error) => {
      ended = error;
    });
    child.stdout?.on('data', (text) => {
      printed += String(text);
    });
    await eventually('the prompt is printed', () => printed.includes('HOLD tea'));
    stand.release('tea');
    await eventually('the answer is printed', () => /\* assistant .*\n {2}goodbye\n/.test(printed));
    await server.until(ada.session_id, 'idle');
    expect({ ended, hello: printed.includes('--say hello') }).toEqual({ ended: 'not yet', hello: false });
    expect(await crewmux('close', 'Ada', '--force')).toMatchObject({ code: 0 });
    await eventually('it has ended well', () => ended === null);
  });
});

describe('an agent of which only the screen tells', () => {
  let stand: Stand;
  beforeAll(() => {
    stand = openStand();
  });
  afterAll(() => stand.dispose());

  it('rests in the table once its server has ended', async () => {
    const config = join(stand.sandbox.root, 'config.json');
    const python = { command: 'python3 -q -i', prompt: '^>>> ', quiet_ms: 400 };
    writeFileSync(config, JSON.stringify({ agents: { python } }));
    const server = await stand.serve({ CREWMUX_CONFIG: config });
    const worker = await server.one({ name: 'Py', agent_type: 'python', skip_permissions: undefined });
    await server.until(worker.session_id, 'idle');
    await server.connection.close();
    const words = wordsOn(stand, { CREWMUX_CONFIG: config });
    await eventually('it is seen at rest', async () => {
      const { stdout } = await words('status', '--json');
      const { workers } = table.parse(JSON.parse(stdout));
      expect(workers).toMatchObject([{ name: 'Py' }]);
      return workers[0]?.status === 'idle';
    });
  });
});

describe('a person in a tmux of their own', () => {
  let stand: Stand;
  let server: Server;
  const { inTheirs, openTheirs, typed, press: pressed, sees } = theirTmux(() => stand);
  const crewmux = typedCrewmux;
  const clients = (format: string) => stand.sandbox.tmux('list-clients', '-F', format).split('\n');
  beforeAll(async () => {
    stand = openStand();
    openTheirs(120, 40);
    server = await stand.serve();
  });
  afterAll(async () => {
    inTheirs('kill-server');
    await stand.dispose();
  });

  it('attach opens the pane of a worker, from inside the crew as well, and can be to look alone', async () => {
    const [ada, bo] = (await server.spawn({ name: 'Ada' }, { name: 'Bo' })).sessions;
    const [first, second] = [ada, bo].map((one) => (one === undefined ? '' : paneOf(one)));
    typed(`${crewmux} attach Ada`);
    const shown = '#{client_readonly} #{pane_id}';
    await eventually('it shows Ada', () => clients(shown).includes(`0 ${first}`));
    await sees(/C-b C-b d leaves the crew; C-b d leaves your own tmux/);
    const inside = `${crewmux} attach Bo --read-only`;
    const home = `CREWMUX_HOME=${stand.sandbox.env.CREWMUX_HOME}`;
    stand.sandbox.tmux('new-window', '-d', '-e', home, '-t', `=${ada?.tmux?.session}:`, '-c', stand.repo, inside);
    await eventually('it shows Bo', () => clients(shown).includes(`1 ${second}`));
    stand.sandbox.tmux('detach-client', '-s', `=${ada?.tmux?.session}`);
    await sees(/\[detached/);
    await server.connection.call('close_workers', { session_ids: ['Ada'] });
    typed(`clear; ${crewmux} attach --restart Ada`);
    const { session_id } = ada ?? { session_id: '' };
    await eventually('it shows Ada again', async () => {
      const again = await server.look(session_id);
      return again.status !== 'closed' && clients(shown).includes(`0 ${paneOf(again)}`);
    });
    stand.sandbox.tmux('detach-client', '-s', `=${ada?.tmux?.session}`);
    // Below what it shows while it is attached.
    await sees(/Ada: restarted/);
  });

  it('one key allows what only a person may allow', async () => {
    const worker = await server.one({ name: 'Cy', prompt: 'BASH rm -rf ../gone\nSAY done' });
    await server.until(worker.session_id, 'waiting');
    typed(`clear; ${crewmux} answer; echo code $?`);
    await sees(/! Cy wants to run: rm -rf \.\.\/gone[\s\S]*\[y\] allow/);
    pressed('y');
    await sees(/Cy: allow taken[\s\S]*code 0/);
    await server.until(worker.session_id, 'idle');
    expect(await server.lastWords(worker)).toContain('done');
    typed(`clear; ${crewmux} close --all`);
    await sees(/Close .*Cy.*\? \[y\/N\]/);
    typed('n');
    await sees(/Nobody was closed\./);
    expect((await server.look(worker.session_id)).status).toBe('idle');
  });
});

describe('without a server', () => {
  let stand: Stand;
  const crewmux = (...words: string[]) => wordsOn(stand)(...words);
  beforeAll(async () => {
    stand = openStand();
    const server = await stand.serve();
    const ada = await server.one({ name: 'Ada' });
    await server.until(ada.session_id, 'idle');
    writeFileSync(join(ada.worktree_path ?? '', 'cart.ts'), 'export {};\n');
    await server.connection.close();
  });
  afterAll(() => stand.dispose());

  it('reading takes nobody over and writes no event', async () => {
    const log = join(stand.sandbox.dir('crewmux'), 'events.jsonl');
    const before = readFileSync(log, 'utf8');
    const { workers } = table.parse(JSON.parse((await crewmux('status', '--json')).stdout));
    expect(workers).toMatchObject([{ name: 'Ada', status: 'idle', managed_by: { alive: false, mine: false } }]);
    await crewmux('logs', 'Ada');
    await crewmux('diff', 'Ada', '--stat');
    expect(readFileSync(log, 'utf8')).toBe(before);
  });

  it('a worker cannot act on the crew by these words', async () => {
    expect(await wordsOn(stand, { CREWMUX_WORKER: '0000000a' })('close', 'Ada')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('A worker cannot act on the crew'),
    });
  });

  it('the words act by themselves: message, merge, close', async () => {
    expect(await crewmux('message', 'Ada', 'SAY done')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('submitted'),
    });
    await eventually('Ada is idle', async () => /Ada +claude +idle/.test((await crewmux('status')).stdout));
    expect(await crewmux('merge', 'Ada', '--dry-run', '--test', '')).toMatchObject({ code: 0 });
    expect(await crewmux('merge', 'Ada', '--test', '')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('landed'),
    });
    expect(stand.sandbox.git(stand.repo, 'ls-files')).toContain('cart.ts');
    expect(await crewmux('close', '--all')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'crewmux close: --all without a terminal needs --yes.\n',
    });
    expect(await crewmux('close', '--all', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Ada: closed/),
    });
    expect(await crewmux('status')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No workers here\.\n\nNo crewmux is at work since /),
    });
  });
});
