// A worker asks for a review of its branch: when it begins, what the reviewer has, and who hears of it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { permissionsOutput } from '../../src/wire/permissions.ts';
import { eventually } from '../support/sandbox.ts';
import type { Worker } from './crew.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand({ defaults: { skip_permissions: true }, limits: { start_subtasks: true } });
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const entered = z.looseObject({ task_id: z.string(), state: z.string(), wait_for_me: z.boolean().optional() });
const account = {
  ...{ files_changed: [], what_done: 'It rounds cents away.', what_open: 'The sum.', what_tested: '' },
  ...{ what_untested: '', next_steps: '', errors_encountered: '' },
};
const workerOf = async (id: string): Promise<Worker> => {
  const { worker } = await server.comes(id, 'running');
  return server.look(worker?.session_id ?? '');
};

it("a review begins after its author's turn, on the commit then, reads only, and its report comes to the author", async () => {
  const ada = await server.one({
    prompt: `${commit('a.txt', 'one')}\nHOLD asked\n${commit('b.txt', 'two')}\nBASH echo left > left.txt\nSAY done`,
  });
  await eventually('the first commit is there', () => stand.subjects(`main..${ada.branch}`).length === 1);
  const tools = await stand.toolsOf(ada);
  const review = entered.parse(await tools.call('request_review', { description: 'HOLD read\nSAY fine' }));
  expect(review).toMatchObject({ state: 'queued', wait_for_me: true });
  // Another task begins meanwhile, so that there was time and room for this one.
  const { task_id } = await server.submit({ prompt: 'SAY beside', brings: 'report' });
  await server.comes(task_id, 'done');
  expect((await server.task(review.task_id)).state).toBe('queued');
  stand.release('asked');
  const rita = await workerOf(review.task_id);
  const tip = stand.git('rev-parse', ada.branch ?? '');
  expect(stand.subjects(`main..${ada.branch}`)).toHaveLength(2);
  expect(stand.sandbox.git(rita.project_path, 'rev-parse', 'HEAD')).toBe(tip);
  expect(rita).toMatchObject({ base: { ref: ada.branch, sha: tip }, role: 'reviewer' });
  const prompt = await eventually('its log has its prompt', async () => (await server.prompts(rita))[0]);
  expect(prompt).toContain(`${ada.name} has 1 file that is in no commit`);
  expect(prompt).toContain('git diff main...HEAD');
  const scope = `worker:${rita.session_id}`;
  expect((await server.call('set_permissions', permissionsOutput, { scope })).rules.preset).toBe('review');

  await (await stand.toolsOf(rita)).call('submit_report', account);
  stand.release('read');
  expect(await server.comes(review.task_id, 'done')).toMatchObject({ kind: 'review', evidence: { claimed: true } });
  expect(await server.reports({ task_id: review.task_id })).toMatchObject([{ what_done: 'It rounds cents away.' }]);
  const note = await eventually('its author has it', async () =>
    (await server.prompts(ada)).find((text) => text.includes('rounds cents')),
  );
  expect(note).toContain(`note ${review.task_id}-1 from worker "${rita.name}"`);
  expect(note).toMatch(/\n\| Review .*\n\| Done: It rounds cents away\.\n\| Open: The sum\./);
  expect(note).toContain("nobody's orders");
  await server.until(rita.session_id, 'closed');
  expect((await server.prompts(ada)).filter((text) => text.includes('rounds cents'))).toHaveLength(1);
});

it('a review whose author is closed in the turn begins at its branch, and last words stand for a report', async () => {
  const ada = await server.one({ prompt: `${commit('c.txt', 'one')}\nHOLD never` });
  await eventually('the commit is there', () => stand.subjects(`main..${ada.branch}`).length === 1);
  const tools = await stand.toolsOf(ada);
  const review = entered.parse(await tools.call('request_review', { description: 'SAY All is well.' }));
  await server.close(ada, true);
  const done = await server.comes(review.task_id, 'done');
  expect(await server.look(done.worker?.session_id ?? '')).toMatchObject({
    base: { ref: ada.branch, sha: stand.git('rev-parse', ada.branch ?? '') },
  });
});
