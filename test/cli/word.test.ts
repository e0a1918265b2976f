import { expect, it } from 'vitest';
import { helpOf } from '../../src/cli/help.ts';
import { readLine, word } from '../../src/cli/word.ts';

const tell = word({
  name: 'tell',
  summary: 'tell workers something',
  flags: {
    mode: { type: 'string', value: 'how', help: 'queue or steer' },
    follow: { type: 'boolean', short: 'f', help: 'go on' },
  },
  positionals: ['<text>', '<worker…>'],
  run: () => 0,
});
const table = [{ name: 'crew', summary: 'lead the crew', words: [tell] }];

function read(...args: string[]) {
  const reading = readLine(table, ['crew', 'tell', ...args]);
  if (reading.is !== 'run') return reading.is === 'refused' ? reading.why : reading.is;
  const { positionals, has, text } = reading.given;
  return { positionals, follow: has('follow'), mode: text('mode') };
}

it.each([
  [['hi', 'ada', 'bruno'], { positionals: ['hi', 'ada', 'bruno'], follow: false, mode: undefined }],
  [['-f', 'hi', '--mode', 'steer', 'ada'], { positionals: ['hi', 'ada'], follow: true, mode: 'steer' }],
  [['--mode=-x', '--', '--hi', 'ada'], { positionals: ['--hi', 'ada'], follow: false, mode: '-x' }],
  [['hi', 'ada', '-h'], 'help'],
])('a word reads %j by its flags and positionals', (args, expected) => {
  expect(read(...args)).toEqual(expected);
});

it.each([
  [['hi'], '<worker…> is missing.'],
  [['hi', 'ada', '--mode'], '--mode needs a value.'],
  [['--mode', '--follow', 'hi', 'ada'], '--mode needs a value.'],
  [['hi', 'ada', '-x'], 'unknown flag "-x". Put -- before a word that begins with "-" and is no flag.'],
])('a word refuses %j and says why', (args, why) => {
  expect(read(...args)).toBe(why);
});

it('the help of a word below another names the way to it, its flags and their values', () => {
  expect(helpOf(table, [...table, tell])).toMatchInlineSnapshot(`
    "Usage: crewmux crew tell <text> <worker…> [--mode <how>] [--follow]

    Tell workers something.

      --mode <how>  queue or steer
      -f, --follow  go on
      -h, --help    print this
    "
  `);
});

it.each([
  [
    ['ada', '--force', 'is', 'a', 'flag'],
    ['ada', '--force', 'is', 'a', 'flag'],
  ],
  [
    ['ada', '-f'],
    ['ada', '-f'],
  ],
  [
    ['ada', '--', '-h'],
    ['ada', '-h'],
  ],
  [
    ['ada', '-h', 'prints', 'help'],
    ['ada', '-h', 'prints', 'help'],
  ],
  [['ada', '-h'], 'help'],
  [['--help', 'ada', 'hello'], 'help'],
  [['-x', 'ada', 'hello'], 'refused'],
])('where all behind the first is text, %j reads %j', (args, expected) => {
  const say = word({ name: 'say', summary: 'say', positionals: ['<who>', '<text…>'], isVerbatim: true, run: () => 0 });
  const reading = readLine([say], ['say', ...args]);
  expect(reading.is === 'run' ? reading.given.positionals : reading.is).toEqual(expected);
});
