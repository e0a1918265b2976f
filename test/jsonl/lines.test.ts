import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineSplitter } from '../../src/jsonl/lines.ts';
import { anyCodePoint } from '../support/code-points.ts';

const split = (chunks: readonly Buffer[]) => {
  const splitter = lineSplitter();
  return chunks.flatMap((chunk) => splitter.push(chunk));
};

const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const edges = [0, ...at.map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
};

test('any chunking of the same bytes gives the same lines', () => {
  const text = fc.array(fc.string({ unit: anyCodePoint, maxLength: 12 }).map((s) => s.replaceAll('\n', ' ')));
  fc.assert(
    fc.property(text, fc.array(fc.nat()), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const wanted = lines.filter((line) => line.trim() !== '').map((line) => Buffer.from(line).toString());
      expect(split(cut(bytes, cuts))).toEqual(wanted);
    }),
  );
});

test('a character cut in two arrives whole', () => {
  const bytes = Buffer.from('{"a":"日本"}\n');
  expect(split([...bytes].map((byte) => Buffer.from([byte])))).toEqual(['{"a":"日本"}']);
});

test('a line without a newline is not handed out but counted as pending', () => {
  const splitter = lineSplitter();
  expect(splitter.push(Buffer.from('one\ntw'))).toEqual(['one']);
  expect(splitter.pendingBytes).toBe(2);
  expect(splitter.push(Buffer.from('o\n'))).toEqual(['two']);
  expect(splitter.pendingBytes).toBe(0);
});

test('a 300 KB line in small chunks is one line', () => {
  const line = 'x'.repeat(300_000);
  const bytes = Buffer.from(`${line}\n`);
  const chunks = Array.from({ length: 300 }, (_, i) => bytes.subarray(i * 1001, (i + 1) * 1001));
  expect(split(chunks)).toEqual([line]);
});

test('a kept piece does not change when the reader uses its memory again', () => {
  const splitter = lineSplitter();
  const memory = Buffer.from('first');
  splitter.push(memory);
  memory.fill('#');
  expect(splitter.push(Buffer.from('\n'))).toEqual(['first']);
});

test('a reset forgets the unfinished line', () => {
  const splitter = lineSplitter();
  splitter.push(Buffer.from('half'));
  splitter.reset();
  expect(splitter.push(Buffer.from('whole\n'))).toEqual(['whole']);
});
