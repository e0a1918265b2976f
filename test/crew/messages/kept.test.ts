import { describe, expect, test } from 'vitest';
import { becameOf, droppedWords } from '../../../src/crew/messages/kept.ts';
import { typedAmong } from '../../../src/crew/messages/send-journal.ts';
import { keptIn, readBox } from '../../../src/store/mailbox.ts';

describe('typedAmong', () => {
  const begin = (id: string) => JSON.stringify({ v: 1, id, at: 5, launch: 1, digest: 'd', chars: 1 });
  const settle = (id: string, verdict: string) => JSON.stringify({ v: 1, id, at: 9, verdict });
  test.each<[string, readonly string[], string | undefined]>([
    ['the same text was sent, but not this message', [begin('other'), settle('other', 'submitted')], undefined],
    ['it was begun and no end is noted', [begin('k')], 'unconfirmed'],
    ['it was held before a letter was typed', [begin('k'), settle('k', 'held')], undefined],
    ['it was held, then begun again', [begin('k'), settle('k', 'held'), begin('k')], 'unconfirmed'],
    ['it was proved', [begin('k'), settle('k', 'submitted')], 'submitted'],
    ['the queue of the agent has it', [begin('k'), settle('k', 'handed')], 'queued'],
    [
      'the queue of the agent had it, and its turn came',
      [begin('k'), settle('k', 'handed'), settle('k', 'submitted')],
      'submitted',
    ],
  ])('%s', (_, lines, verdict) => {
    expect(typedAmong(lines, 'k')).toBe(verdict);
  });
});

test('messages wait in their order, apart from notes and answers', () => {
  const message = { v: 1, at: 1, kind: 'message', text: 'x', delivery: 'queue', asCommand: false };
  const note = { v: 1, id: 'n', at: 1, kind: 'note', from: { id: 'a', name: 'ada' }, message: 'x' };
  const mail = [{ ...message, id: 'a' }, note, { ...message, id: 'b' }, { v: 1, settled: ['c'], verdict: 'x', at: 2 }];
  const box = readBox(
    [...mail, { ...message, id: 'c' }, { ...message, id: 'd', delivery: 'interrupt' }].map((one) =>
      JSON.stringify(one),
    ),
  );
  expect(keptIn(box).map(({ id }) => id)).toEqual(['a', 'b']);
});

test.each([
  [[], undefined],
  [[{ text: 'one' }], 'a kept message was not delivered: ["one"].'],
  [[{ text: 'one' }, { text: 'two' }], '2 kept messages were not delivered: ["one","two"].'],
  [
    [{ text: 'one', typed: 'unconfirmed' }, { text: 'two' }],
    'a kept message was not delivered: ["two"]. Being typed at the end, and perhaps not read: ["one"].',
  ],
])('the end of a worker tells of each message what became of it: %j', (ends, words) => {
  expect(droppedWords(ends)).toBe(words);
});

describe('under an id that was used before', () => {
  const mail = { v: 1, at: 1, kind: 'message', text: 'x', delivery: 'queue', asCommand: false, id: 'k' };
  const settle = (verdict: string) => ({ v: 1, settled: ['k'], verdict, at: 2 });
  test.each<[string, readonly object[], string | undefined, string | undefined]>([
    ['nothing was kept or typed', [], undefined, undefined],
    ['another message was kept', [{ ...mail, id: 'other' }], undefined, undefined],
    ['it is kept', [mail], undefined, 'kept'],
    ['it is kept, and a server was killed while it typed it', [mail], 'unconfirmed', 'kept'],
    ['it was kept and typed', [mail, settle('submitted')], 'submitted', 'submitted'],
    ['it was kept and typed, and the journal is lost', [mail, settle('queued')], undefined, 'queued'],
    ['it was kept, and its turn came later', [mail, settle('queued')], 'submitted', 'submitted'],
    ['it was kept and nobody knows whether it was typed', [mail, settle('unconfirmed')], undefined, 'unconfirmed'],
    ['a verdict of a later version stands', [mail, settle('pondered')], undefined, 'unconfirmed'],
    ['it was kept and can never be typed', [mail, settle('failed')], undefined, 'failed'],
    ['it was kept until its worker was closed', [mail, settle('closed')], undefined, 'failed'],
    ['it was typed when its worker was closed', [mail, settle('closed')], 'unconfirmed', 'unconfirmed'],
    ['it was typed at once', [], 'submitted', 'submitted'],
    ['it was begun by a server that was killed', [], 'unconfirmed', 'unconfirmed'],
  ])('%s', (_, lines, typed, became) => {
    const box = readBox(lines.map((line) => JSON.stringify(line)));
    expect(becameOf('k', { box, typed })).toBe(became);
  });
});
