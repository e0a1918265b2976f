// What a person sees has the terminal's own 16 colours, which its theme makes readable.
import { expect, it } from 'vitest';
import { workerColour } from '../../src/model/name.ts';
import { sourcesIn } from './source.ts';

/** Of the 256, by their values, or of tmux beyond the 16. */
const further = /[34]8[;:][25][;:]|colou?r(?:1[6-9]|[2-9]\d|\d{3})|[fb]g=#[0-9a-f]{6}/;

it.each([
  ['38;5;244m', true],
  ['48;2;1;2;3m', true],
  ['#[fg=colour39]', true],
  ['#[bg=#ff0000]', true],
  ['colour15', false],
  ['1;31m', false],
  ['#[bg=red,fg=white]', false],
])('%s is beyond the 16: %s', (text, isBeyond) => {
  expect(further.test(text)).toBe(isBeyond);
});

it('no source has a colour beyond them; the scripted agent alone, which looks like another program', () => {
  const offences = sourcesIn('src')
    .filter(({ path, text }) => !path.startsWith('src/demo/agent/') && further.test(text))
    .map(({ path }) => path);
  expect(offences).toEqual([]);
});

it('the colour of a worker is one of them, never red and never that of a ground', () => {
  const all: string[] = [];
  for (let at = 0; at < 20; at += 1) all.push(workerColour('ada', all));
  expect([...new Set(all)].toSorted()).toEqual(
    [2, 3, 4, 5, 6, 10, 11, 12, 13, 14].map((at) => `colour${at}`).toSorted(),
  );
});
