// A crew of both agents comes back after the end of tmux, each in its conversation, with nothing configured.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paneOf } from '../support/client.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const crewmux = (...words: readonly string[]) =>
  execFileSync(process.execPath, [crew.program, ...words], { env: crew.home.env, cwd: crew.repo, encoding: 'utf8' });

test('one word brings both agents back in their conversations after the end of tmux', async () => {
  const both = ['claude', 'codex'];
  const made = await crew.spawn(
    ...both.map((agent_type) => ({ project_path: crew.repo, agent_type, prompt: `SAY ${agent_type} before` })),
  );
  expect(made.failed).toEqual([]);
  for (const worker of made.sessions) await crew.idle(worker);
  crew.home.sandbox.tmux('kill-server');
  for (const { session_id } of made.sessions) await crew.until(session_id, 'dead');

  const said = crewmux('restart', '--all', '--yes');
  for (const { name } of made.sessions)
    expect(said).toMatch(new RegExp(`${name} comes back[\\s\\S]*${name}: restarted`));
  for (const [index, worker] of made.sessions.entries()) {
    const sent = await crew.message(worker, 'SAY after', { wait_mode: 'all', timeout: 120 });
    expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    const words = (await crew.conversation(worker)).map(({ content }) => content);
    expect(words).toEqual([`SAY ${both[index]} before`, `${both[index]} before`, 'SAY after', 'after']);
    expect(await crew.look(worker.session_id)).toMatchObject({ branch: worker.branch, restarts: 1 });
    const request = crew.home.model.requests.findLast((one) => one.texts.some((text) => text.includes('SAY after')));
    expect(request?.texts.join('\n')).toContain('before');
  }
});

test('both agents that were killed in a turn while no server lived come back in their conversations', async () => {
  crewmux('config', 'set', 'restart.auto', 'crash');
  const both = ['claude', 'codex'];
  const made = await crew.spawn(...both.map((agent_type) => ({ agent_type, prompt: `SAY ${agent_type} before` })));
  for (const worker of made.sessions) {
    await crew.idle(worker);
    await crew.message(worker, `HOLD ${worker.name}`);
    await crew.home.model.waitFor(worker.name, ({ prompt }) => prompt.includes(`HOLD ${worker.name}`));
  }
  process.kill(crew.serverPid(), 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(crew.serverPid()));
  for (const worker of made.sessions) {
    const shown = (fact: string) => crew.home.sandbox.tmux('display', '-p', '-t', paneOf(worker), `#{${fact}}`).trim();
    process.kill(Number(shown('pane_pid')), 'SIGKILL');
    await eventually('its pane is dead', () => shown('pane_dead') === '1');
  }

  await crew.replaceServer();
  for (const [index, worker] of made.sessions.entries()) {
    await eventually(`${worker.name} is back`, async () => (await crew.look(worker.session_id)).restarts === 1);
    const sent = await crew.message(worker, 'SAY after', { wait_mode: 'all', timeout: 120 });
    expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    const words = (await crew.conversation(worker)).map(({ content }) => content);
    expect(words).toEqual(expect.arrayContaining([`${both[index]} before`, 'after']));
    expect(await crew.look(worker.session_id)).toMatchObject({ restarts: 1 });
  }
});
