import { describe, expect, it } from 'vitest';
import { filledTemplate, proposedBody, proposedTitle } from '../../../src/crew/proposing/proposal.ts';

const ada = { name: 'ada', branch: 'ada-cart', subjects: ['Add the cart', 'Test the cart'] };

it.each([
  ['its only commit', { subjects: ['Add the cart'], annotation: 'cart' }, 'Add the cart'],
  ['its label, where there are several commits', { annotation: 'cart page' }, 'cart page'],
  ['its worker and branch, where there is nothing else', {}, 'Work of ada (ada-cart)'],
  ['one line, whatever the label is', { annotation: 'cart\n\n  page ' }, 'cart page'],
])('a title is %s', (_, more, title) => {
  expect(proposedTitle({ ...ada, ...more })).toBe(title);
});

it('a title is never longer than a title may be', () => {
  expect(proposedTitle({ ...ada, annotation: 'x'.repeat(1000) })).toHaveLength(200);
});

it("a body quotes the worker's report, and lists the commits", () => {
  const report = { what_done: 'The cart page.\nWith totals.', what_tested: 'npm test', what_open: '' };
  expect(proposedBody({ ...ada, report })).toMatchInlineSnapshot(`
    "ada reports:

    > **Done**
    >
    > The cart page.
    > With totals.
    >
    > **Tested**
    >
    > npm test

    Commits:

    - Add the cart
    - Test the cart"
  `);
});

it('a text that a worker has written stands first, in place of the goal, and mentions nobody', () => {
  const plan = { goal: 'A shop.', text: 'Sell coupons\n\nAs @ada asked. <!-- hidden', jobs: [] };
  const body = proposedBody({ ...ada, name: 'shop', plan });
  expect(body).toMatch(/^Sell coupons\n\nAs @\u200bada asked\. &lt;!-- hidden\n\n\| job \| state /);
  expect(body).not.toContain('A shop.');
});

it("a plan's body has its goal, a table of its jobs, and what their workers left open or untested", () => {
  const jobs = [
    { name: 'prices', state: 'landed', commits: 2, tests: 'passed', report: { what_untested: 'Rounding.' } },
    { name: 'page', state: 'landed', commits: 1, tests: 'none', report: {} },
    { name: 'docs', state: 'left out', commits: 0, tests: 'none' },
  ];
  const plan = { goal: 'A shop with prices.\nIt opens soon.', jobs };
  expect(proposedBody({ ...ada, name: 'shop', plan })).toMatchInlineSnapshot(`
    "Goal:

    > A shop with prices.
    > It opens soon.

    | job | state | commits | tests |
    |---|---|---|---|
    | prices | landed | 2 | passed |
    | page | landed | 1 | none |
    | docs | left out | 0 | none |

    prices reports:

    > **Not tested**
    >
    > Rounding.

    Commits:

    - Add the cart
    - Test the cart"
  `);
});

describe('what a worker or a commit says', () => {
  it.each([
    ['a comment that never ends', '<!-- swallow'],
    ['a fence that never ends', '```\nswallow'],
    ['a heading', '# Approved by the owner'],
    ['line ends of other kinds', 'one\r\ntwo\u2028three'],
  ])('stays inside its quotation: %s', (_, what_done) => {
    const body = proposedBody({
      ...ada,
      subjects: ['Add'],
      report: { what_done },
      template: '## Checklist\n- [ ] done',
    });
    const [quotation = '', rest = ''] = body.split('\n\nCommits:');
    expect(
      quotation
        .split('\n')
        .slice(2)
        .every((line) => line.startsWith('>')),
    ).toBe(true);
    expect(body).not.toContain('<!--');
    expect(rest).toContain('- [ ] done');
  });

  it('calls on nobody, and leaves addresses and packages as they are', () => {
    const body = proposedBody({ ...ada, subjects: ['Thank @octocat', 'Use `@types/node` for a@b.c'] });
    expect(body).toContain('Thank @\u200boctocat');
    expect(body).toContain('Use `@types/node` for a@b.c');
  });

  it('is cut to what GitHub takes', () => {
    const long = 'x'.repeat(100_000);
    const report = { what_done: long, what_tested: long, what_open: long, next_steps: long };
    const body = proposedBody({ ...ada, report, subjects: Array.from({ length: 1000 }, () => long.slice(0, 500)) });
    expect(body.length).toBeLessThanOrEqual(60_000);
    expect(body).toContain('- and 950 more');
  });
});

it.each([
  [
    'under its heading for it',
    '# PR\n## Description\n<!-- say -->\n## Tests\n',
    '# PR\n## Description\n\nTEXT\n\n<!-- say -->\n## Tests\n',
  ],
  ['under a heading that asks', '### What does this change?\n', '### What does this change?\n\nTEXT\n\n'],
  ['before a template without one', '- [ ] tests\n', 'TEXT\n\n- [ ] tests\n'],
])('a text goes into a template %s', (_, template, filled) => {
  expect(filledTemplate(template, 'TEXT')).toBe(filled);
});
