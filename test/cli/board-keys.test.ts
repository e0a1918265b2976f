import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BoardState, itemAtCursor, shownItems, typed, withNews } from '../../src/cli/board-keys.ts';
import { asking, newsFrom, plan, row, stateOf } from './board-rows.ts';

const crew = () => stateOf([row('ada'), row('bo', { label: 'fix login' }), row('cleo')]);
const after = (state: BoardState, ...chunks: readonly string[]) =>
  chunks.reduce((now, text) => typed(now, text).state, state);
const actAfter = (state: BoardState, ...chunks: readonly string[]) => {
  const last = chunks.at(-1) ?? '';
  return typed(after(state, ...chunks.slice(0, -1)), last).act;
};

it.each([
  ['\r', { is: 'run', line: ['attach', 'id-ada'] }],
  ['a', { is: 'run', line: ['answer'] }],
  ['m', { is: 'message', worker: 'id-ada', name: 'ada' }],
  ['l', { is: 'read', line: ['logs', 'id-ada'], from: 'end' }],
  ['d', { is: 'read', line: ['diff', 'id-ada'], from: 'top' }],
  ['q', { is: 'end' }],
  ['\u0003', { is: 'end' }],
  ['g', undefined],
  ['x', undefined],
  ['y', undefined],
  ['\u001bx', undefined],
  ['\u001b[200~', undefined],
])('the key %j at a worker does what its line says', (key, act) => {
  expect(actAfter(crew(), key)).toEqual(act);
});

it('what cannot be undone needs a second key, which was typed after the question was there', () => {
  expect(actAfter(crew(), 'g', 'y')).toEqual({ is: 'run', line: ['merge', 'id-ada'] });
  expect(actAfter(crew(), 'x', 'y')).toEqual({ is: 'run', line: ['close', 'id-ada'] });
  expect(actAfter(crew(), 'x', 'n', 'y')).toBeUndefined();
  expect(actAfter(crew(), 'x', '\r')).toBeUndefined();
  expect(actAfter(crew(), 'xy')).toBeUndefined();
  expect(after(crew(), 'xy').mode).toMatchObject({ is: 'sure', line: ['close', 'id-ada'] });
});

it('the question names the worker, also where the rows move before the answer', () => {
  const asked = after(crew(), 'j', 'x');
  const moved = withNews(asked, newsFrom([asking('cleo'), row('bo'), row('ada')]));
  expect(moved.mode).toMatchObject({ question: 'Close bo for good? Its branch is kept.' });
  expect(actAfter(moved, 'y')).toEqual({ is: 'run', line: ['close', 'id-bo'] });
});

it('a checkpoint is answered by the number of its line and a yes; a prompt is not among them', () => {
  const calls = [
    'approve_plan {"plan_id": "p1", "checkpoint": "start"}',
    'approve_plan {"plan_id": "p1", "action": "relaunch", "prompt": "say why"}',
    'edit_plan {"plan_id": "p1", "skip": ["a"]}',
    'cancel_plan {"plan_id": "p1"}',
  ];
  const waiting = plan({ checkpoint: { planId: 'p1', at: 'start', why: 'Is this the plan?', calls } });
  const state = stateOf([row('ada')], [waiting]);
  expect(itemAtCursor(state)?.key).toBe('plan p1');
  expect(actAfter(state, '1', 'y')).toEqual({ is: 'run', line: ['plan', 'approve', 'p1', '--at', 'start'] });
  expect(actAfter(state, '2', 'y')).toEqual({ is: 'run', line: ['plan', 'cancel', 'p1'] });
  expect(actAfter(state, '3', 'y')).toBeUndefined();
  expect(actAfter(state, '\r')).toEqual({ is: 'read', line: ['plan', 'p1'], from: 'top' });
  expect(['m', 'l', 'd', 'g', 'x'].map((key) => actAfter(state, key, 'y'))).toEqual(Array(5).fill(undefined));
});

it('the cursor begins at who needs somebody, moves by keys, and goes no further than the ends', () => {
  const at = (...chunks: string[]) => itemAtCursor(after(crew(), ...chunks))?.key;
  expect(itemAtCursor(stateOf([row('ada'), asking('bo')]))?.key).toBe('worker id-bo');
  expect(at('j')).toBe('worker id-bo');
  expect(at('\u001b[B\u001bOB')).toBe('worker id-cleo');
  expect(at('jjjjj')).toBe('worker id-cleo');
  expect(at('jjk')).toBe('worker id-bo');
  expect(at('k')).toBe('worker id-ada');
  expect(at('\u001b[F')).toBe('worker id-cleo');
  expect(at('\u001b[F', '\u001b[5~')).toBe('worker id-ada');
});

it('a filter shows what has all of its words, Enter keeps it, Escape and nothing else shows all', () => {
  const shown = (...chunks: string[]) => shownItems(after(crew(), ...chunks)).map(({ key }) => key);
  expect(shown('/', 'LOG', 'in')).toEqual(['worker id-bo']);
  expect(shown('/login fix\r', 'j')).toEqual(['worker id-bo']);
  expect(shown('/', 'loginx\u007f')).toEqual(['worker id-bo']);
  expect(shown('/', 'nobody')).toEqual([]);
  expect(shown('/', 'login', '\u001b')).toHaveLength(3);
  expect(shown('/login\r', '\u001b')).toHaveLength(3);
  expect(after(crew(), '/', 'login\r').cursor).toBe('worker id-bo');
  expect(actAfter(crew(), '/', 'q')).toBeUndefined();
  expect(actAfter(crew(), '/', 'zzz\r', 'x', 'y')).toBeUndefined();
});

it('any key leads back from the help, and does nothing else', () => {
  expect(after(crew(), '?').mode).toEqual({ is: 'help' });
  expect(actAfter(crew(), '?', 'q')).toBeUndefined();
  expect(after(crew(), '?', 'q').mode).toEqual({ is: 'list' });
});

const names = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1 });

it('the cursor stays with its worker however the rows move, and is at some row whenever there is one', () => {
  fc.assert(
    fc.property(names, names, fc.nat(9), (first, next, steps) => {
      const before = after(stateOf(first.map((name) => row(name))), 'j'.repeat(steps));
      const held = itemAtCursor(before)?.key;
      const moved = itemAtCursor(withNews(before, newsFrom(next.map((name) => row(name)))))?.key;
      expect(moved).toBeDefined();
      if (next.some((name) => `worker id-${name}` === held)) expect(moved).toBe(held);
    }),
  );
});

it('nothing typed at once closes or lands a worker', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'gxy/?jk\r\u001b1') }), (text) => {
      const { act } = typed(crew(), text);
      expect(act?.is === 'run' && ['merge', 'close', 'plan'].includes(act.line[0] ?? '')).toBe(false);
    }),
  );
});
