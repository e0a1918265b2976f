import { expect, it } from 'vitest';
import { createPlanInput } from '../../../src/wire/plans.ts';
import { inward } from '../../../src/wire/spoken.ts';
import { taskPrompt } from '../../../src/work/judge/words.ts';
import { knownTemplates } from '../../../src/work/templates/known.ts';
import { wholeOrder } from '../../../src/work/verbs/whole-order.ts';
import { job, plan } from '../parts.ts';

const jobs = [{ name: 'a', prompt: 'x' }];
const why = 'Nobody has agreed to /p/bug-fix.yaml.';
const whole = (order: object) =>
  wholeOrder(inward(createPlanInput, createPlanInput.parse(order)), async () =>
    knownTemplates({ files: [], aside: [{ file: '/p/bug-fix.yaml', name: 'bug-fix', why }] }),
  );

it('jobs that are given are those of the plan', async () => {
  expect(await whole({ name: 'shop', jobs })).toMatchObject({ name: 'shop', jobs, from: {}, warnings: [] });
});

it('a goal alone is for a planner, under a name or its first words', async () => {
  expect(await whole({ goal: 'Sell a cart.' })).toMatchObject({ name: 'Sell a cart.', jobs: [], isPlanned: true });
  expect(await whole({ goal: 'x'.repeat(20_000), name: 'shop' })).toMatchObject({ name: 'shop', isPlanned: true });
});

it('a template gives jobs and a name, its hash is kept, and a file of its name that does not count is told', async () => {
  const made = await whole({ template: 'bug-fix', goal: 'The cart is empty.' });
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(made).toMatchObject({ name: 'bug-fix', from: { template: { name: 'bug-fix', sha256 } }, warnings: [why] });
  expect(made.jobs.map(({ name }) => name)).toContain('root-cause');
  expect(await whole({ name: 'mine', template: 'code-review', goal: 'x' })).toMatchObject({
    name: 'mine',
    warnings: [],
  });
});

it.each<[object, string, string]>([
  [{ name: 'x' }, 'Neither jobs nor a template is given.', 'Pass jobs, a template and a goal, or a goal alone.'],
  [{ jobs }, 'name is missing.', 'Pass a name; a template or a goal alone has one.'],
  [
    { jobs, template: 'bug-fix', goal: 'x' },
    'jobs and template are given, and they exclude each other.',
    'Pass one of them.',
  ],
  [{ goal: ' \n' }, 'goal is empty.', 'Say what the plan is for.'],
  [
    { goal: 'x'.repeat(20_001) },
    'goal has 20001 characters, and a planner takes 20000.',
    'Put the rest into a file of the repository, and name the file.',
  ],
  [{ goal: 'x', steps: {} }, 'params and steps are for a template.', 'Leave them out.'],
  [{ name: 'x', jobs, params: {} }, 'params and steps are for a template.', 'Leave them out.'],
  [{ name: 'x', jobs, steps: {} }, 'params and steps are for a template.', 'Leave them out.'],
  [{ template: 'bug-fix' }, 'The template bug-fix needs goal.', 'It needs a goal. It has no params.'],
  [
    { template: 'bug-fix', goal: 'x', params: { a: 'b' } },
    'The template bug-fix has no parameter "a".',
    'It needs a goal. It has no params.',
  ],
])('%j is refused', async (order, message, hint) => {
  await expect(whole(order)).rejects.toMatchObject({ code: 'invalid_argument', message, hint });
});

it('a prompt that holds the goal by its template is not told it twice', () => {
  const one = job({ prompt: 'Do it: a shop.' });
  const told = (given: object) => taskPrompt(one, plan(['t'], { goal: 'a shop', ...given })).split('a shop').length - 1;
  expect(told({})).toBe(2);
  expect(told({ template: { name: 'own', sha256: '0' } })).toBe(1);
});
