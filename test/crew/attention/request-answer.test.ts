import { describe, expect, it } from 'vitest';
import { answerFor, type RequestDecision } from '../../../src/crew/attention/request-answer.ts';
import { shortInput } from '../../../src/crew/attention/request-words.ts';
import type { AgentRequest } from '../../../src/turn/agent-request.ts';

const bash: AgentRequest = { at: 1, waitingFor: 'permission', tool: 'Bash', input: { command: 'ls' } };
const plan: AgentRequest = { at: 1, waitingFor: 'plan_approval', tool: 'ExitPlanMode', input: {} };
const question = (...texts: string[]): AgentRequest => ({
  at: 1,
  waitingFor: 'question',
  tool: 'AskUserQuestion',
  input: { questions: texts.map((text) => ({ question: text, options: [{ label: 'Red' }, { label: 'Blue' }] })) },
});

describe('an answer', () => {
  it.each<readonly [string, AgentRequest, RequestDecision, object]>([
    ['allows', bash, { decision: 'allow' }, { decision: 'allow' }],
    ['allows another input', bash, { decision: 'allow', input: { a: 1 } }, { decision: 'allow', input: { a: 1 } }],
    ['denies with a reason', bash, { decision: 'deny', message: 'no' }, { decision: 'deny', message: 'no' }],
    ['approves a plan', plan, { decision: 'allow' }, { decision: 'allow' }],
    ['denies a question', question('A?'), { decision: 'deny' }, { decision: 'deny' }],
    [
      'chooses a label however it is written',
      question('A?'),
      { decision: 'choose', option: ' blue' },
      { decision: 'text', answers: { 'A?': 'Blue' } },
    ],
    [
      'says it in words of its own',
      question('A?'),
      { decision: 'text', message: 'Green' },
      { decision: 'text', answers: { 'A?': 'Green' } },
    ],
    [
      'answers several',
      question('A?', 'B?'),
      { decision: 'choose', answers: { 'A?': 'red', 'B?': 'Mauve' } },
      { decision: 'text', answers: { 'A?': 'Red', 'B?': 'Mauve' } },
    ],
  ])('%s', (_, asked, made, answer) => {
    expect(answerFor(asked, made)).toEqual(answer);
  });

  it.each<readonly [string, AgentRequest, RequestDecision, string]>([
    ['a choice where permission is asked', bash, { decision: 'choose', option: 'Yes' }, 'permission for Bash'],
    ['words where a plan waits', plan, { decision: 'text', message: 'ok' }, 'approval of its plan'],
    ['allow where a question waits', question('A?'), { decision: 'allow' }, 'no answer was given'],
    ['a label there is not', question('A?'), { decision: 'choose', option: 'Green' }, 'none of the choices'],
    ['one answer to two questions', question('A?', 'B?'), { decision: 'choose', option: 'Red' }, '2 questions'],
    ['a question nobody asked', question('A?'), { decision: 'choose', answers: { C: 'Red' } }, '"C" is not asked'],
    ['half an answer', question('A?', 'B?'), { decision: 'choose', answers: { 'A?': 'Red' } }, '"B?" has no answer'],
  ])('is not %s', (_, asked, made, words) => {
    expect(() => answerFor(asked, made)).toThrow(words);
  });
});

it('an input is shown short, in every depth, and never in half a character', () => {
  const long = '🦉'.repeat(5_000);
  const deep = { a: { b: { c: { d: { e: 1 } } } }, list: Array.from({ length: 500 }, () => long), text: `x${long}` };
  const shown = JSON.stringify(shortInput(deep));
  expect(shown.length).toBeLessThan(40_000);
  expect(shown).toContain('10001 characters in all');
  expect(shown).not.toMatch(/\\ud[89a-f]/i);
});
