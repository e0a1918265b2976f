import { expect, it } from 'vitest';
import { builtInTemplates } from '../../../src/work/templates/built-in.ts';
import { fill } from '../../../src/work/templates/fill.ts';

/** Role, name, priority and what it brings; what it comes after stands before it. */
const graphs: Readonly<Record<string, readonly string[]>> = {
  'code-review': [
    'architect structure 7 report',
    'reviewer bugs 8 report',
    'reviewer security 9 report',
    'reviewer performance 6 report',
    'documenter docs 5 report',
    'structure, bugs, security, performance, docs -> reviewer report 7 report',
  ],
  'feature-development': [
    'architect design 9 report',
    'design -> implementer plan 8 report',
    'plan -> implementer core 7 commit',
    'core -> tester unit 6 commit',
    'core -> tester integration 6 commit',
    'core -> documenter docs 5 commit',
    'core, unit, integration, docs -> reviewer review 7 report',
    'review -> documenter pull-request 6 report',
  ],
  'bug-fix': [
    'reviewer root-cause 9 report',
    'root-cause -> architect approach 8 report',
    'approach -> implementer fix 7 commit',
    'fix -> tester tests 8 commit',
    'fix -> documenter docs 5 commit',
    'tests, docs -> documenter pull-request 6 report',
  ],
  'code-refactoring': [
    'reviewer analysis 8 report',
    'analysis -> architect approach 9 report',
    'analysis -> tester safety 8 commit',
    'approach, safety -> implementer refactor 7 commit',
    'refactor -> tester verify 8 report',
    'refactor -> documenter docs 6 commit',
    'verify, docs -> documenter pull-request 7 report',
  ],
};

it('four templates are built in', () => {
  expect(builtInTemplates.map(({ name }) => name)).toEqual(Object.keys(graphs));
});

it.each(builtInTemplates)('$name has exactly its jobs, by a goal alone, and each is told the goal', (template) => {
  const jobs = fill(template, { goal: 'Coupons for {{goal}}.' });
  const lines = jobs.map(({ name, role, priority, brings, dependsOn }) => {
    const before = dependsOn.length === 0 ? '' : `${dependsOn.join(', ')} -> `;
    return `${before}${role} ${name} ${priority} ${brings}`;
  });
  expect(lines).toEqual(graphs[template.name]);
  for (const { prompt } of jobs) expect(prompt.split('Coupons for {{goal}}.')).toHaveLength(2);
});
