// Workers whose agents have ended come back: a whole crew by one act, and one that crashed by itself.
import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { restartOutput } from '../../src/wire/starting.ts';
import { eventually } from '../support/sandbox.ts';
import { paneOf, type Worker } from './crew.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';
import { kill } from './killed.ts';
import { wordsOn } from './words.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand({ restart: { auto: 'crash' } });
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

it('one act brings a crew back after the end of tmux, and the plan before it changes nothing', async () => {
  const crewmux = wordsOn(stand);
  const three = await server.spawn(
    ...['Ada', 'Bo', 'Cy'].map((name) => ({ name, prompt: `SAY ${name} before`, skip_permissions: true })),
  );
  const [ada, , cy] = three.sessions;
  if (ada === undefined || cy === undefined) throw new Error(JSON.stringify(three.failed));
  await server.wait(three.sessions);
  stand.sandbox.tmux('kill-server');
  for (const { session_id } of three.sessions) await server.until(session_id, 'dead');
  rmSync((await server.look(cy.session_id)).transcript_path ?? '');

  const { plan } = await server.call('restart_workers', restartOutput, { all: true, dry_run: true });
  const goesOn = { action: 'restart', reason: expect.stringMatching(/^its conversation \S+ goes on in .*worktrees/) };
  expect(plan).toMatchObject([
    { name: 'Ada', ...goesOn },
    { name: 'Bo', ...goesOn },
    { name: 'Cy', action: 'leave', reason: expect.stringContaining('"fresh":true') },
  ]);
  const unasked = await crewmux('restart', '--all');
  expect(unasked).toMatchObject({ code: 2, stderr: 'crewmux restart: --all without a terminal needs --yes.\n' });
  expect(unasked.stdout).toMatch(/^Ada comes back: .*\nBo comes back: .*\nCy stays: .*`crewmux restart \w+ --fresh`/);
  expect(await crewmux('restart', '--all', '--dry-run')).toEqual({ code: 0, stdout: unasked.stdout, stderr: '' });
  expect(await server.look(ada.session_id)).toMatchObject({ status: 'dead', restarts: 0 });

  const back = await crewmux('restart', '--all', '--yes');
  expect(back).toMatchObject({ code: 0, stdout: expect.stringMatching(/Ada: restarted[\s\S]*Bo: restarted/) });
  expect(back.stdout).not.toContain('Cy: restarted');
  const sent = await server.message(ada, 'SAY after', { wait_mode: 'all', timeout: 60 });
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
  const said = (await server.conversation(ada)).map(({ content }) => content);
  expect(said).toEqual(['SAY Ada before', 'Ada before', 'SAY after', 'after']);

  const { agent_session_id } = await server.look(cy.session_id);
  const anew = await server.call('restart_workers', restartOutput, { session_ids: ['Cy'], fresh: true });
  expect(anew).toMatchObject({ failed: [], sessions: [{ worktree_path: cy.worktree_path }] });
  await server.wait([cy]);
  expect(await server.lastWords(cy)).toBe('Cy before');
  expect((await server.look(cy.session_id)).agent_session_id).not.toBe(agent_session_id);
});

const startOf = (worker: Worker) => stand.sandbox.tmux('display', '-p', '-t', paneOf(worker), '#{pane_start_command}');

it('a worker that crashed in a turn comes back by itself, is told of it once, and is not asked again', async () => {
  const worker = await server.one({ prompt: 'HOLD crash\nCRASH 3' });
  // An agent writes a little after it has begun; before that no conversation is there to go on with.
  await eventually('its prompt is written', async () => (await server.prompts(worker)).length === 1);
  stand.release('crash');
  const back = await eventually('it is back', async () => {
    const seen = await server.look(worker.session_id);
    return seen.restarts === 1 && seen.status === 'idle' && seen;
  });
  expect(startOf(back)).toContain('Your process ended in the midst of a turn (exit code 3)');
  expect(await server.prompts(worker)).toEqual(['HOLD crash\nCRASH 3']);
  expect(await server.wait([worker], { on_attention: 'any' })).toMatchObject({ all_idle: true, attention: [] });
  await server.close(worker);
  await server.call('restart_workers', restartOutput, { session_ids: [worker.session_id] });
  expect(startOf(await server.look(worker.session_id))).not.toContain('in the midst of a turn');
});

/** Resolves when tmux shows the end; that may have left a zombie, so its process may still be there. */
async function crash(worker: Worker): Promise<void> {
  const shown = (fact: string) => stand.sandbox.tmux('display', '-p', '-t', paneOf(worker), `#{${fact}}`).trim();
  process.kill(Number(shown('pane_pid')), 'SIGKILL');
  await eventually('its pane is dead', () => shown('pane_dead') === '1');
}

it('one that crashed in a turn while no server lived comes back once, with the first of two that start', async () => {
  const [resting, atWork] = [await server.one({ prompt: 'SAY rests' }), await server.one({ prompt: 'HOLD unseen' })];
  await server.wait([resting]);
  await eventually('its prompt is written', async () => (await server.prompts(atWork)).length === 1);
  await kill(server.connection.pid);
  for (const worker of [resting, atWork]) await crash(worker);

  [server] = await Promise.all([stand.serveJobs(), stand.serveJobs()]);
  const back = await eventually('it is back', async () => {
    const seen = await server.look(atWork.session_id);
    return seen.restarts > 0 && seen.status === 'idle' && seen;
  });
  expect(back).toMatchObject({ restarts: 1, agent_session_id: atWork.agent_session_id });
  expect(startOf(back).match(/Your process ended in the midst of a turn \(ended by signal SIGKILL\)/g)).toHaveLength(1);
  expect(await server.prompts(atWork)).toEqual(['HOLD unseen']);
  expect(await server.look(resting.session_id)).toMatchObject({ status: 'dead', restarts: 0 });
  const restarts = (await server.events()).filter(
    ({ type, worker_id }) => type === 'worker_restarted' && worker_id === atWork.session_id,
  );
  expect(restarts).toHaveLength(1);
});

it('the worker of a task that crashes once its server is gone comes back with the server that drives on', async () => {
  const beside = await stand.serveJobs();
  const { task_id } = await server.submit({ prompt: `${commit('beside.txt', 'x')}\nHOLD beside` });
  const { worker } = await server.comes(task_id, 'running');
  const seen = await server.look(worker?.session_id ?? '');
  await eventually('it has committed', async () =>
    stand.git('log', '--branches', '--format=%s').includes('beside.txt'),
  );
  await kill(server.connection.pid);
  await crash(seen);
  server = beside;
  const { tasks } = await server.awaited({ task_ids: [task_id] });
  expect(tasks).toMatchObject([{ state: 'done', evidence: { commits: [expect.any(String)] } }]);
  expect(await server.look(seen.session_id)).toMatchObject({ restarts: 1 });
});

it('one whose crash a server saw that left it comes back with the next server, where the settings now say so', async () => {
  writeFileSync(stand.config, JSON.stringify({ defaults: { skip_permissions: true } }));
  const worker = await server.one({ prompt: 'HOLD left' });
  await eventually('its prompt is written', async () => (await server.prompts(worker)).length === 1);
  await crash(worker);
  await server.until(worker.session_id, 'dead');
  await kill(server.connection.pid);
  writeFileSync(stand.config, JSON.stringify({ defaults: { skip_permissions: true }, restart: { auto: 'crash' } }));
  server = await stand.serveJobs();
  await eventually('it is back', async () => (await server.look(worker.session_id)).restarts === 1);
});

it('one that crashed before its conversation was written stays, and says why', async () => {
  const { session_id } = await server.one({ prompt: 'CRASH 3' });
  await server.until(session_id, 'dead');
  const { stdout } = await eventually('it is told', async () => {
    const events = await wordsOn(stand)('events');
    return events.stdout.includes('not started again') && events;
  });
  expect(stdout).toMatch(/exit code 3; it was not started again: .*its conversation \S+ is gone.*"fresh":true/);
  expect(await server.look(session_id)).toMatchObject({ status: 'dead', restarts: 0 });
});

it('the task of a worker that crashed is judged by its commits', async () => {
  const whole = await server.submit({ prompt: `${commit('whole.txt', 'x')}\nSLEEP 1\nCRASH 1` });
  const empty = await server.submit({ prompt: 'SLEEP 1\nCRASH 1' });
  const { tasks } = await server.awaited({ task_ids: [whole.task_id, empty.task_id] });
  expect(tasks).toMatchObject([
    { state: 'done', evidence: { commits: [expect.any(String)] } },
    { state: 'failed', reason: expect.stringContaining('left nothing') },
  ]);
});
