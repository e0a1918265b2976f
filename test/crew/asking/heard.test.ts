import { expect, it } from 'vitest';
import type { PrintedLine, RunUsage } from '../../../src/agents/agent.ts';
import { heardIn, spentIn } from '../../../src/crew/asking/heard.ts';

const begun: PrintedLine = { is: 'begun', agentSessionId: 'a' };
const piece = (text: string): PrintedLine => ({ is: 'piece', text });
const said = (text: string): PrintedLine => ({ is: 'said', text });

it.each<[string, readonly PrintedLine[], object]>([
  ['nothing printed', [], { soFar: '' }],
  [
    'the words at the end are the answer',
    [begun, said('I look.'), said('It is so.'), { is: 'ended', text: 'It is so.' }],
    { agentSessionId: 'a', soFar: 'I look.\n\nIt is so.', answer: 'It is so.' },
  ],
  [
    'without them the last message is',
    [said('I look.'), said('It is so.'), { is: 'ended' }],
    { soFar: 'I look.\n\nIt is so.', answer: 'It is so.' },
  ],
  [
    'a run that never ended has said what it had begun to say, and has no answer',
    [begun, piece('I '), piece('look.'), said('I look.'), piece('It '), piece('is')],
    { agentSessionId: 'a', soFar: 'I look.\n\nIt is' },
  ],
  [
    'an end in trouble has no answer',
    [said('I look.'), { is: 'ended', trouble: '400' }],
    { soFar: 'I look.', trouble: '400' },
  ],
  ['blank words are no answer', [{ is: 'ended', text: ' \n' }], { soFar: '' }],
])('%s', (_, lines, heard) => {
  expect(heardIn(lines)).toEqual(heard);
});

const tokens = { inputTokens: 40, outputTokens: 5, cacheTokens: 8, cacheWriteTokens: 2 };
const earlier = { inputTokens: 30, outputTokens: 1, cacheTokens: 4, cacheWriteTokens: 2 };

it.each<[string, RunUsage, object]>([
  [
    'what is counted for the run alone stands, with the figure of the agent',
    { of: 'run', tokens: [{ model: 'opus', ...tokens }], usd: 0.2 },
    { tokens: [{ model: 'opus', ...tokens }], toldUsd: 0.2, untold: [] },
  ],
  [
    'of what is counted for the conversation the earlier part goes off',
    { of: 'conversation', tokens: [tokens] },
    {
      tokens: [{ model: 'gpt', inputTokens: 10, outputTokens: 4, cacheTokens: 4 }],
      untold: [{ model: 'gpt', inputTokens: 10, outputTokens: 4, cacheTokens: 4 }],
    },
  ],
])('%s', (_, usage, spent) => {
  expect(spentIn(usage, { before: [earlier], model: 'gpt' })).toEqual(spent);
});
