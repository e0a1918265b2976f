import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openWire } from '../../src/mcp/lines.ts';

function listen() {
  const input = new PassThrough();
  const output = new PassThrough();
  const seen: { lines: string[]; overlong: number[]; ends: number } = { lines: [], overlong: [], ends: 0 };
  const wire = openWire(input, output, {
    line: (text) => seen.lines.push(text),
    overlong: (bytes) => seen.overlong.push(bytes),
    end() {
      seen.ends += 1;
    },
  });
  return { input, output, seen, wire };
}

it('gives the same lines however the bytes are torn', async () => {
  const line = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => !/[\r\n]/.test(text) && text === text.trim() && text !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(30)), async (lines, cuts) => {
      const { input, seen } = listen();
      let bytes = Buffer.from(lines.map((one) => `${one}\r\n`).join(''));
      for (const cut of cuts) {
        input.write(bytes.subarray(0, cut));
        bytes = bytes.subarray(cut);
      }
      input.end(bytes);
      await new Promise((resolve) => input.once('close', resolve));
      expect(seen).toEqual({ lines, overlong: [], ends: 1 });
    }),
  );
});

it('drops a line beyond the limit, says how long it was, and reads on', async () => {
  const { input, seen } = listen();
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  for (let n = 0; n < 65; n++) input.write(megabyte);
  input.end('\nnext\n');
  await new Promise((resolve) => input.once('close', resolve));
  expect(seen).toEqual({ lines: ['next'], overlong: [65 * 1024 * 1024], ends: 1 });
});

it('leaves a last line without its end unread', async () => {
  const { input, seen } = listen();
  input.end('whole\ntorn');
  await new Promise((resolve) => input.once('close', resolve));
  expect(seen.lines).toEqual(['whole']);
});

it('waits for a slow reader, and for one that is gone no longer', async () => {
  const slow = new Writable({ highWaterMark: 1, write() {} });
  const wire = openWire(new PassThrough(), slow, { line() {}, overlong() {}, end() {} });
  const sent = wire.send('a long line');
  const first = await Promise.race([sent.then(() => 'sent'), Promise.resolve('waits')]);
  expect(first).toBe('waits');
  slow.destroy(new Error('EPIPE'));
  await sent;
  await wire.send('nobody is there');
});
