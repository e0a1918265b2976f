// The hook that shows a manager its crew, as its agent runs it: a program of its own beside the server.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createPlanOutput, planChanged } from '../../src/wire/plans.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { bundle, openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const said = z.object({
  hookSpecificOutput: z.object({ hookEventName: z.literal('SessionStart'), additionalContext: z.string() }),
});

function hookIn(cwd: string, env: Readonly<Record<string, string>> = {}): string {
  const payload = JSON.stringify({ hook_event_name: 'SessionStart', source: 'compact', cwd });
  const how = { env: { ...stand.sandbox.env, ...env }, input: payload, encoding: 'utf8' } as const;
  return execFileSync(process.execPath, [bundle, 'hook', 'crew'], how);
}

/** What is there, and what the log says; what a killed agent had asked, its own hook may still close. */
const state = () => {
  const home = stand.sandbox.dir('crewmux');
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return [files.filter((path) => !path.includes('/requests/')), readFileSync(join(home, 'events.jsonl'), 'utf8')];
};

const cardIn = (cwd: string) => said.parse(JSON.parse(hookIn(cwd))).hookSpecificOutput.additionalContext;

it('a plan that nobody has worked at yet stands on the card of its project with the call that begins it', async () => {
  const jobs = [{ name: 'a', prompt: 'SAY a' }];
  const order = { name: 'shop', project_path: stand.repo, mode: 'copilot', jobs };
  const { plan_id } = await server.call('create_plan', createPlanOutput, order);
  const call = `approve_plan {"plan_id":"${plan_id}","checkpoint":"start","action":"continue"}`;
  const line = `- Plan "shop" has not begun, 0 of 1 job done: "the plan shop runs in copilot mode`;
  expect(cardIn(stand.repo).split('\n')[1]).toMatch(new RegExp(`^${line}.*"\\. `));
  expect(cardIn(stand.repo)).toContain(call);
  expect(hookIn(stand.sandbox.repo('nothing'))).toBe('');
  await server.call('cancel_plan', planChanged, { plan_id });
});

it('a manager is told tasks, states and open requests of its project alone', async () => {
  const done = await server.one({ name: 'ada', annotation: 'cart "page"', bead: 'app-7', prompt: 'SAY done' });
  await server.wait([done]);
  const asking = await server.one({ name: 'bruno', prompt: 'BASH touch x', skip_permissions: false, sandbox: false });
  await server.until(asking.session_id, 'waiting');
  const gone = await server.one({ name: 'cleo', prompt: 'SAY bye' });
  await server.wait([gone]);
  await server.close(gone);
  const card = cardIn(stand.repo);
  expect(card.split('\n').slice(1, -1)).toEqual([
    expect.stringMatching(
      /^- bruno is waiting: permission\. Branch: \S+ Asks \(request [0-9a-f]{8}\): "Bash .*touch x/,
    ),
    expect.stringMatching(/^- ada is idle\. Task: "cart \\"page\\""\. Issue: "app-7"\. Branch: \S+\.$/),
  ]);
  expect(cardIn(done.project_path)).toBe(card);
  expect([hookIn(stand.sandbox.repo('another')), hookIn(stand.repo, { CREWMUX_WORKER: done.session_id })]).toEqual([
    '',
    '',
  ]);
});

it('a worker that reports that it is blocked stands first with its words, until it has another turn', async () => {
  const dora = await server.one({ name: 'dora', prompt: 'SAY stuck' });
  await server.wait([dora]);
  const tools = await stand.toolsOf(dora);
  await tools.call('report_progress', { status: 'blocked', message: 'No key for the shop' });
  const line = '- dora is idle. Reports that it is blocked: "No key for the shop".';
  await eventually('the card has it', () => cardIn(stand.repo).includes(line));
  await server.message(dora, 'SAY thanks');
  await server.wait([dora]);
  expect(cardIn(stand.repo)).toMatch(/- dora is idle\. Branch/);
});

it('after the server and tmux have gone, the same workers are told as dead, and nothing is changed by it', async () => {
  process.kill(server.connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(server.connection.pid));
  stand.sandbox.tmux('kill-server');
  const before = state();
  expect(cardIn(stand.repo)).toMatch(/- ada is dead\..*\n- bruno is dead\. Branch: \S+\n/);
  expect(state()).toEqual(before);
});
