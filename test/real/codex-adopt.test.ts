// A Codex that somebody started by hand in a tmux of their own: found, told apart, taken on and worked with.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { quoted } from '../../src/model/quote.ts';
import { spawnOutput } from '../../src/wire/starting.ts';
import { descendantsOf } from '../support/descendants.ts';
import { eventually } from '../support/sandbox.ts';
import { begunWhole, makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';
import { agentBinary } from './install.ts';
import { pressAgain } from './person.ts';

const session = z.looseObject({
  backend_id: z.string(),
  tmux_pane_id: z.string(),
  tmux_socket: z.string(),
  project_path: z.string(),
  agent_type: z.string(),
  agent_session_id: z.string().nullable(),
  status: z.string(),
  last_assistant_preview: z.string().nullable(),
  already_managed: z.boolean(),
  not_adoptable: z.string().optional(),
});
type Session = z.infer<typeof session>;
const discovered = z.object({ sessions: z.array(session) });
const adopted = z.object({ session: z.looseObject({ session_id: z.string() }) });
const anything = z.looseObject({});

let crew: RealCrew;
let repo: string;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
  repo = crew.home.repo('by-hand');
});
afterAll(async () => {
  try {
    byHand('kill-server');
  } catch {
    // It was not started.
  }
  await crew.dispose();
});

/** The tmux a person would use; its socket lies in the sandbox as everything does. */
const byHand = (...args: string[]): string =>
  execFileSync('tmux', args, { env: crew.home.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const quiet = ['-c', 'check_for_update_on_startup=false', '-c', 'notice={model_migrations={"gpt-5.5"="gpt-6-sol"}}'];

/** Starts a Codex as a person does, in a shell; returns its pane. */
function start(cwd: string, ...words: string[]): string {
  return type(cwd, ['--no-daemon', ...quiet, ...words]);
}

function type(cwd: string, words: readonly string[]): string {
  const line = [agentBinary('codex'), ...words];
  const env = Object.entries(crew.home.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const place = ['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '120', '-y', '40', '-c', cwd, ...env];
  const pane = byHand('-f', '/dev/null', ...place, 'sh');
  byHand('send-keys', '-t', pane, '-l', line.map(quoted).join(' '));
  byHand('send-keys', '-t', pane, 'Enter');
  return pane;
}

const find = async (pane: string): Promise<Session | undefined> =>
  (await crew.call('discover_workers', discovered, {})).sessions.find(
    ({ tmux_pane_id, tmux_socket }) => tmux_pane_id === pane && tmux_socket === 'default',
  );
async function seen(pane: string, status: string): Promise<Session> {
  let found: Session | undefined;
  const look = async () => {
    found = await find(pane);
    return found?.status === status && found;
  };
  return eventually(`${pane} is found ${status}`, look).catch((thrown) => {
    throw new Error(`${thrown}\n${JSON.stringify(found)}\n${screenOf(pane)}`);
  });
}
const screenOf = (pane: string) => byHand('capture-pane', '-p', '-t', pane);
async function allow(pane: string): Promise<void> {
  const isAsking = () => screenOf(pane).includes('Would you like to run');
  await eventually('the dialog is drawn', isAsking);
  const press = (key: string) => void byHand('send-keys', '-t', pane, key);
  await pressAgain({ screen: () => screenOf(pane), press }, { key: 'y', seen: () => !isAsking() });
}
const folder = (name: string): string => {
  const path = join(repo, '.worktrees', name);
  crew.home.sandbox.git(repo, 'worktree', 'add', '-q', '-b', name, path);
  return path;
};
const adopt = async (pane: string): Promise<Worker> => {
  const { session } = await crew.call('adopt_worker', adopted, { tmux_pane_id: pane });
  return crew.look(session.session_id);
};
const asked = (cwd: string, words: string) =>
  crew.home.model.waitFor(words, (r) => r.cwd === cwd && r.prompt.includes(words));

const drawnWhole = (begin: () => string | Promise<string>) => begunWhole(byHand, begin);

describe.concurrent('a Codex started by hand', () => {
  test('is found idle before and after its first turn, working in it and waiting for a permission', async () => {
    const cwd = folder('found');
    const pane = await drawnWhole(() => start(cwd));
    const fresh = await seen(pane, 'idle');
    expect(fresh).toMatchObject({ agent_type: 'codex', project_path: cwd, already_managed: false });
    expect(fresh.agent_session_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(fresh.last_assistant_preview).toBeNull();
    byHand('send-keys', '-t', pane, '-l', 'SAY words HOLD found');
    await eventually('it is drawn', () => screenOf(pane).includes('HOLD found'));
    byHand('send-keys', '-t', pane, 'C-u');
    byHand('set-buffer', '-b', 'by-hand', 'HOLD found-1\nESCALATE touch made\nSAY well done');
    byHand('paste-buffer', '-p', '-r', '-b', 'by-hand', '-t', pane);
    byHand('send-keys', '-t', pane, 'Enter');
    await asked(cwd, 'found-1');
    await seen(pane, 'working');
    crew.home.model.release('found-1');
    await seen(pane, 'waiting');
    await allow(pane);
    expect(await seen(pane, 'idle')).toMatchObject({
      agent_session_id: fresh.agent_session_id,
      last_assistant_preview: 'well done',
    });
  });

  test('is adopted with its past, takes a message, is interrupted and asks for permission', async () => {
    const cwd = folder('adopted');
    const pane = await drawnWhole(async () => {
      const one = start(cwd, '--', 'SAY the past');
      await seen(one, 'idle');
      await asked(cwd, 'the past');
      await eventually('it has answered', async () => (await find(one))?.last_assistant_preview === 'the past');
      return one;
    });
    const worker = await adopt(pane);
    expect(worker).toMatchObject({ source: 'adopted', status: 'idle', project_path: cwd, branch: 'adopted' });
    expect(await crew.message(worker, 'SAY by the crew', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await crew.conversation(worker)).map((m) => m.content)).toEqual([
      'SAY the past',
      'the past',
      'SAY by the crew',
      'by the crew',
    ]);
    expect(await crew.message(worker, 'HOLD adopted-1')).toMatchObject({ verdict: 'submitted' });
    expect(await crew.interrupt(worker)).toBe('interrupted');
    expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ turn: { ended_by: 'interrupted' } });
    expect(await crew.message(worker, 'ESCALATE touch made-adopted\nSAY made')).toMatchObject({ verdict: 'submitted' });
    expect(await crew.until(worker.session_id, 'waiting')).toMatchObject({ waiting_for: 'permission' });
    await allow(pane);
    await crew.until(worker.session_id, 'idle');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('ends a turn that its transcript tells of before its screen does, at the first interrupt', async () => {
    const cwd = folder('behind');
    const pane = await drawnWhole(() => start(cwd));
    await seen(pane, 'idle');
    const worker = await adopt(pane);
    await crew.message(worker, 'SAY first', { wait_mode: 'all' });
    const { transcript_path } = await crew.look(worker.session_id);
    // Under its wrapper, whose end alone would stop nothing.
    const pid = descendantsOf(Number(byHand('display-message', '-p', '-t', pane, '#{pane_pid}'))).at(-1);
    if (pid === undefined || transcript_path === undefined) throw new Error('neither process nor transcript');
    for (let round = 0; round < 3; round += 1) {
      const from = statSync(transcript_path).size;
      const isBegun = () => readFileSync(transcript_path, 'utf8').slice(from).includes('task_started');
      byHand('set-buffer', '-b', 'behind', `HOLD behind-${round}`);
      byHand('paste-buffer', '-p', '-r', '-b', 'behind', '-t', pane);
      await eventually('it is drawn', () => screenOf(pane).includes(`HOLD behind-${round}`));
      const stopped = new Promise<void>((resolve) => {
        const watcher = watch(transcript_path, () => {
          if (!isBegun()) return;
          process.kill(pid, 'SIGSTOP');
          watcher.close();
          resolve();
        });
      });
      byHand('send-keys', '-t', pane, 'Enter');
      await stopped;
      await crew.until(worker.session_id, 'working');
      const interrupting = crew.interrupt(worker);
      setTimeout(() => process.kill(pid, 'SIGCONT'), 300);
      expect([round, await interrupting]).toEqual([round, 'interrupted']);
      expect(readFileSync(transcript_path, 'utf8').slice(from)).toContain('turn_aborted');
    }
  });

  test('is adopted before its first prompt, and its transcript is found with it', async () => {
    const cwd = folder('fresh');
    const pane = await drawnWhole(() => start(cwd));
    const found = await seen(pane, 'idle');
    const worker = await adopt(pane);
    expect(worker).toMatchObject({ status: 'idle', agent_session_id: found.agent_session_id });
    expect(worker.transcript_path).toBeUndefined();
    expect(await crew.message(worker, 'SAY first', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await crew.look(worker.session_id)).transcript_path).toContain(found.agent_session_id);
  });

  test('is followed into a conversation that a person begins with /clear', async () => {
    const cwd = folder('cleared');
    const pane = await drawnWhole(async () => {
      const one = start(cwd, '--', 'SAY before');
      await asked(cwd, 'before');
      await eventually('it has answered', async () => (await find(one))?.last_assistant_preview === 'before');
      return one;
    });
    const found = await seen(pane, 'idle');
    const worker = await adopt(pane);
    expect(await crew.message(worker, '/clear', { as_command: true })).toMatchObject({ success: true });
    expect(await crew.message(worker, 'SAY after', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    const now = await crew.look(worker.session_id);
    expect(now.agent_session_id).not.toBe(found.agent_session_id);
    expect((await crew.conversation(worker)).map((m) => m.content)).toEqual(['SAY after', 'after']);
  });

  test('that ends in its shell is dead, and comes back with its conversation in a pane of ours', async () => {
    const cwd = folder('ended');
    const pane = start(cwd, '--', 'SAY to be remembered');
    await asked(cwd, 'to be remembered');
    await seen(pane, 'idle');
    const worker = await adopt(pane);
    byHand('send-keys', '-t', pane, '-l', '/quit');
    await eventually('it is drawn', () => screenOf(pane).includes('› /quit'));
    byHand('send-keys', '-t', pane, 'Enter');
    await crew.until(worker.session_id, 'dead');
    const again = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again.failed).toEqual([]);
    await crew.until(worker.session_id, 'idle');
    expect(await crew.message(worker, 'SAY again', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await asked(cwd, 'SAY again')).texts).toContain('SAY to be remembered');
  });

  test('is closed with everything it runs', async () => {
    const cwd = folder('closed');
    const pane = start(cwd, '--', 'SAY hello');
    await asked(cwd, 'hello');
    await seen(pane, 'idle');
    const worker = await adopt(pane);
    const closed = await crew.call('close_workers', anything, { session_ids: [worker.session_id] });
    expect(closed).toMatchObject({ success_count: 1 });
    expect(byHand('list-panes', '-a', '-F', '#{pane_id}').split('\n')).not.toContain(pane);
  });
});

const held = z.looseObject({ pid: z.number() });

/** Ends the daemon of this home and what updates it; neither ends with the Codex that started it. */
function endDaemon(): void {
  for (const name of ['daemon-updater.pid', 'daemon.pid']) {
    const path = join(crew.home.env.CODEX_HOME ?? '', 'app-server-daemon', name);
    if (existsSync(path)) process.kill(held.parse(JSON.parse(readFileSync(path, 'utf8'))).pid, 'SIGKILL');
  }
}

test('a Codex that only shows what the shared daemon holds is named and not taken on', async () => {
  onTestFinished(endDaemon);
  const settings = join(crew.home.env.CODEX_HOME ?? '', 'config.toml');
  appendFileSync(settings, `[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n`);
  const pane = type(folder('daemon'), ['SAY hello']);
  const answer = () => screenOf(pane).includes('• hello');
  await eventually('it has answered', answer);
  const found = await eventually('it is found', () => find(pane));
  expect(found).toMatchObject({ agent_session_id: null, status: 'unknown', already_managed: false });
  expect(found.not_adoptable).toContain('shared daemon');
  await expect(adopt(pane)).rejects.toThrow('shared daemon');
});
