import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openHome } from '../../src/store/home.ts';
import { changeBook, readBook } from '../../src/store/rule-book.ts';
import { processRef } from '../../src/system/process.ts';
import { makeSandbox } from '../support/sandbox.ts';

const box = makeSandbox();
afterAll(() => box.dispose());
const me = await processRef(process.pid);
const home = await openHome(box.dir('home'));
const path = join(home.root, 'permissions.json');

it('rules of the first version say what they said, and a change writes them in the words of this one', async () => {
  const rules = { preset: 'test', allow: ['Bash(ls *)'], deny: ['Read(.env)'] };
  writeFileSync(path, JSON.stringify({ v: 1, scopes: { 'role:tester': { ...rules, confirm: ['Edit'] } } }));
  const read = { 'role:tester': { ...rules, ask: ['Edit'] } };
  expect(await readBook(home)).toEqual(read);
  const change = { scope: 'default', me, timeoutMs: 1_000, change: () => ({ deny: ['Bash(rm *)'] }) };
  await changeBook(home, change);
  const now = { ...read, default: { deny: ['Bash(rm *)'] } };
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ v: 2, scopes: now });
});

it.each(['{"v":3,"scopes":{}}', '{"v":2,"sco'])('a file that holds %s forbids a change, and stays', async (text) => {
  writeFileSync(path, text);
  const change = { scope: 'default', me, timeoutMs: 1_000, change: () => ({}) };
  await expect(changeBook(home, change)).rejects.toThrow('does not hold rules of this version');
  expect(readFileSync(path, 'utf8')).toBe(text);
});
