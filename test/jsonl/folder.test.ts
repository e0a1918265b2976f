import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changedNames, followDir } from '../../src/jsonl/folder.ts';
import { sweepEveryMs } from '../../src/jsonl/sweep.ts';
import { followTrees } from '../../src/jsonl/trees.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type HandClock, handClock } from './hand-clock.ts';

let sandbox: Sandbox;
let clock: HandClock;
let opened: { close(): void }[];
beforeEach(() => {
  sandbox = makeSandbox();
  clock = handClock();
  opened = [];
});
afterEach(() => {
  for (const feed of opened) feed.close();
  sandbox.dispose();
});

function follow(path: string) {
  const seen: string[] = [];
  const feed = followDir(path, { clock, onChange: (names) => seen.push(...names) });
  opened.push(feed);
  return { feed, seen };
}

test('what the folder holds is told first, to those who come later too', async () => {
  const folder = sandbox.dir('states');
  writeFileSync(join(folder, '1.json'), '{}');
  const first = follow(folder);
  await eventually('the first is told', () => first.seen.includes('1.json'));
  const second = follow(folder);
  await eventually('the second is told', () => second.seen.includes('1.json'));
});

test('a rewrite in place, a rename over a file and a removal are each told by a hint alone', async () => {
  const folder = sandbox.dir('states');
  const { seen } = follow(folder);
  const isTold = async (act: () => void) => {
    seen.length = 0;
    act();
    await eventually('1.json is told', () => seen.includes('1.json'));
  };
  await isTold(() => writeFileSync(join(folder, '1.json'), 'idle'));
  await isTold(() => writeFileSync(join(folder, '1.json'), 'busy'));
  writeFileSync(join(folder, 'tmp'), 'late');
  await isTold(() => renameSync(join(folder, 'tmp'), join(folder, '1.json')));
  await isTold(() => rmSync(join(folder, '1.json')));
});

test('a folder that comes later is followed from then on', async () => {
  const folder = join(sandbox.root, 'a', 'b', 'states');
  const { seen } = follow(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '1.json'), '{}');
  await eventually('the file is told', () => seen.includes('1.json'));
});

test('without a hint the next sweep sees the change', async () => {
  const folder = sandbox.dir('states');
  writeFileSync(join(folder, '1.json'), '{}');
  const { seen } = follow(folder);
  await eventually('what is there is told', () => seen.includes('1.json'));
  renameSync(folder, `${folder}-away`);
  mkdirSync(folder);
  writeFileSync(join(folder, '2.json'), '{}');
  clock.advance(sweepEveryMs);
  await eventually('the new one is told', () => seen.includes('2.json'));
});

test('a file that is rewritten elsewhere, through a link, is seen by the next sweep', async () => {
  const folder = sandbox.dir('states');
  const real = join(sandbox.dir('elsewhere'), 'real.json');
  writeFileSync(real, '{}');
  symlinkSync(real, join(folder, '1.json'));
  const { seen } = follow(folder);
  await eventually('what is there is told', () => seen.includes('1.json'));
  seen.length = 0;
  writeFileSync(real, '{"status":"busy"}');
  clock.advance(sweepEveryMs);
  await eventually('the change is told', () => seen.includes('1.json'));
});

test('a closed follower is told nothing while another one of the folder is', async () => {
  const folder = sandbox.dir('states');
  const [left, stays] = [follow(folder), follow(folder)];
  left.feed.close();
  left.feed.close();
  writeFileSync(join(folder, '1.json'), '{}');
  await eventually('the one that stays is told', () => stays.seen.includes('1.json'));
  expect(left.seen).toEqual([]);
});

test.each([
  { title: 'nothing for equal stamps', before: { a: '1' }, now: { a: '1' }, names: [] },
  { title: 'a new name', before: {}, now: { a: '1' }, names: ['a'] },
  { title: 'a changed stamp', before: { a: '1' }, now: { a: '2' }, names: ['a'] },
  { title: 'a name that went', before: { a: '1' }, now: {}, names: ['a'] },
  { title: 'a file written too lately to tell', before: { a: '' }, now: { a: '' }, names: ['a'] },
])('between two looks $title counts as change', ({ before, now, names }) => {
  expect(changedNames(new Map(Object.entries(before)), new Map(Object.entries(now)))).toEqual(names);
});

test('what changes in a folder below, one that comes later too, is told until the end', async () => {
  const [root, later] = [sandbox.dir('roles'), join(sandbox.root, 'later')];
  let changes = 0;
  const trees = followTrees([root, later], { clock, onChange: () => (changes += 1) });
  opened.push(trees);
  const isTold = async (act: () => void) => {
    changes = 0;
    act();
    await eventually('it is told', () => changes > 0);
  };
  const deep = join(root, 'a', 'b');
  await isTold(() => mkdirSync(deep, { recursive: true }));
  writeFileSync(join(deep, 'one.md'), '1');
  await isTold(() => writeFileSync(join(deep, 'one.md'), '2'));
  await isTold(() => rmSync(deep, { recursive: true }));
  mkdirSync(later);
  await isTold(() => writeFileSync(join(later, 'two.md'), '1'));
  trees.close();
  changes = 0;
  rmSync(join(later, 'two.md'));
  await new Promise(setImmediate);
  expect(changes).toBe(0);
});
