// Whatever a worker may do unasked, its own tools are never asked about.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { list } from '../../../src/wire/parts.ts';
import { report } from '../../../src/wire/reports.ts';
import type { WorkerView } from '../../../src/wire/worker.ts';
import { eventually } from '../../support/sandbox.ts';
import { cast, crew } from '../company.ts';

const reports = z.object({ reports: list(report) });

const word = JSON.stringify({ status: 'working', message: 'heard' });
const toolOf = { claude: `mcp__crew__report_progress`, codex: 'mcp__crew/report_progress' } as const;

test.concurrent.each([
  ['claude', { permission_mode: 'plan' }],
  ['claude', { permission_mode: 'dontAsk' }],
  ['claude', { permission_mode: 'acceptEdits' }],
  ['claude', { skip_permissions: true }],
  ['codex', { permission_mode: 'plan' }],
  ['codex', { permission_mode: 'dontAsk' }],
  ['codex', { skip_permissions: true }],
] as const)('%s with %j', async (agent_type, mode) => {
  const worker = await cast.enter({ agent_type, ...mode, prompt: `TOOL ${toolOf[agent_type]} ${word}\nSAY done` });
  await crew.idle(worker);
  const read = await crew.call('read_reports', reports, { worker: worker.name });
  expect(read.reports).toMatchObject([{ message: 'heard' }]);
});

test.concurrent.each([
  ['claude', 'Bash'],
  ['codex', 'exec_command'],
] as const)('%s with nothing configured shows what it does, one thing after the other', async (agent_type, tool) => {
  const prompt = `BASH sleep 4; echo slept\nHOLD mid-turn-${agent_type}\nSAY done`;
  const worker = await cast.enter({ agent_type, sandbox: null, permission_mode: null, prompt });
  const does = (kind: NonNullable<WorkerView['doing']>['kind']) =>
    eventually(`${agent_type} is at ${kind}`, async () => {
      const { doing } = await crew.look(worker.session_id);
      return doing?.kind === kind && doing;
    });
  const [used, thought] = [await does('tool'), await does('thinking')];
  expect(used).toMatchObject({ tool, detail: 'sleep 4; echo slept' });
  expect(Date.parse(thought.since) - Date.parse(used.since)).toBeGreaterThan(3_000);
  crew.home.model.release(`mid-turn-${agent_type}`);
  expect((await crew.idle(worker)).doing).toBeUndefined();
});
