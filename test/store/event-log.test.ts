import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CrewEvent, EventDraft, RecordChange } from '../../src/model/event.ts';
import { type EventLog, type EventLogOptions, openEventLog } from '../../src/store/event-log.ts';
import { lookAtLog } from '../../src/store/read-log.ts';
import { systemClock } from '../../src/system/clock.ts';
import { processStart } from '../../src/system/process.ts';
import { handClock } from '../jsonl/hand-clock.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type Children, childrenOf } from './child.ts';
import { workerRecord } from './records.ts';

let sandbox: Sandbox;
let children: Children;
let home: string;
let logs: EventLog[];
let told: string[];
beforeEach(() => {
  sandbox = makeSandbox();
  children = childrenOf(sandbox);
  home = sandbox.dir('state');
  logs = [];
  told = [];
});
afterEach(async () => {
  await Promise.all(logs.map((log) => log.close()));
  await children.endAll();
  sandbox.dispose();
});

async function open(change: Partial<EventLogOptions> = {}): Promise<EventLog> {
  const me = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' };
  const defaults = { home, me, maxBytes: 1_000_000, keepMs: 1e9, clock: systemClock };
  const log = await openEventLog({ ...defaults, onTrouble: (message) => told.push(message), ...change });
  logs.push(log);
  return log;
}

const draft = (n: number, set?: RecordChange): EventDraft => ({
  type: 'reconciled',
  workerId: `w${n}`,
  data: { n },
  ...(set ? { set } : {}),
});
const born = (id: string): EventDraft => ({ type: 'worker_started', workerId: id, data: {}, set: workerRecord(id) });
test('an event of a worker that another process manages by then is left out', async () => {
  const [mine, theirs] = [await open(), await open({ me: { pid: 1, processStart: 'other' } })];
  const me = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' };
  await mine.append([{ ...born('w1'), set: { ...workerRecord('w1'), manager: me } }]);
  await theirs.append([{ ...draft(1), set: { manager: { pid: 1, processStart: 'other' } } }]);
  expect(await mine.appendOwn([draft(1)])).toEqual([]);
  expect(seqs(await theirs.appendOwn([draft(1)]))).toEqual([3]);
  expect(seqs(await mine.append([draft(2)]))).toEqual([4]);
});

const seqs = (events: readonly CrewEvent[]) => events.map(({ seq }) => seq);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const current = () => join(home, 'events.jsonl');
const previous = () => join(home, 'events.1.jsonl');

test('what one log appended a second one opened later knows, field by field', async () => {
  const first = await open();
  await first.append([born('a'), { type: 'worker_dead', workerId: 'a', data: {}, set: { phase: 'dead', base: null } }]);
  const second = await open();
  const { base: _, ...rest } = workerRecord('a', { phase: 'dead' });
  expect(second.records().get('a')).toEqual(rest);
  expect(second.lastSeq).toBe(2);
  expect(await second.since(0)).toEqual(await first.since(0));
  expect(statSync(current()).mode & 0o777).toBe(0o600);
});

test('appends made at once are numbered in the order they were made', async () => {
  const log = await open();
  const results = await Promise.all(upTo(20).map((n) => log.append([draft(n), draft(n)])));
  expect(results.map(seqs)).toEqual(upTo(20).map((n) => [2 * n - 1, 2 * n]));
  expect(seqs(await log.since(0))).toEqual(upTo(40));
});

test('two logs of one home hear each other’s events once and in order', async () => {
  const pair = await Promise.all([open(), open()]);
  const heard = pair.map((log) => {
    const events: CrewEvent[] = [];
    log.onEvents((more) => events.push(...more));
    return events;
  });
  await Promise.all(upTo(60).map((n) => pair[n % 2]?.append([draft(n)])));
  for (const events of heard) {
    await eventually('all events', () => events.length >= 60);
    expect(seqs(events)).toEqual(upTo(60));
  }
});

test('a listener that left hears nothing, and one that throws does not stop the others', async () => {
  const log = await open();
  const heard: number[] = [];
  log.onEvents(() => {
    throw new Error('ouch');
  });
  const leave = log.onEvents((events) => heard.push(...seqs(events)));
  await log.append([draft(1)]);
  leave();
  await log.append([draft(2)]);
  expect(heard).toEqual([1]);
  expect(told).toContainEqual(expect.stringContaining('ouch'));
});

test('events before a point in time or a number are not returned, and a limit counts from the oldest', async () => {
  const clock = handClock(1000);
  const log = await open({ clock });
  for (const n of upTo(5)) {
    await log.append([draft(n)]);
    clock.advance(10);
  }
  expect(seqs(await log.since(2))).toEqual([3, 4, 5]);
  expect(seqs(await log.since(1, 2))).toEqual([2, 3]);
  expect(seqs(await log.since(9))).toEqual([]);
  expect(seqs(await log.sinceTime(1030))).toEqual([4, 5]);
  expect(seqs(await log.sinceTime(0))).toEqual(upTo(5));
});

test('a line torn by a kill is ended by the next append, told, and costs no other line', async () => {
  const first = await open();
  await first.append([draft(1)]);
  await first.close();
  appendFileSync(current(), '{"v":1,"seq":2,"at":1,"ty');
  const second = await open();
  await second.append([draft(2), draft(3)]);
  expect(seqs(await (await open()).since(0))).toEqual([1, 2, 3]);
  expect(told).toContainEqual(expect.stringContaining('cannot be read'));
});

test('a full file is rotated, the records and the older events stay, and disk use is bounded', async () => {
  const log = await open({ maxBytes: 20_000 });
  await log.append([born('a')]);
  const other = await open();
  for (const n of upTo(600)) await log.append([draft(n)]);
  expect(statSync(current()).size + statSync(previous()).size).toBeLessThan(45_000);
  const stored = await (await open()).since(0);
  expect(stored[0]?.seq).toBeGreaterThan(100);
  expect(seqs(stored)).toEqual(upTo(601).slice(-stored.length));
  expect((await open()).records().get('a')).toEqual(workerRecord('a'));
  await eventually('the other log has followed', () => other.lastSeq === 601);
  expect(seqs(await other.since(0))).toEqual(upTo(601));
});

test('a log opened on many events knows every change of them and returns all that are asked for', async () => {
  const log = await open();
  await log.append([born('a'), draft(2), { ...draft(3, { annotation: 'early' }), workerId: 'a' }]);
  await log.append(upTo(2_000).map((n) => draft(n)));
  const opened = await open();
  expect(opened.records().get('a')?.annotation).toBe('early');
  expect(opened.lastSeq).toBe(2_003);
  expect(seqs(await opened.since(1_900))).toEqual(upTo(2_003).slice(1_900));
  expect(seqs(await opened.since(0))).toEqual(upTo(2_003));
  expect((await opened.sinceTime(0)).length).toBe(2_003);
  const look = await lookAtLog(home, { clock: systemClock, onTrouble: () => undefined });
  expect((await look.sinceTime(0)).length).toBe(2_003);
});

test('a file that began too long ago is rotated with the next event', async () => {
  const clock = handClock(0);
  const log = await open({ clock, keepMs: 1_000 });
  await log.append([draft(1)]);
  clock.advance(1_001);
  expect(existsSync(previous())).toBe(false);
  await log.append([draft(2)]);
  expect(readFileSync(previous(), 'utf8')).toContain('"seq":1');
  expect(readFileSync(current(), 'utf8')).not.toContain('"w1"');
});

/** Events appended by another process while this one stands still, in files small enough to rotate. */
function appendElsewhere(times: number): void {
  const script = children.build('appender.ts');
  spawnSync(process.execPath, [script, home, 'other', String(times), '0', '2000'], { env: sandbox.env });
}

test('a log that slept through a rotation hears what it missed before what came after', async () => {
  const log = await open();
  const heard: number[] = [];
  log.onEvents((events) => heard.push(...seqs(events)));
  await log.append([draft(1)]);
  appendElsewhere(10);
  expect(existsSync(previous())).toBe(true);
  await log.append([draft(12)]);
  expect(heard).toEqual(upTo(12));
  expect(told).toEqual([]);
});

test('a log that slept until events were rotated away says how many, and knows the records', async () => {
  const log = await open();
  const heard: number[] = [];
  log.onEvents((events) => heard.push(...seqs(events)));
  appendElsewhere(40);
  await log.append([born('a')]);
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  expect(log.records().has('a')).toBe(true);
  expect(told).toEqual([`${41 - heard.length} events were rotated away before they were seen here`]);
});

test('a log killed between the two renames of a rotation is whole again when opened', async () => {
  const log = await open();
  await log.append([born('a'), draft(2)]);
  await log.close();
  renameSync(current(), previous());
  const reopened = await open();
  expect([...reopened.records().keys()]).toEqual(['a']);
  expect(seqs(await reopened.append([draft(3)]))).toEqual([3]);
  expect(seqs(await reopened.since(0))).toEqual([1, 2, 3]);
});

test('a file with an unreadable beginning is set aside whole and its readable events are kept', async () => {
  const log = await open();
  await log.append([born('a'), draft(2)]);
  await log.close();
  const damaged = readFileSync(current(), 'utf8').replace('"snapshot"', '"snap');
  writeFileSync(current(), damaged);
  const reopened = await open();
  expect([...reopened.records().keys()]).toEqual(['a']);
  expect(seqs(await reopened.append([draft(3)]))).toEqual([3]);
  const aside = readdirSync(home).find((name) => name.includes('unreadable')) ?? '';
  expect(readFileSync(join(home, aside), 'utf8')).toBe(damaged);
  expect(told).toContainEqual(expect.stringContaining(aside));
});

test('a log of a later version is refused and left as it is', async () => {
  writeFileSync(current(), '{"v":2,"whole":"new"}\n');
  await expect(open()).rejects.toMatchObject({ code: 'state_unreadable' });
  expect(readFileSync(current(), 'utf8')).toBe('{"v":2,"whole":"new"}\n');
});

test('an append the disk refuses rejects, changes nothing, and the next one works', async () => {
  const log = await open();
  await log.append([born('a')]);
  renameSync(current(), `${current()}.away`);
  mkdirSync(current());
  await expect(log.append([draft(2, { annotation: 'no' })])).rejects.toThrow('EISDIR');
  expect(log.lastSeq).toBe(1);
  rmSync(current(), { recursive: true });
  renameSync(`${current()}.away`, current());
  expect(seqs(await log.append([draft(2)]))).toEqual([2]);
});

test('a disk that takes only a part of a write is as before it', async () => {
  const log = await open();
  await log.append([draft(1)]);
  const { size } = statSync(current());
  // The shell's file size limit stands in for a full disk: the write past it comes back short.
  const script = `trap "" XFSZ; ulimit -f ${Math.ceil(size / 512) + 2}; exec "$0" "$@"`;
  const appender = [process.execPath, children.build('appender.ts'), home, 'a', '5000', '1', '1000000'];
  const limited = children.start('sh', '-c', script, ...appender);
  await limited.ended;
  expect(limited.output()).toMatch(/EFBIG|bytes were written/);
  const { length } = readFileSync(current());
  expect(readFileSync(current()).lastIndexOf(0x0a)).toBe(length - 1);
  const numbers = seqs(await (await open()).since(0));
  expect(numbers).toEqual(upTo(numbers.length));
});

test('an event no other process could read is refused alone, and nothing of it is written', async () => {
  const log = await open();
  const odd = draft(1, { launch: { ...workerRecord('a').launch, startedAt: Number.NaN } });
  const [refused, taken] = await Promise.allSettled([log.append([odd]), log.append([draft(2)])]);
  expect([refused?.status, taken?.status]).toEqual(['rejected', 'fulfilled']);
  expect((await log.since(0)).map(({ workerId }) => workerId)).toEqual(['w2']);
});

test('an emptied file is begun anew with all that is known', async () => {
  const log = await open();
  await log.append([born('a')]);
  truncateSync(current());
  await log.append([draft(2)]);
  expect([...(await open()).records().keys()]).toEqual(['a']);
});

test('a closed log finishes its appends and takes no more', async () => {
  const log = await open();
  const under = log.append([draft(1)]);
  await log.close();
  expect(seqs(await under)).toEqual([1]);
  await expect(log.append([draft(2)])).rejects.toThrow('closed');
});
