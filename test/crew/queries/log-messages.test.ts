import { expect, it } from 'vitest';
import type { ToolResult, ToolUse } from '../../../src/agents/agent.ts';
import {
  type Answered,
  answersIn,
  compactMessages,
  fullMessages,
  messagesForPerson,
} from '../../../src/crew/queries/logs.ts';
import { callLine } from '../../../src/wire/examine.ts';

const timestamp = '1970-01-01T00:00:00.000Z';
const said = (
  content: string,
  index = 0,
  toolUses: readonly ToolUse[] = [],
  results: readonly ToolResult[] = [],
): Answered => ({
  ...{ index, role: 'assistant', at: 0, content, toolUses },
  answers: answersIn(results),
});
const pathOf = (index: number) => `/w/message-${index}.txt`;
const use = (input: string, id = 'c') => ({ id, name: 'Bash', input });
const short = (message: Answered) => compactMessages([message], (input) => `about ${input}`)[0];

it('a call is a line with what it is about, and with its failure where it has one', () => {
  const answers = [{ id: 'c', output: 'a\nb', failure: 'exit 1: a' }];
  const message = short(said('', 0, [use('x'), use('y', 'd')], answers));
  expect(message).toEqual({
    ...{ index: 0, role: 'assistant', content: '', timestamp },
    tool_uses: [
      { name: 'Bash', input: 'about x', failure: 'exit 1: a' },
      { name: 'Bash', input: 'about y' },
    ],
  });
  expect(message?.tool_uses?.map(callLine)).toEqual(['Bash about x → exit 1: a', 'Bash about y']);
});

it('an answer that comes later is the answer, and leaves the failure that an earlier one told', () => {
  const results = [
    { id: 'c', output: 'gone', failure: 'gone' },
    { id: 'c', output: 'Output: gone' },
  ];
  expect([...answersIn(results).values()]).toEqual([{ id: 'c', output: 'Output: gone', failure: 'gone' }]);
});

it('a long call, and long words in short, are cut between characters', () => {
  const message = short(said('🚀'.repeat(600), 0, [use('🚀'.repeat(100))]));
  expect(message?.content).toBe(`${'🚀'.repeat(300)}… (1200 characters)`);
  expect(message?.tool_uses?.[0]?.input).toBe(`about ${'🚀'.repeat(56)}…`);
});

it('a person reads each word of a message, and each call in a line', () => {
  const content = 'w'.repeat(50_000);
  expect(messagesForPerson([said(content, 0, [use('x')])], () => 'all')).toMatchObject([
    { content, tool_uses: [{ name: 'Bash', input: 'all' }] },
  ]);
});

it('a message of 20,000 characters is whole, and a longer one is cut and names its file', () => {
  const most = 'm'.repeat(20_000);
  const { messages, cut } = fullMessages([said(most, 0), said(`${most}!`, 1)], pathOf);
  expect(messages).toEqual([
    { index: 0, role: 'assistant', content: most, timestamp },
    { index: 1, role: 'assistant', content: most, timestamp, truncated: true, path: '/w/message-1.txt' },
  ]);
  expect(cut).toMatchObject([{ index: 1, content: `${most}!` }]);
});

it.each([
  ['five long messages', Array.from({ length: 5 }, (_, index) => said('l'.repeat(30_000), index))],
  ['other scripts', Array.from({ length: 5 }, (_, index) => said('語'.repeat(30_000), index))],
  [
    'long calls beside',
    [
      said(
        'l'.repeat(30_000),
        0,
        Array.from({ length: 9 }, () => use('i'.repeat(9_000))),
      ),
    ],
  ],
  ['twelve pages', Array.from({ length: 60 }, (_, index) => said('l'.repeat(900), index))],
])('of %s each has its part of one answer, and what is cut its file', (_, given) => {
  const { messages, cut } = fullMessages(given, pathOf);
  expect(Buffer.byteLength(JSON.stringify(messages))).toBeLessThan(43_000);
  expect(cut.map(({ index }) => index)).toEqual(given.map(({ index }) => index));
  for (const { content, path, index } of messages) {
    expect(content.length).toBeGreaterThanOrEqual(300);
    expect(path).toBe(pathOf(index));
  }
});

it('what no answer holds however it is cut gets no file', () => {
  const given = Array.from({ length: 500 }, (_, index) => said('l'.repeat(900), index));
  expect(fullMessages(given, pathOf)).toMatchObject({ cut: [], messages: given.map(({ content }) => ({ content })) });
});
