import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planDelivery } from '../../../src/agents/claude/delivery.ts';
import type { Keystroke } from '../../../src/model/keystroke.ts';
import { keystrokesOf, pastesOf } from '../keystrokes.ts';

const plan = (text: string, asCommand = false) => {
  const made = planDelivery({ text, asCommand });
  if ('refused' in made) throw new Error(made.refused);
  return made;
};
const refusal = (text: string) => {
  const made = planDelivery({ text, asCommand: false });
  return 'refused' in made ? made.refused : undefined;
};

const message = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\n\n\n',
        ' ',
        '\t',
        '👩‍👩‍👧',
        '/a/pic.png',
        'x.JPEG',
        '"/b.webp"',
        '!',
        '\\',
        '@f',
        'word',
      ),
      fc.string({ maxLength: 300, unit: 'grapheme' }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => refusal(text) === undefined);

describe('any message', () => {
  test('is pasted whole, in pieces none of which Claude Code wraps or turns into a picture', () => {
    fc.assert(
      fc.property(message, (text) => {
        const made = plan(text);
        const { expect: arrives } = made;
        const keystrokes = keystrokesOf(made);
        const pastes = pastesOf(keystrokes);
        const whole = arrives.startsWith('!') ? `x${pastes.join('').slice(1)}` : `x${pastes.join('')}`;
        expect(whole.slice(1).trimEnd()).toBe(arrives);
        for (const paste of pastes) {
          expect(paste.length).toBeLessThanOrEqual(800);
          expect(paste.split('\n').length).toBeLessThanOrEqual(3);
          expect(paste).not.toMatch(/\.(png|jpe?g|gif|webp)["']?\s*$/im);
          expect(paste).not.toMatch(/\p{Surrogate}/u);
        }
        expect(keystrokes.at(-1)).toEqual({ press: 'Enter' });
      }),
    );
  });
});

describe('what arrives', () => {
  test.each<[string, string, string]>([
    ['line ends become LF', 'a\r\nb\rc', 'a\nb\nc'],
    ['a tab becomes four blanks', 'a\tb\tc', 'a    b    c'],
    ['control characters are dropped', 'a\u0003b\u001b[31mc\u007f\u009b', 'ab[31mc'],
    ['characters Claude Code removes are dropped', 'a\u200bb\u202ec\u00ad\ufeff\u{e0041}', 'abc'],
    ['joiners stay where they join', '👩‍💻 می\u200cخواهم क्\u200dष a\u200db', '👩‍💻 می\u200cخواهم क्\u200dष ab'],
    [
      'a flag keeps its tags',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
    ['letters are composed', 'cafe\u0301', 'café'],
    ['outer blank is trimmed', '\n  a b \n', 'a b'],
  ])('%s', (_, text, arrives) => {
    expect(plan(text).expect).toBe(arrives);
  });
});

describe('the keystrokes', () => {
  test.each<[string, string, readonly Keystroke[]]>([
    ['plain text is one paste', 'hi', [{ paste: 'hi' }]],
    ['a trailing backslash is kept from eating the Enter', 'a\\', [{ paste: 'a\\ ' }]],
    ['an open list of files is closed', 'see @src/x', [{ paste: 'see @src/x ' }]],
    [
      'a leading ! never opens the shell',
      '!ls',
      [{ paste: 'x!' }, { press: 'Home' }, { press: 'DC' }, { press: 'End' }, { paste: 'ls' }],
    ],
    ['the path of a picture stays a path', '/a.png', [{ paste: '/a.pn' }, { paste: 'g' }]],
    [
      'a beginning, then 800 characters at most in a paste',
      'x'.repeat(881),
      [{ paste: 'x'.repeat(80) }, { paste: 'x'.repeat(800) }, { paste: 'x' }],
    ],
    [
      'more than two line feeds are several pastes',
      'a\nb\nc\nd',
      [{ paste: 'a' }, { paste: '\nb\nc' }, { paste: '\nd' }],
    ],
    ['a path is no command', '/etc/x is', [{ paste: '/etc/x is' }]],
  ])('%s', (_, text, body) => {
    expect(keystrokesOf(plan(text))).toEqual([...body, { press: 'Enter' }]);
  });

  test('a command that was asked for is sent as it is', () => {
    expect(pastesOf(keystrokesOf(plan('/compact now', true)))).toEqual(['/compact now']);
    expect(pastesOf(keystrokesOf(plan('!ls', true)))).toEqual(['!ls']);
  });
});

describe('what is refused', () => {
  test.each([
    '/compact',
    ' /word x',
    '/mcp__team__standup bob',
    '/plugin:skill',
    '/',
    '/ 2',
    'exit',
    ' quit\n',
    ':wq!',
  ])('%j, which Claude Code would take for its own command', (text) => {
    expect(refusal(text)).toContain(`its own command "${text.trim().split(' ')[0]}"`);
  });

  test.each(['', ' \n', '\u200b'])('%j, which is empty', (text) => {
    expect(refusal(text)).toBe('The message is empty.');
  });

  test('more than an agent takes', () => {
    expect(refusal('x'.repeat(120_001))).toContain('120001 bytes');
    expect(refusal('x'.repeat(100_000))).toBeUndefined();
  });
});
