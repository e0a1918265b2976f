import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { appendLine } from '../../src/jsonl/append.ts';
import { bytesOf, rewriteLines } from '../../src/jsonl/rewrite.ts';
import { makeSandbox } from '../support/sandbox.ts';

const box = makeSandbox();
afterAll(() => box.dispose());
const dir = box.dir('lines');
const path = join(dir, 'book.jsonl');
const text = () => readFileSync(path, 'utf8');

it('a line that somebody appends while the file is made shorter is not lost, whichever file it went to', async () => {
  writeFileSync(path, '1\n2\n3\n');
  const late = openSync(path, 'a');
  await rewriteLines(path, (lines) => {
    writeSync(late, '4\n');
    return lines.slice(-1);
  });
  closeSync(late);
  await appendLine(path, '5');
  expect(text()).toBe('3\n4\n5\n');
  expect(readdirSync(dir)).toEqual(['book.jsonl']);
});

it.each([
  ['whose lines nobody may make fewer', '1\n2\n', () => undefined],
  ['whose last line is not whole', '1\n2', () => []],
])('a file %s stays as it is', async (_, content, shorter) => {
  writeFileSync(path, content);
  expect(await rewriteLines(path, shorter)).toBe(0);
  expect(text()).toBe(content);
});

it('a file that is not there is no trouble', async () => {
  const missing = join(dir, 'none');
  expect([await rewriteLines(missing, () => []), await bytesOf(missing)]).toEqual([0, 0]);
});
