// A crew whose tmux server was killed comes back by one act, each worker in its own conversation.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { restartOutput } from '../../src/wire/starting.ts';
import { openStand, type Server, type Stand } from './crew.ts';
import { wordsOn } from './words.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
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
