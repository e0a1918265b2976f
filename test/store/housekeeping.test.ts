import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { emptyBook } from '../../src/model/task.ts';
import type { WorkerRecord } from '../../src/model/worker.ts';
import { openHome } from '../../src/store/home.ts';
import { cleanDaily, cleanNow } from '../../src/store/housekeeping.ts';
import { foldLines, lineOf } from '../../src/store/job-book.ts';
import { processRef } from '../../src/system/process.ts';
import { workerRecord } from '../support/records.ts';
import { makeSandbox } from '../support/sandbox.ts';
import { taskOf } from '../support/tasks.ts';

const box = makeSandbox();
afterAll(() => box.dispose());
const me = await processRef(process.pid);
const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2030, 0, 1);

let homes = 0;
async function homeWith(...records: readonly WorkerRecord[]) {
  homes += 1;
  const home = await openHome(box.dir(`home-${homes}`));
  const at = (path: string) => join(home.root, path);
  const put = (path: string, daysAgo: number, text = 'x') => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
    for (let above = path; above !== '.'; above = dirname(above))
      utimesSync(at(above), new Date(now - daysAgo * day), new Date(now - daysAgo * day));
  };
  const told: string[] = [];
  const all = new Map(records.map((record) => [record.id, record]));
  const cleaning = { home, me, now, records: () => all, onTrouble: (words: string) => void told.push(words) };
  return { at, put, told, all, cleaning };
}

const closed = (id: string, daysAgo: number) => workerRecord({ id, phase: 'closed', endedAt: now - daysAgo * day });
const ids = { old: 'aaaaaaaa', fresh: 'bbbbbbbb', living: 'cccccccc', unknown: 'dddddddd', foreign: 'not-a-worker' };

it('what has had its time goes, and nothing of a worker that lives or that is not ours', async () => {
  const records = [closed(ids.old, 31), closed(ids.fresh, 2), workerRecord({ id: ids.living })];
  const { at, put, told, cleaning } = await homeWith(...records);
  for (const id of Object.values(ids)) {
    for (const launch of [1, 2, 3, 4])
      for (const name of ['signals.jsonl', 'order.json']) put(`workers/${id}/launches/${launch}/${name}`, 40);
    for (const name of ['outbox.jsonl', 'mailbox.jsonl', 'sends.jsonl', 'usage.json', 'requests/a.json'])
      put(`workers/${id}/${name}`, 40);
  }
  const { count, bytes } = await cleanNow(cleaning);
  expect([told, count > 0, bytes > 0]).toEqual([[], true, true]);
  const left = (id: string) => readdirSync(at(`workers/${id}`)).toSorted();
  const everything = ['launches', 'mailbox.jsonl', 'outbox.jsonl', 'requests', 'sends.jsonl', 'usage.json'];
  expect(left(ids.old)).toEqual(['launches', 'usage.json']);
  expect([left(ids.fresh), left(ids.living), left(ids.foreign)]).toEqual([everything, everything, everything]);
  const launches = (id: string) => readdirSync(at(`workers/${id}/launches`)).toSorted();
  expect([launches(ids.old), launches(ids.fresh)]).toEqual([
    ['2', '3', '4'],
    ['2', '3', '4'],
  ]);
  expect(launches(ids.living)).toHaveLength(4);
  const lastOf = (id: string) => readdirSync(at(`workers/${id}/launches/4`)).toSorted();
  expect([lastOf(ids.old), lastOf(ids.fresh)]).toEqual([['order.json'], ['order.json', 'signals.jsonl']]);
  expect(existsSync(at(`workers/${ids.unknown}`))).toBe(false);
  expect(await cleanNow(cleaning)).toEqual({ count: 0, bytes: 0 });
});

it('a worker without a record keeps its folder where a log was set aside unread', async () => {
  const { at, put, cleaning } = await homeWith();
  put(`workers/${ids.unknown}/outbox.jsonl`, 40);
  put('events.jsonl.unreadable-2029-01-01', 40);
  await cleanNow(cleaning);
  expect(existsSync(at(`workers/${ids.unknown}`))).toBe(true);
});

it('once a day is enough for all servers, and a worker that came back meanwhile keeps its words', async () => {
  const { at, put, all, cleaning } = await homeWith(closed(ids.old, 31));
  put(`workers/${ids.old}/outbox.jsonl`, 40);
  let asked = 0;
  const records = () => {
    asked += 1;
    return asked === 1 ? all : new Map([[ids.old, workerRecord({ id: ids.old, phase: 'spawning' })]]);
  };
  expect(await cleanDaily({ ...cleaning, records })).toEqual({ count: 0, bytes: 0 });
  expect(existsSync(at(`workers/${ids.old}/outbox.jsonl`))).toBe(true);
  expect(await cleanDaily({ ...cleaning, now: now + day - 1 })).toBeUndefined();
  expect(await cleanDaily({ ...cleaning, now: now + day })).toMatchObject({ count: 1 });
});

it('a book of tasks gets shorter, and one that holds what a newer release wrote does not', async () => {
  const { at, put, cleaning } = await homeWith();
  const task = taskOf({ prompt: 'p'.repeat(2_000) });
  const lines = Array.from({ length: 60 }, () => lineOf({ tasks: [task] }));
  put('tasks/shop.jsonl', 0, `${lines.join('\n')}\n`);
  put('tasks/newer.jsonl', 0, `${[...lines, '{"v":9}'].join('\n')}\n`);
  await cleanNow(cleaning);
  const shorter = readFileSync(at('tasks/shop.jsonl'), 'utf8').trimEnd().split('\n');
  expect([shorter.length, foldLines(emptyBook, shorter).tasks.get(task.id)]).toEqual([1, task]);
  expect(readFileSync(at('tasks/newer.jsonl'), 'utf8').split('\n')).toHaveLength(62);
});
