import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planDelivery } from '../../../src/agents/codex/delivery.ts';
import type { Keystroke } from '../../../src/model/keystroke.ts';
import { keystrokesOf, pastesOf } from '../keystrokes.ts';

const plan = (text: string, more: { asCommand?: boolean; midTurn?: 'steer' | 'queue' } = {}) => {
  const made = planDelivery({ text, asCommand: false, ...more });
  if ('refused' in made) throw new Error(made.refused);
  return made;
};

describe('a message', () => {
  test('is pasted whole, begins no command, runs no shell and opens no list of files', () => {
    const message = fc
      .array(fc.oneof(fc.constantFrom('!', '/', '@', '@f', ' ', '\n', '\t', '\r\n'), fc.string({ unit: 'grapheme' })))
      .map((parts) => parts.join(''))
      .filter((text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').trim() !== '');
    fc.assert(
      fc.property(message, (text) => {
        const made = plan(text);
        const { expect: arrives } = made;
        const pasted = pastesOf(keystrokesOf(made)).join('');
        expect(keystrokesOf(made).at(-1)).toEqual({ press: 'Enter' });
        expect(pasted.trim()).toBe(arrives);
        expect(pasted).not.toMatch(/^[!/]|(?:^|\s)@\S*$/);
      }),
    );
  });

  test.each<[string, string, string]>([
    ['line ends become LF', 'a\r\nb\rc', 'a\nb\nc'],
    ['tabs are kept', 'a\tb', 'a\tb'],
    ['control characters are dropped', 'a\u0003b\u001b[31mc\u007f\u009b', 'ab[31mc'],
    ['letters are left as they are', 'cafe\u0301 \u200b', 'cafe\u0301 \u200b'],
    ['outer blank is trimmed', '\n  a b \n', 'a b'],
  ])('%s', (_, text, arrives) => {
    expect(plan(text).expect).toBe(arrives);
  });
});

test.each<[string, ReturnType<typeof plan>, readonly Keystroke[]]>([
  ['to an idle agent is entered', plan('hi'), [{ paste: 'hi' }, { press: 'Enter' }]],
  [
    'that waits for its turn is put in the queue',
    plan('hi', { midTurn: 'queue' }),
    [{ paste: 'hi' }, { press: 'Tab' }],
  ],
  ['that steers is entered', plan('hi', { midTurn: 'steer' }), [{ paste: 'hi' }, { press: 'Enter' }]],
  ['that is a command is one', plan('/compact', { asCommand: true }), [{ paste: '/compact' }, { press: 'Enter' }]],
  ['with a leading slash is none', plan('/compact'), [{ paste: ' /compact' }, { press: 'Enter' }]],
  ['with a leading ! is none', plan('!ls'), [{ paste: ' !ls' }, { press: 'Enter' }]],
  ['with a file at its end is whole', plan('see @a/b'), [{ paste: 'see @a/b ' }, { press: 'Enter' }]],
])('a message %s', (_, made, expected) => {
  expect(keystrokesOf(made)).toEqual(expected);
});

test.each(['', ' \n', '\u0007'])('%j is empty and refused', (text) => {
  expect(planDelivery({ text, asCommand: false })).toMatchObject({ refused: 'The message is empty.' });
});

test('more than an agent takes is refused, and 100 KB are not', () => {
  expect(planDelivery({ text: 'x'.repeat(120_001), asCommand: false })).toMatchObject({
    refused: expect.stringContaining('120001 bytes'),
  });
  expect(plan('x'.repeat(100_000)).expect).toHaveLength(100_000);
});
