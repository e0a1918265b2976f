import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { planHandover } from '../../../src/agents/codex/delivery.ts';
import { restartWorkers } from '../../../src/tools/restart-workers.ts';
import { spawnWorkers } from '../../../src/tools/spawn-workers.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import type { Fields } from '../../support/mcp.ts';
import { workerRecord } from '../../support/records.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';

let crew: RestingCrew;
let worker: Resting;
const option = '--dangerously-skip-permissions';
beforeAll(async () => {
  crew = await openRestingCrew({ CREWMUX_COMMAND: process.execPath });
  const { launch } = workerRecord();
  const dir = `${crew.sandbox.env.CREWMUX_HOME}/workers/none`;
  worker = await crew.worker({ record: { launch: { ...launch, dir, agentSessionId: option } } });
});
afterAll(() => crew.dispose());

const failed = async (tool: Tool, args: Fields) =>
  (await crew.call(tool, z.looseObject({ failed: z.array(z.object({ step: z.string(), error: z.string() })) }), args))
    .failed;
const refusal = { step: 'check', error: expect.stringContaining(`"${option}": a program would take it for an option`) };

it('a conversation whose id is an option goes on neither in its own worker nor in another', async () => {
  const worktrees = crew.git(crew.repo, 'worktree', 'list');
  expect(await failed(restartWorkers, { session_ids: [worker.id] })).toMatchObject([refusal]);
  expect(await failed(spawnWorkers, { workers: [{ project_path: crew.repo, resume: worker.id }] })).toMatchObject([
    refusal,
  ]);
  expect(crew.git(crew.repo, 'worktree', 'list')).toBe(worktrees);
});

it('nor is a message handed to it', () => {
  expect(() => planHandover({ text: 'hi', agentSessionId: option })).toThrow('would take it for an option');
});
