// A role that its user has written down, from its file to the agent, and again after a restart.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { spawnOutput } from '../../src/wire/starting.ts';
import { submitTaskOutput } from '../../src/wire/tasks.ts';
import { openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const examined = z.object({ findings: z.array(z.looseObject({ check: z.string() })) });
const put = (folder: string, text: string) => {
  const path = join(folder, 'scout.md');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  return path;
};
const startOf = (worker: Worker) => stand.sandbox.tmux('display', '-p', '-t', paneOf(worker), '#{pane_start_command}');

it('a worker has the text, tools, model and mode of its role, those of the call first, and keeps them over a restart', async () => {
  const head =
    '---\nname: scout\nmodel: opus\npermissionMode: plan\ntools: Read, Grep\nhooks: {}\ncrewmux: {max_parallel: 1}\n';
  const file = put(join(stand.sandbox.home, '.config/crewmux/roles'), `${head}---\nLook at every door.\n`);
  const bad = put(
    join(stand.sandbox.home, '.claude/agents'),
    `${head.replace('max_parallel', 'max_paralel')}---\nLook.\n`,
  );
  const { findings } = await server.call('doctor', examined);
  expect(findings.filter(({ check }) => check === 'roles')).toMatchObject([
    { status: 'warn', detail: expect.stringContaining(bad) },
  ]);

  const made = await server.spawn(
    { role: 'scout', append_system_prompt: 'Prefer tabs.' },
    { role: 'scout', model: 'haiku' },
  );
  const [ada, bruno] = made.sessions;
  if (ada === undefined || bruno === undefined) throw new Error(JSON.stringify(made.failed));
  expect(made.warnings.filter((words) => words.includes('carry over'))).toEqual([
    `crewmux does not carry over from ${file}: hooks.`,
  ]);
  expect(made.warnings).toContainEqual(
    expect.stringContaining(`has max_parallel 1, and 2 of its workers live now: ${ada.name}, ${bruno.name}.`),
  );
  expect(made.warnings).toContainEqual(expect.stringContaining(`${bad} is left aside as a whole`));
  expect(await server.look(ada.session_id)).toMatchObject({ role: 'scout', model: 'opus', permission_mode: 'plan' });
  expect(await server.look(bruno.session_id)).toMatchObject({ role: 'scout', model: 'haiku' });
  expect(startOf(ada)).toMatch(
    /You are \S+, the scout of[\s\S]*Look at every door\.(?:\n|\\n)+Prefer tabs\.[\s\S]*--tools=Read,Grep/,
  );

  writeFileSync(file, `${head}---\nLook at every window.\n`);
  await server.close(ada);
  const back = await server.call('restart_workers', spawnOutput, { session_ids: [ada.session_id] });
  expect(back.warnings).toContainEqual(expect.stringContaining(`${file} has changed since.`));
  expect(startOf(await server.look(ada.session_id))).toMatch(
    /Look at every door\.(?:\n|\\n)+Prefer tabs\.[\s\S]*--tools=Read,Grep/,
  );
});

it('a task of a role that may not edit brings a report, and one of an unknown role is not entered', async () => {
  const order = { title: 'Judge', prompt: 'SAY fine' };
  const task = await server.call('submit_task', submitTaskOutput, { ...order, role: 'reviewer' });
  expect(task).toMatchObject({ role: 'reviewer', brings: 'report' });
  const entered = server.connection.call('submit_task', { ...order, role: 'revewer' });
  await expect(entered).rejects.toThrow('There is no role "revewer". Known: ');
});
