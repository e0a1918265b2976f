import { describe, expect, it } from 'vitest';
import { patternsOf } from '../../../src/agents/generic/configuration.ts';
import { shownTaken } from '../../../src/agents/generic/taken.ts';
import { agentSchema } from '../../../src/settings/agents.ts';

const patterns = patternsOf(agentSchema.parse({ command: 'x', prompt: '^> ', busy: 'working', dialog: 'Sure\\?' }));
const taken = (before: string, after: string, text: string) => shownTaken({ before, after }, text, patterns);

describe('a text', () => {
  it.each([
    ['stands above an empty prompt', '> ', '> hello\nhi\n> ', 'hello'],
    ['stands above a turn that runs', '> ', '> hello\nworking', 'hello'],
    ['stands there a second time', '> hello\nhi\n> ', '> hello\nhi\n> hello\nhi\n> ', 'hello'],
    ['is broken over several rows, in a box', '> ', '│ hello \t│\n│ there │\n> ', 'hello there'],
    ['is short and has a row of its own', '> ', '> y\ndone\n> ', 'y'],
    [
      'is so long that only its end is in sight',
      '> ',
      `${'x'.repeat(300)} the end\n> `,
      `${'x'.repeat(5_000)} the end`,
    ],
  ])('is taken when it %s', (_, before, after, text) => {
    expect(taken(before, after, text)).toEqual(expect.any(String));
  });

  it.each([
    ['still stands in the prompt', '> ', '> hello', 'hello'],
    ['stood there before', '> hello\nhi\n> ', '> hello\nhi\n> ', 'hello'],
    ['is nowhere', '> ', '> ', 'hello'],
    ['is no more than letters of other words', '> ', '> \nyes, anyway\n> ', 'y'],
    ['stands under a dialog that has opened', '> ', '> hello\nSure?', 'hello'],
  ])('is not known to be taken when it %s', (_, before, after, text) => {
    expect(taken(before, after, text)).toBeUndefined();
  });
});
