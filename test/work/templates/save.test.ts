import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CrewError } from '../../../src/model/errors.ts';
import { builtInTemplates } from '../../../src/work/templates/built-in.ts';
import { fill } from '../../../src/work/templates/fill.ts';
import { templateOf } from '../../../src/work/templates/save.ts';
import { readTemplate } from '../../../src/work/templates/template.ts';
import { job, plan } from '../parts.ts';

const completed = (goal?: string) => plan([], { state: 'completed', name: 'The shop', ...(goal && { goal }) });
const refilled = (value: unknown, goal: string) => {
  const read = readTemplate(value, 'shop');
  if ('fault' in read) throw new Error(read.fault);
  return fill(read.template, { goal });
};

it('what was asked stays, the goal becomes a place, and what is as usual or was left out is left out', () => {
  const jobs = [
    job({ id: 'a', title: 'design', role: 'architect', brings: 'report', prompt: 'Design a cart.', state: 'done' }),
    job({ id: 'b', title: 'gone', prompt: 'x', isSkipped: true }),
    job({
      id: 'c',
      title: 'build',
      prompt: 'Build a cart, no a carton.',
      priority: 7,
      dependsOn: ['a', 'b'],
      touchSet: ['src/'],
    }),
  ];
  const { value, asksForGoal } = templateOf(completed('a cart'), jobs, 'shop');
  expect(asksForGoal).toBe(true);
  expect(value).toEqual({
    name: 'shop',
    description: 'Saved from the plan "The shop".',
    jobs: [
      { name: 'design', prompt: 'Design {{goal}}.', role: 'architect', brings: 'report' },
      {
        name: 'build',
        prompt: 'Build {{goal}}, no a carton.',
        priority: 7,
        depends_on: ['design'],
        touch_set: ['src/'],
      },
    ],
  });
});

it('a plan without a goal asks for none, and one that has not ended well is refused', () => {
  expect(templateOf(completed(), [job({ prompt: 'x' })], 'shop').asksForGoal).toBe(false);
  expect(() => templateOf({ ...completed(), state: 'running' }, [], 'shop')).toThrow(CrewError);
  expect(() => templateOf(completed(), [], 'shop')).toThrow('The plan The shop makes no template');
});

it('what looks like a place in a plan is that text again in the next', () => {
  const prompt = 'Write {{goal}} and {{ area }} and {{area}} for a cart.';
  const { value } = templateOf(completed('a cart'), [job({ prompt })], 'shop');
  expect(value).toMatchObject({ params: { goal_text: { default: '{{goal}}' }, area_: { default: '{{area}}' } } });
  expect(refilled(value, 'a shop')[0]?.prompt).toBe('Write {{goal}} and {{ area }} and {{area}} for a shop.');
});

const text = fc
  .array(fc.constantFrom('a cart', 'a', '{', '}', '{{goal}}', '{{b}}', '{{ b }}', ' ', '$&', '.'), { minLength: 1 })
  .map((parts) => parts.join(''));

it('whatever a plan was asked, the template asks the same of the next with that goal', () => {
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), (goal, prompts) => {
      fc.pre(goal.trim() !== '');
      const jobs = prompts.map((prompt, at) => job({ id: `j${at}`, title: `j${at}`, prompt }));
      expect(refilled(templateOf(completed(goal), jobs, 'shop').value, goal).map(({ prompt }) => prompt)).toEqual(
        prompts,
      );
    }),
  );
});

it.each(builtInTemplates)('a plan by $name makes a template with the same jobs', (template) => {
  const made = fill(template, { goal: 'Sell a cart.' });
  const jobs = made.map(({ name, dependsOn, ...asked }) => job({ ...asked, id: name, title: name, dependsOn }));
  expect(refilled(templateOf(completed('Sell a cart.'), jobs, 'shop').value, 'Sell more.')).toMatchObject(
    fill(template, { goal: 'Sell more.' }).map(({ brings, ...one }) => ({ ...one, brings })),
  );
});
