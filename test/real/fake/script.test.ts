import { describe, expect, test } from 'vitest';
import type { Message } from './body.ts';
import { dueAfter, locate, parseScript } from './script.ts';

const words = (text: string) => parseScript(text).map((d) => `${d.word}:${d.rest}`);
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const called: Message = { role: 'assistant', content: [{ type: 'tool_use' }] };
const result: Message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] };

describe('parseScript', () => {
  test.each([
    ['SAY hi', ['SAY:hi']],
    ['please\n  BASH: ls -l\nthanks', ['BASH:ls -l']],
    ['SAYING nothing', []],
    ['SAY no\n#!script\n> SAY yes\n#!end\nSAY no', ['SAY:yes']],
    ['HOLD a\nSAY b', ['HOLD:a', 'SAY:b']],
  ])('%j holds %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});

test('after one tool round only what follows the first tool is due', () => {
  const script = parseScript('SAY one\nBASH ls\nSAY two\nBASH pwd\nSAY three');
  expect(dueAfter(script, 0).map((d) => d.rest)[0]).toBe('one');
  expect(dueAfter(script, 1).map((d) => d.rest)[0]).toBe('two');
  expect(dueAfter(script, 2).map((d) => d.rest)).toEqual(['three']);
});

test('a tool result is answered from the prompt that asked for it', () => {
  const located = locate([user('SAY old'), user('BASH ls\nSAY done'), called, result]);
  expect(located.text).toBe('BASH ls\nSAY done');
  expect(located.rounds).toBe(1);
  expect(located.due.map((d) => d.word)).toEqual(['SAY']);
});

test('a prompt without directives that comes later is the one to answer', () => {
  expect(locate([user('SAY old'), user('and now?')])).toMatchObject({ text: 'and now?', due: [], at: 1 });
});

test('reminders of the CLI are not a prompt', () => {
  const located = locate([user('SAY hi'), user('<system-reminder>SAY no</system-reminder>')]);
  expect(located.text).toBe('SAY hi');
});
