import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendLine } from '../../src/jsonl/append.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

test('lines appended at once are each whole and all there', async () => {
  const path = join(sandbox.root, 'log.jsonl');
  const lines = Array.from({ length: 40 }, (_, i) => `${i}:${'é'.repeat(20_000)}`);
  await Promise.all(lines.map((line) => appendLine(path, line, { fsync: true })));
  const found = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  expect(found.toSorted()).toEqual(lines.toSorted());
});

test('a file made by an append is for its owner only', async () => {
  const path = join(sandbox.root, 'log.jsonl');
  await appendLine(path, 'one');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an append that cannot be done rejects with the words of the system', async () => {
  const path = join(sandbox.root, 'folder');
  mkdirSync(path);
  await expect(appendLine(path, 'one')).rejects.toThrow('EISDIR');
});
