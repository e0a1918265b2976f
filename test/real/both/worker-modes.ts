// Whatever a worker may do unasked, its own tools are never asked about.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { list } from '../../../src/wire/parts.ts';
import { report } from '../../../src/wire/reports.ts';
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
