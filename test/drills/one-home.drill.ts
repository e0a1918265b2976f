import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Children, childrenOf } from '../store/child.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { drill } from './drill.ts';

const withChildren = (round: (box: Sandbox, children: Children) => Promise<void>) => async () => {
  const box = makeSandbox();
  const children = childrenOf(box);
  try {
    await round(box, children);
  } finally {
    await children.endAll();
    box.dispose();
  }
};

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

drill(
  'eight processes that add one fifty times each lose no update',
  withChildren(async (box, children) => {
    const [lock, file] = [join(box.root, 'a.lock'), join(box.root, 'count')];
    writeFileSync(file, '0');
    const counters = Array.from({ length: 8 }, () => children.start('counter.ts', lock, file, '50'));
    expect(await Promise.all(counters.map((child) => child.ended))).toEqual(Array(8).fill(0));
    expect(readFileSync(file, 'utf8')).toBe('400');
    expect(readdirSync(box.root).filter((name) => name.startsWith('a.lock'))).toEqual([]);
  }),
);

drill(
  'processes that append while files rotate lose no event and number none twice',
  withChildren(async (box, children) => {
    const home = box.dir('state');
    const times = 60;
    const inAll = String(3 * times);
    const run = (name: string, maxBytes: string) =>
      children.start('appender.ts', home, name, String(times), inAll, maxBytes);
    const all = [run('a', '1000000'), run('b', '1000000'), run('c', '12000')];
    expect(await Promise.all(all.map((child) => child.ended))).toEqual([0, 0, 0]);
    const results = all.map((child) => JSON.parse(child.output()));
    expect(results.flatMap(({ own }) => own).toSorted((a, b) => a - b)).toEqual(upTo(3 * times));
    for (const { seen } of results) expect(seen).toEqual(upTo(3 * times).slice(-seen.length));
    expect(existsSync(join(home, 'events.1.jsonl'))).toBe(true);
  }),
);
