import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CrewError } from '../../../src/model/errors.ts';
import { job } from '../../../src/wire/plans.ts';
import { outward } from '../../../src/wire/spoken.ts';
import { builtInTemplates } from '../../../src/work/templates/built-in.ts';
import { type Filling, fill } from '../../../src/work/templates/fill.ts';
import { readTemplate, type Template } from '../../../src/work/templates/template.ts';

const one = { name: 'build', prompt: 'Do {{goal}} in {{area}}.' };
const file = (given: object = {}) => ({
  ...{ name: 'shop', description: 'Shops.', params: { area: { description: 'Where.' } }, jobs: [one] },
  ...given,
});
const shop = (given: object = {}): Template => {
  const read = readTemplate(file(given), 'shop');
  if ('fault' in read) throw new Error(read.fault);
  return read.template;
};
const refusal = (template: Template, filling: Filling): string => {
  try {
    fill(template, filling);
  } catch (thrown) {
    if (thrown instanceof CrewError) return `${thrown.code}: ${thrown.message} ${thrown.hint}`;
  }
  return 'it was not refused';
};

describe('a file', () => {
  it('with everything says everything', () => {
    const params = { area: { description: 'Where.', default: 3 }, ticket: { description: 'Which.', required: true } };
    const jobs = [
      { ...one, role: 'implementer', touch_set: ['src/'] },
      { name: 'after', prompt: 'x', depends_on: ['build'] },
    ];
    expect(shop({ params, jobs })).toMatchObject({
      params: new Map([
        ['area', { description: 'Where.', required: false, default: '3' }],
        ['ticket', { description: 'Which.', required: true }],
      ]),
      jobs: [
        { name: 'build', role: 'implementer', touchSet: ['src/'], dependsOn: [], priority: 5 },
        { name: 'after', dependsOn: ['build'] },
      ],
    });
  });

  it('may have no parameters, and other words between braces', () => {
    const prompt = 'Do {{ goal }} with ${{ secrets.KEY }} and {{#each}} {{a.b}}.';
    const [made] = fill(shop({ params: null, jobs: [{ name: 'a', prompt }] }), { goal: 'it' });
    expect(made?.prompt).toBe('Do it with ${{ secrets.KEY }} and {{#each}} {{a.b}}.');
  });

  it.each<[unknown, string]>([
    ['text', 'it names no fields (Invalid input: expected object, received string)'],
    [file({ name: 'other' }), 'its name is "other", and its file is called "shop.yaml"'],
    [file({ description: null }), '"description" cannot be so: Invalid input: expected string, received undefined'],
    [file({ job: [] }), 'it has a key "job", and there is none; nearest: "jobs"'],
    [file({ jobs: [] }), '"jobs" cannot be so: Too small: expected array to have >=1 items'],
    [
      file({ jobs: [{ ...one, dependson: [] }] }),
      '"jobs.0" has a key "dependson", and there is none; nearest: "depends_on"',
    ],
    [file({ jobs: [{ name: 'a', promt: 'b' }] }), '"jobs.0" has a key "promt", and there is none; nearest: "prompt"'],
    [
      file({ jobs: [{ ...one, name: 'a b' }] }),
      '"jobs.0.name" cannot be so: expected 1 to 40 letters, digits, dots, dashes or underscores, a letter or digit first',
    ],
    [
      file({ jobs: [{ ...one, depends_on: ['none'] }] }),
      'The job "build" depends on "none", and no job has that name. Names of the other jobs: none',
    ],
    [file({ jobs: [one, one] }), 'Two jobs have the name "build". Give each job a name of its own'],
    [file({ params: { goal: { description: 'x' } } }), '"goal" is no parameter: create_plan takes it by itself'],
    [file({ params: { 'a b': { description: 'x' } } }), '"a b" cannot be the name of a parameter'],
    [
      file({ params: { area: {} } }),
      '"params.area.description" cannot be so: Invalid input: expected string, received undefined',
    ],
    [
      file({ params: { area: { description: 'x', requierd: true } } }),
      '"params.area" has a key "requierd", and there is none; nearest: "required"',
    ],
    [
      file({ params: { area: { description: 'x', required: true, default: 'y' } } }),
      '"params.area" cannot be so: it is required, so no default can count',
    ],
    [
      file({ params: { aera: { description: 'x' } } }),
      'the job "build" has {{area}}, and no parameter is called so; nearest: "aera"',
    ],
    [
      file({ jobs: [{ name: 'a', prompt: 'x', acceptance_criteria: '{{zzz}}' }] }),
      'the job "a" has {{zzz}}, and no parameter is called so; known: goal, area',
    ],
  ])('is left aside as a whole: %j', (value, fault) => {
    expect(readTemplate(value, 'shop')).toEqual({ fault });
  });
});

describe('a filling', () => {
  it('goes into prompts and criteria, and steps to the end of a prompt', () => {
    const jobs = [
      { ...one, acceptance_criteria: '{{area}} works.' },
      { name: 'other', prompt: 'Rest.' },
    ];
    const made = fill(shop({ jobs }), {
      goal: 'coupons',
      params: { area: 'src/' },
      steps: { build: 'Mind {{area}}.' },
    });
    expect(made.map(({ prompt, acceptanceCriteria }) => [prompt, acceptanceCriteria])).toEqual([
      ['Do coupons in src/.\n\nMind {{area}}.', 'src/ works.'],
      ['Rest.', undefined],
    ]);
  });

  it('that is left out is the default, or nothing', () => {
    expect(fill(shop(), { goal: 'it' })[0]?.prompt).toBe('Do it in .');
    const params = { area: { description: 'Where.', default: '$& src' } };
    expect(fill(shop({ params }), { goal: '$1' })[0]?.prompt).toBe('Do $1 in $& src.');
  });

  it.each<[object, Filling, string]>([
    [
      {},
      { goal: 'x', params: { aera: 'y' } },
      'The template shop has no parameter "aera". Did you mean "area"? It needs a goal. Its params: area (may be left out): Where.',
    ],
    [{}, {}, 'The template shop needs goal. It needs a goal. Its params: area (may be left out): Where.'],
    [
      { params: { area: { description: 'Where', required: true }, to: { description: 'Whom.', default: 'me' } } },
      { goal: ' ', params: { area: '' } },
      'The template shop needs goal, area. It needs a goal. Its params: area (required): Where; to ("me" unless given): Whom.',
    ],
    [
      {},
      { goal: 'x', params: { constructor: 'y' } },
      'The template shop has no parameter "constructor". It needs a goal. Its params: area (may be left out): Where.',
    ],
    [
      {},
      { goal: 'x', steps: { biuld: 'y' } },
      'The template shop has no job "biuld". Did you mean "build"? Its jobs: build.',
    ],
    [
      { params: null, jobs: [{ name: 'a', prompt: 'x' }] },
      { params: { b: 'c' } },
      'The template shop has no parameter "b". It has no params.',
    ],
  ])('of %j with %j is refused', (given, filling, words) => {
    expect(refusal(shop(given), filling)).toBe(`invalid_argument: ${words}`);
  });

  it('with which a prompt is too long is refused', () => {
    expect(refusal(shop(), { goal: 'x'.repeat(120_001) })).toBe(
      'invalid_argument: The job build of the template shop cannot be so: prompt: it has 120009 bytes, and 120000 is the most; put the text into a file and send its path. Give a shorter goal, params or steps.',
    );
  });

  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('{{goal}}', '{{area}}', '{{ a }}{', '{{', '$&', '}}'),
  );
  it('is never expanded again, whatever it holds', () => {
    fc.assert(
      fc.property(text, text, text, (goal, area, step) => {
        fc.pre(goal.trim() !== '');
        const [made] = fill(shop(), { goal, params: { area }, steps: { build: step } });
        expect(made?.prompt).toBe(`Do ${goal} in ${area}.\n\n${step}`);
      }),
    );
  });

  it('makes valid jobs of a built-in template, or is refused', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...builtInTemplates),
        text,
        fc.dictionary(fc.string(), text),
        (template, goal, steps) => {
          const names = template.jobs.map(({ name }) => name);
          const known = Object.fromEntries(Object.values(steps).map((step, at) => [names[at % names.length], step]));
          const made = goal.trim() === '' ? [] : fill(template, { goal, steps: known });
          expect(made.map((one) => job.safeParse(outward(job, one)).success)).toEqual(made.map(() => true));
          expect(made.map(({ name, dependsOn }) => [name, dependsOn])).toEqual(
            made.length === 0 ? [] : template.jobs.map(({ name, dependsOn }) => [name, dependsOn]),
          );
        },
      ),
    );
  });
});
