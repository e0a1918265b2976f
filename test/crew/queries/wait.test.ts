import { expect, it } from 'vitest';
import { isAlarming, told } from '../../../src/crew/queries/wait.ts';

const words = (text: string, length = text.length) => ({ text, length });

it('tells nothing of who said nothing, and says of each text whether it is whole', () => {
  const said = told([
    ['ada', words('done')],
    ['bruno', undefined],
    ['cleo', words('x'.repeat(2_000), 2_001)],
  ]);
  expect(said).toMatchObject({ ada: { reply: 'done' }, cleo: { reply: 'x'.repeat(2_000), truncated: true } });
  expect(Object.keys(said)).toEqual(['ada', 'cleo']);
});

it.each([
  [undefined, { session_id: 'ada', format: 'full' }],
  [4, { session_id: 'ada', format: 'full' }],
  [5, { session_id: 'ada', offset: 1, format: 'full' }],
  [17, { session_id: 'ada', offset: 3, format: 'full' }],
])('cut words with %s messages after them name the call that reads on', (after, args) => {
  const one = { ...words('x'.repeat(2_000), 2_001), ...(after !== undefined && { after }) };
  const hint = `The words of ada are cut: read_worker_logs ${JSON.stringify(args)}.`;
  expect(told([['ada', one]])).toMatchObject({ ada: { hint } });
});

it('tells of the largest crew no more than an answer holds', () => {
  const crew = Array.from({ length: 64 }, (_, index) => [`w${index}`, words('🚀'.repeat(1_000))] as const);
  const said = told(crew);
  expect(Object.keys(said)).toHaveLength(64);
  expect(JSON.stringify(said).length).toBeLessThan(40_000);
  expect(Object.values(said).every(({ reply }) => !/[\uD800-\uDBFF]$/.test(reply))).toBe(true);
});

it.each<[string, 'new' | 'any' | 'ignore', ('question' | 'stuck')[], boolean]>([
  ['a new need', 'new', ['question'], true],
  ['a worker that may be stuck', 'new', ['stuck'], false],
  ['a worker that may be stuck, for who asks for any', 'any', ['stuck'], true],
  ['both', 'new', ['stuck', 'question'], true],
  ['nothing, for who ignores needs', 'ignore', ['question', 'stuck'], false],
  ['nothing', 'any', [], false],
])('%s ends a wait, or does not', (_, on, kinds, ends) => {
  const needs = kinds.map((waiting_for) => ({
    ...{ session_id: 'a', name: 'ada', waiting_for, since: '', title: '', detail: '', answer_with: [] },
  }));
  expect(isAlarming(needs, on, () => false)).toBe(ends);
  expect(isAlarming(needs, on, () => true)).toBe(ends && on === 'any');
});
