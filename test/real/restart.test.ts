// A crew of both agents comes back after the end of tmux, each in its conversation, with nothing configured.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

test('one word brings both agents back in their conversations after the end of tmux', async () => {
  const both = ['claude', 'codex'];
  const made = await crew.spawn(
    ...both.map((agent_type) => ({ project_path: crew.repo, agent_type, prompt: `SAY ${agent_type} before` })),
  );
  expect(made.failed).toEqual([]);
  for (const worker of made.sessions) await crew.idle(worker);
  crew.home.sandbox.tmux('kill-server');
  for (const { session_id } of made.sessions) await crew.until(session_id, 'dead');

  const { env } = crew.home;
  const said = execFileSync(process.execPath, [crew.program, 'restart', '--all', '--yes'], {
    ...{ env, cwd: crew.repo, encoding: 'utf8' },
  });
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
