// A person's keys and lines, from a stream in place of their terminal.
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { keyboardOf } from '../../src/cli/keyboard.ts';

function stage() {
  const input = Object.assign(new PassThrough(), { setRawMode: () => undefined });
  return { input, keyboard: keyboardOf(input, new PassThrough().resume()) };
}

it('what was typed before it is forgotten is no key, and what comes later is', async () => {
  const { input, keyboard } = stage();
  input.write('y');
  await keyboard.forget();
  const pressed = keyboard.key();
  input.write('n');
  expect(await pressed).toBe('n');
});

it('a line that is left by C-c, C-d or the end of the input is none, and one by Enter is what it holds', async () => {
  for (const [typed, line] of [
    ['\r', ''],
    ['no\r', 'no'],
    ['\u0003', undefined],
    ['\u0004', undefined],
    ['no\u0003', undefined],
  ] as const) {
    const { input, keyboard } = stage();
    const read = keyboard.line('Why not? ');
    input.write(typed);
    expect([typed, await read]).toEqual([typed, line]);
  }
  const { input, keyboard } = stage();
  const read = keyboard.line('Why not? ', { isPlain: true });
  input.end();
  expect(await read).toBeUndefined();
  expect(await keyboard.key()).toBe('');
});

it('many keys that mean nothing leave nothing to listen', async () => {
  const { input, keyboard } = stage();
  for (let at = 0; at < 30; at += 1) {
    const pressed = keyboard.key();
    input.write('z');
    await pressed;
  }
  expect(['data', 'end'].map((event) => input.listenerCount(event))).toEqual([0, 0]);
});
