import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationEntry, DecodedLine } from '../../../src/agents/agent.ts';
import { Conversation, messagesOf } from '../../../src/crew/workers/conversation.ts';
import { digestOf } from '../../../src/system/digest.ts';

const entry = (role: 'user' | 'assistant', content: string, messageId?: string): DecodedLine => ({
  signals: [],
  entry: { role, content, at: 1, ...(messageId === undefined ? {} : { messageId }) },
});
const isEntry = (value: ConversationEntry | undefined): value is ConversationEntry => value !== undefined;

describe('Conversation', () => {
  it('counts a message of several lines once', () => {
    const conversation = new Conversation();
    conversation.add([entry('user', 'go'), entry('assistant', 'a', 'm1'), entry('assistant', 'b', 'm1')], {
      offset: 100,
      restarted: false,
    });
    expect(conversation.totals).toMatchObject({
      messages: 2,
      userMessages: 1,
      assistantMessages: 1,
      lastAssistantText: 'b',
    });
  });

  it('forgets everything when the file begins anew', () => {
    const conversation = new Conversation();
    conversation.add([entry('user', 'old')], { offset: 50, restarted: false });
    conversation.add([entry('user', 'new')], { offset: 20, restarted: true });
    expect(conversation.totals).toMatchObject({ messages: 1, lastUserPrompt: 'new' });
    expect(conversation.blocksFor(0, 1)).toEqual([
      { from: 0, to: 20, firstMessage: 0, messages: 1, before: undefined },
    ]);
  });

  it('answers a prompt with what was said last before the next, never with what an older one got', () => {
    const conversation = new Conversation();
    const say = (role: 'user' | 'assistant', content: string, at: number, messageId?: string): DecodedLine => ({
      signals: [],
      entry: { role, content, at, ...(messageId === undefined ? {} : { messageId }) },
    });
    conversation.add(
      [
        say('user', 'go on', 1),
        say('assistant', 'first', 2),
        say('user', 'go on', 10),
        say('assistant', 'on it', 11, 'm1'),
        say('assistant', 'half', 12, 'm2'),
        say('assistant', 'whole', 13, 'm2'),
        say('user', 'silent', 20),
        say('assistant', '', 21),
      ],
      { offset: 100, restarted: false },
    );
    const reply = (text: string, since: number) => conversation.replyTo({ digest: digestOf(text), since })?.text;
    expect(reply(' go on\n', 5)).toBe('half\nwhole');
    expect(reply('go on', 11)).toBeUndefined();
    expect(reply('silent', 0)).toBeUndefined();
    expect(conversation.lastWords).toBeUndefined();
    const place = (text: string) => conversation.replyTo({ digest: digestOf(text), since: 0 })?.after;
    expect([place('go on'), conversation.totals.messages]).toEqual([2, 7]);
  });

  it('reads back every message whole, however the lines fall into blocks', () => {
    const line = fc.record({
      role: fc.constantFrom<'user' | 'assistant'>('user', 'assistant'),
      id: fc.constantFrom('m1', 'm2', undefined),
    });
    const batches = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(batches, fc.nat(), fc.nat(), (given, a, b) => {
        const conversation = new Conversation();
        const lines = given.map((batch, i) => batch.map(({ role, id }, j) => entry(role, `${i}.${j}`, id)));
        // Each batch is larger than a block, so each begins a new one.
        for (const [i, batch] of lines.entries()) {
          conversation.add(batch, { offset: (i + 1) * 70_000, restarted: false });
        }
        const whole = messagesOf(
          lines
            .flat()
            .map((l) => l.entry)
            .filter(isEntry),
          { firstMessage: 0, before: undefined },
        );
        expect(conversation.totals.messages).toBe(whole.length);
        const from = a % whole.length;
        const to = Math.min(whole.length, from + 1 + (b % 5));
        const blocks = conversation.blocksFor(from, to);
        const start = blocks[0];
        expect(start).toBeDefined();
        if (start === undefined) return;
        const read = blocks
          .flatMap((block) => lines[block.from / 70_000] ?? [])
          .map((l) => l.entry)
          .filter(isEntry);
        const got = messagesOf(read, start).filter((message) => message.index >= from && message.index < to);
        expect(got).toEqual(whole.slice(from, to));
      }),
    );
  });
});
