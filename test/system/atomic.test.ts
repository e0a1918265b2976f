import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { readJson, removeAtomic, writeAtomic, writeJson, writeUnsynced } from '../../src/system/atomic.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let path: string;
let told: string[];
beforeEach(() => {
  sandbox = makeSandbox();
  path = join(sandbox.dir('state'), 'a.json');
  told = [];
});
afterEach(() => sandbox.dispose());

const schema = z.object({ v: z.literal(1), name: z.string() });
const read = () => readJson(path, schema, (message) => told.push(message));

test('a value comes back as it was written, in a file for its owner only', async () => {
  await writeJson(path, { v: 1, name: 'ada' });
  await writeJson(path, { v: 1, name: 'bruno' });
  expect(await read()).toEqual({ v: 1, name: 'bruno' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(sandbox.root, 'state'))).toEqual(['a.json']);
});

test('a file goes with what killed writers have left of it, and with nothing else', async () => {
  const dir = sandbox.dir('state');
  const value = join(dir, 'value.json');
  const others = ['value.json.unreadable-1', 'value.jsonl.0badf00d.tmp', 'other.json'];
  for (const name of ['value.json', 'value.json.0badf00d.tmp', ...others]) writeFileSync(join(dir, name), '');
  await removeAtomic(value);
  expect(readdirSync(dir).sort()).toEqual(others.toSorted());
  await removeAtomic(value);
  await removeAtomic(join(dir, 'none', 'value.json'));
});

test('a missing file is undefined and nobody is told', async () => {
  expect(await read()).toBeUndefined();
  expect(told).toEqual([]);
});

test.each(['{"v":1,"na', '', '{"v":1}'])('a file that holds %j is set aside whole and told', async (content) => {
  writeFileSync(path, content);
  expect(await read()).toBeUndefined();
  expect(existsSync(path)).toBe(false);
  const [aside = ''] = readdirSync(join(sandbox.root, 'state'));
  expect(aside).toMatch(/^a\.json\.unreadable-/);
  expect(readFileSync(join(sandbox.root, 'state', aside), 'utf8')).toBe(content);
  expect(told).toEqual([expect.stringContaining(aside)]);
});

test('a file the system does not give is an error and stays where it is', async () => {
  mkdirSync(path);
  await expect(read()).rejects.toMatchObject({ code: 'state_unreadable' });
  expect(existsSync(path)).toBe(true);
});

test.each([writeAtomic, writeUnsynced])(
  'a write by $name that fails leaves the old file and no draft',
  async (write) => {
    mkdirSync(path);
    await expect(write(path, 'new')).rejects.toThrow();
    expect(readdirSync(join(sandbox.root, 'state'))).toEqual(['a.json']);
    chmodSync(path, 0o700);
  },
);
