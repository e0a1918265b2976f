// A built-in template on the real agents, by a goal and a role that the user has written down.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createPlanOutput, planStatusOutput } from '../../src/wire/plans.ts';
import { waitTasksOutput } from '../../src/wire/tasks.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew?.dispose());

const implementer = `---
name: implementer
crewmux: {agent: codex, preset: implement}
---
Build with small steps.
`;
const report = (tool: string, what_done: string, next_steps = '') => {
  const rest = { what_open: '', what_tested: '', what_untested: '', errors_encountered: '' };
  return `TOOL ${tool} ${JSON.stringify({ files_changed: [], what_done, next_steps, ...rest })}\nSAY reported`;
};

test('feature-development by a goal: a Codex implementer plans and builds by the design that Claude has reported', async () => {
  const folder = join(crew.home.sandbox.home, '.config/crewmux/roles');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'implementer.md'), implementer);
  const { plan_id, integration_branch } = await crew.call('create_plan', createPlanOutput, {
    template: 'feature-development',
    goal: 'Carts that hold coupons.',
    steps: {
      design: report('mcp__crew__submit_report', 'A cart has one field for its coupon.', 'Begin with cart.ts.'),
      plan: report('mcp__crew/submit_report', 'First the field, then its check.'),
      core: 'BASH echo made > cart.ts && git add . && git commit -q -m "Hold coupons"\nSAY built',
    },
  });
  // They come after the implementer, and the scripted agent plays them to the end of each template.
  const skip = ['unit', 'integration', 'docs', 'review', 'pull-request'];
  await crew.call('edit_plan', z.looseObject({}), { plan_id, skip });
  const waited = await crew.call('wait_tasks', waitTasksOutput, { plan_id, timeout: 240 });
  expect(waited).toMatchObject({ all_ended: true, timed_out: false, attention: [] });
  const { state, jobs = [] } = await crew.call('plan_status', planStatusOutput, { plan_id });
  expect(state).toBe('completed');
  expect(jobs.slice(0, 3)).toMatchObject([
    { name: 'design', state: 'done' },
    { name: 'plan', state: 'done' },
    { name: 'core', state: 'landed' },
  ]);
  expect(crew.home.sandbox.git(crew.repo, 'show', `${integration_branch}:cart.ts`)).toBe('made');

  const asked = (words: string) => crew.home.model.requests.find(({ prompt }) => prompt.includes(words));
  const quoted = (name: string, words: string) => {
    const worker = jobs.find((job) => job.name === name)?.worker;
    return expect.stringContaining(`"${name}", by worker "${worker?.name}" (${worker?.session_id}):\n${words}`);
  };
  expect(asked('Design what the goal asks for')?.model).toMatch(/^claude/);
  const planned = asked('Turn the design quoted below into steps');
  const design = quoted('design', '| Done: A cart has one field for its coupon.\n| Next steps: Begin with cart.ts.');
  expect(planned).toMatchObject({ model: 'gpt-5.5', prompt: design });
  expect(planned?.told.join('\n')).toContain('Build with small steps.');
  const plan = quoted('plan', '| Done: First the field, then its check.');
  expect(asked('Build it by the steps quoted below')).toMatchObject({ model: 'gpt-5.5', prompt: plan });
});
