import { describe, expect, test } from 'vitest';
import { questionAttention } from '../../../src/crew/attention/attention.ts';
import { ownAnswer } from '../../../src/crew/attention/request-answer.ts';
import { answerText } from '../../../src/crew/messages/mailboxes.ts';

const question = { requestId: '1a2b3c4d', at: 0, text: 'Cents or euros?', options: ['Cents', 'Euros'], waits: true };
const asked = { worker: 'ada' } as const;

describe('ownAnswer', () => {
  test.each([
    ['a choice by its label, however it is written', { decision: 'choose', option: ' cents' }, 'Cents'],
    ['words of one’s own', { decision: 'text', message: 'Pennies.' }, 'Pennies.'],
    ['words that are a label', { decision: 'text', message: 'euros' }, 'Euros'],
    [
      'answers, as to a question of the agent’s own',
      { decision: 'choose', answers: { 'Cents or euros?': 'Euros' } },
      'Euros',
    ],
  ] as const)('takes %s', (_, made, message) => {
    expect(ownAnswer(question, { ...asked, ...made })).toEqual({ decision: 'text', message });
  });

  test('a question may be turned down, with a reason', () => {
    expect(ownAnswer(question, { ...asked, decision: 'deny', message: 'Find out.' })).toEqual({
      decision: 'deny',
      message: 'Find out.',
    });
  });

  test.each([
    ['allow is no answer', { decision: 'allow' }, 'No answer was given to the question "Cents or euros?"'],
    ['an empty text is none', { decision: 'text', message: ' ' }, 'No answer was given'],
    ['a choice must be one of the labels', { decision: 'choose', option: 'Yen' }, '"Yen" is none of the choices.'],
  ] as const)('%s', (_, made, message) => {
    expect(() => ownAnswer(question, { ...asked, ...made })).toThrow(message);
  });
});

test('attention carries a call for each choice, and says how else to answer', () => {
  const { options: _, ...open } = { ...question, waits: false };
  expect(questionAttention({ id: '0badcafe', name: 'ada' }, question)).toMatchInlineSnapshot(`
    {
      "answer_with": [
        "answer_worker {"session_id":"0badcafe","request_id":"1a2b3c4d","decision":"choose","option":"Cents"}",
        "answer_worker {"session_id":"0badcafe","request_id":"1a2b3c4d","decision":"choose","option":"Euros"}",
      ],
      "detail": "Cents or euros?
    In words of your own: answer_worker with this session_id and request_id, decision "text", and message.",
      "name": "ada",
      "options": [
        "Cents",
        "Euros",
      ],
      "request_id": "1a2b3c4d",
      "session_id": "0badcafe",
      "since": "1970-01-01T00:00:00.000Z",
      "title": "ada asks: Cents or euros?",
      "waiting_for": "question",
    }
  `);
  expect(questionAttention({ id: '0badcafe', name: 'ada' }, { ...open, options: [] })).toMatchObject({
    answer_with: [],
    detail: `Cents or euros?
The worker went on without it: the answer is delivered as a message.
In words of your own: answer_worker with this session_id and request_id, decision "text", and message.`,
  });
});

test('a late answer says what it answers', () => {
  const answer = { at: 1, by: 'manager', decision: 'text', message: 'Cents.\nAlways.' } as const;
  expect(answerText('1a2b3c4d', 'Cents\nor euros?', answer)).toBe(
    'crewmux: the answer to your question 1a2b3c4d ("Cents or euros?"):\nCents.\nAlways.',
  );
  expect(answerText('1a2b3c4d', 'x', { ...answer, decision: 'deny', message: 'No.', by: 'person' })).toBe(
    'crewmux: the answer to your question 1a2b3c4d ("x"):\nA person turned the question down: No.',
  );
});
