// The texts that are sent to every agent, by every way there is.
const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i} of "many" lines`).join('\n');
const sized = (bytes: number) => 'All work and no play, ünd so weiter. 🚀 \n'.repeat(Math.ceil(bytes / 44)).trim();

export interface Text {
  readonly name: string;
  readonly text: string;
  /** What must arrive, where that is not the text itself. */
  readonly expected?: string;
  /** Too long to be sent by every way. */
  readonly isLong?: boolean;
}

/** Files that exist when some of a text was run on the way. */
export const traces = ['ran-from-bang', 'ran-tick', 'ran-sub', 'ran-format'] as const;

const onTheScreen = [
  ...['one line', '20 lines', '1 KB', 'a path', 'a command of its own', 'a lone slash', 'a leading exclamation mark'],
  ...['a leading at sign', 'a leading dollar', 'a trailing file', 'a trailing backslash', 'tabs', 'unicode', 'nothing'],
];

export const texts: readonly Text[] = [
  { name: 'one line', text: 'Please look at the tests.' },
  { name: 'four lines', text: 'one\n\ntwo\n\n\nthree' },
  { name: '20 lines', text: lines(20) },
  { name: '1 KB', text: sized(1_000) },
  { name: 'a path', text: '/etc/hosts is a file' },
  { name: 'a command of its own', text: '/compact now' },
  { name: 'a lone slash', text: '/' },
  { name: 'a leading exclamation mark', text: '!touch ran-from-bang' },
  { name: 'a leading hash', text: '# remember this' },
  { name: 'a leading at sign', text: '@nobody look at this' },
  { name: 'a leading dash', text: '--version' },
  { name: 'a leading dollar', text: '$imagegen is a word' },
  { name: 'the word of a subcommand', text: 'resume' },
  { name: 'a trailing file', text: 'look at @README' },
  { name: 'a trailing backslash', text: 'ends in a backslash \\' },
  { name: 'a trailing semicolon', text: 'ends in a semicolon;' },
  { name: 'quotes and substitutions', text: '\'a\' "b" `touch ran-tick` $(touch ran-sub) ${HOME} %s \\n' },
  { name: 'tmux formats', text: '#{pane_id} #(touch ran-format) #[fg=red] #S' },
  {
    name: 'control characters',
    text: 'one\u0003two\u001b[31mthree\u0000\u007f',
    expected: 'onetwo[31mthree',
  },
  { name: 'CRLF', text: 'one\r\ntwo\r\n', expected: 'one\ntwo' },
  { name: 'blank around it', text: '\n\n  in the middle  \n\n', expected: 'in the middle' },
  { name: 'tabs', text: 'a\tb\n\tc' },
  { name: 'unicode', text: 'Grüße, 世界 👩‍👩‍👧 café' },
  { name: 'key names', text: 'Enter' },
  { name: 'nothing', text: '' },
  // Last: every later request carries what was said before.
  { name: '10 KB', text: sized(10_000) },
  { name: '100 KB', text: sized(100_000), isLong: true },
];

/** The texts that a screen or a box may make something else of. */
export const screenTexts = texts.filter(({ name }) => onTheScreen.includes(name));

/** Enough to tell one way from another where every text would take too long. */
export const fewTexts = texts.filter(({ name }) =>
  ['one line', '20 lines', 'a leading exclamation mark'].includes(name),
);

/** For a first prompt: all that is no matter of how a text begins or ends, in one. */
const mixed: Text = {
  name: 'a mixture',
  text: 'one\n\ntwo\n\n\n\'a\' "b" `touch ran-tick` $(touch ran-sub) ${HOME} %s \\n\n\ta\tb\u0003c\u001b[31md\u0000\u007f\nGrüße, 世界 👩‍👩‍👧 café.',
  expected:
    'one\n\ntwo\n\n\n\'a\' "b" `touch ran-tick` $(touch ran-sub) ${HOME} %s \\n\n\ta\tbc[31md\nGrüße, 世界 👩‍👩‍👧 café.',
};

const atAStart = [
  '100 KB',
  'a path',
  'a command of its own',
  'a lone slash',
  'a leading exclamation mark',
  'a leading dash',
  'the word of a subcommand',
  'a trailing file',
];

/** Enough to tell a first prompt from a message, where each text costs the start of an agent. */
export const fewFirstTexts = [mixed, ...texts.filter(({ name }) => atAStart.includes(name))];
