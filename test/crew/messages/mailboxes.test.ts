import { describe, expect, test } from 'vitest';
import { together } from '../../../src/crew/messages/mailboxes.ts';
import { draftOf, readEntries, unlogged } from '../../../src/crew/messages/outboxes.ts';
import { typedAs } from '../../../src/crew/messages/send-journal.ts';

describe('typedAs', () => {
  const begin = (id: string, digest: string, at: number) =>
    JSON.stringify({ v: 1, id, at, launch: 1, digest, chars: 1 });
  const settle = (id: string, verdict: string) => JSON.stringify({ v: 1, id, at: 9, verdict });
  test.each<[string, readonly string[], string | undefined]>([
    ['nothing of it was begun', [begin('1', 'other', 5)], undefined],
    ['it was begun before the mail was', [begin('1', 'd', 1)], undefined],
    ['it was begun and no end is noted', [begin('1', 'd', 5)], 'unconfirmed'],
    ['it was proved', [begin('1', 'd', 5), settle('1', 'submitted')], 'submitted'],
    ['it was held before a letter was typed', [begin('1', 'd', 5), settle('1', 'held')], undefined],
    ['held first, typed later', [begin('1', 'd', 5), settle('1', 'held'), begin('2', 'd', 6)], 'unconfirmed'],
  ])('%s', (_, lines, verdict) => {
    expect(typedAs(lines, { digest: 'd', at: 2 })).toBe(verdict);
  });
});

describe('readEntries', () => {
  const line = (message: string) =>
    JSON.stringify({ v: 1, id: 'a', at: 1, launch: 1, kind: 'progress', progress: { status: 'working', message } });
  test('each word knows where its line ends, also beside lines that cannot be read', () => {
    const lines = [line('für'), 'no json', line('two')];
    const bytes = Buffer.byteLength(`${lines.join('\n')}\n`);
    expect(readEntries(lines, 100 + bytes).map(({ end }) => end)).toEqual([
      100 + Buffer.byteLength(line('für')) + 1,
      100 + bytes,
    ]);
  });
  test('an entry is logged once, and each of an outbox that begins anew', () => {
    const entries = readEntries([line('one'), line('two')], 1_000);
    const read = entries[0]?.end ?? 0;
    expect(unlogged(entries, { from: 'on', read })).toEqual(entries.slice(1));
    expect(unlogged(entries, { from: 'on', read: 5_000 })).toEqual([]);
    expect(unlogged(entries, { from: 'anew', read: 5_000 })).toEqual(entries);
  });
  test('the log holds the beginning of a long word', () => {
    const [word] = readEntries([line('x'.repeat(5_000))], 9_999);
    if (word === undefined) throw new Error('it was not read');
    expect(String(draftOf(word.entry).data.message)).toHaveLength(300);
  });
});

test('several notes share a message as far as they fit, and one that is too long goes alone', () => {
  const of = (...sizes: number[]) => sizes.map((size) => ({ message: 'x'.repeat(size) }));
  expect(together(of(5_000, 5_000, 5_000))).toHaveLength(2);
  expect(together(of(20_000, 1))).toHaveLength(1);
});
