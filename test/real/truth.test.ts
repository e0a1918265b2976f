import { expect, test } from 'vitest';
import { busySpans, falseIdles, type Sample } from './truth.ts';

const asked = (at: number, end: number | undefined, how: string) => ({
  at,
  end: end === undefined ? undefined : { at: end, how },
  cwd: '/w',
  conversation: 'c',
  kind: 'turn' as const,
  texts: [`asked at ${at}`],
});
const idleAt = (from: number, to = from + 1): Sample => ({ from, to, cwd: '/w', status: 'idle' });
const nothing = { sent: [], ends: [] };

test('idle within an answer is false, idle after it is true', () => {
  const spans = busySpans('/w', [asked(10, 20, 'end_turn')], nothing);
  expect(falseIdles([idleAt(15)], spans)).toHaveLength(1);
  expect(falseIdles([idleAt(19, 21), idleAt(25), idleAt(5)], spans)).toEqual([]);
});

test('a tool call keeps the worker busy until the next request', () => {
  const spans = busySpans('/w', [asked(10, 20, 'tool_use'), asked(50, 60, 'end_turn')], nothing);
  expect(falseIdles([idleAt(30)], spans)).toHaveLength(1);
  expect(falseIdles([idleAt(70)], spans)).toEqual([]);
});

test('a turn that was ended by hand is over', () => {
  const spans = busySpans('/w', [asked(10, 20, 'tool_use')], { sent: [], ends: [{ from: 35, to: 40 }] });
  expect(falseIdles([idleAt(30)], spans)).toHaveLength(1);
  expect(falseIdles([idleAt(45)], spans)).toEqual([]);
});

test('an accepted prompt counts before the model hears of it', () => {
  const sent = [{ cwd: '/w', text: 'asked at 50', at: 5 }];
  const spans = busySpans('/w', [asked(50, undefined, '')], { sent, ends: [] });
  expect(falseIdles([idleAt(30)], spans)).toHaveLength(1);
  expect(falseIdles([idleAt(3)], spans)).toEqual([]);
});

test('a prompt whose turn was ended by hand before the model heard of it is over, though a later request repeats it', () => {
  const sent = [{ cwd: '/w', text: 'asked at 50', at: 5 }];
  const spans = busySpans('/w', [asked(50, 60, 'end_turn')], { sent, ends: [{ from: 15, to: 20 }] });
  expect(falseIdles([idleAt(10)], spans)).toHaveLength(1);
  expect(falseIdles([idleAt(17), idleAt(30)], spans)).toEqual([]);
});

test('another worker is not this one', () => {
  expect(busySpans('/other', [asked(10, 20, 'end_turn')], nothing)).toEqual([]);
});
