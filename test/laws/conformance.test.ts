import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { subjects } from '../real/conform/subjects.ts';
import { root } from './source.ts';

const sections = readFileSync(join(root, 'docs/AGENTS-CONFORMANCE.md'), 'utf8').split(/^## /mu).slice(1);

it.each(subjects)('$title $version is in the document, with no false idle and no false submitted', (of) => {
  const section = sections.find((one) => one.startsWith(`${of.title} ${of.version}\n`)) ?? '';
  expect(section).toMatch(/^\*\*False idle: 0\*\* of \d{3,} answers/mu);
  expect(section).toMatch(/^\*\*False submitted: 0\*\* of \d{2,}; other false verdicts: 0 of \d+\./mu);
});
