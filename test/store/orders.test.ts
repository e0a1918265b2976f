import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  livingServers,
  managersOf,
  type OrderRun,
  sendOrder,
  serversEndedAt,
  type ToolOrder,
  takeOrders,
} from '../../src/store/orders.ts';
import { writeJson } from '../../src/system/atomic.ts';
import { systemClock } from '../../src/system/clock.ts';
import { type ProcessRef, processStart } from '../../src/system/process.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
let me: ProcessRef;
const servers: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  box = makeSandbox();
  me = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' };
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  box.dispose();
});

const order: ToolOrder = { tool: 'close_workers', args: { session_ids: ['ada'] } };
const send = (to: ProcessRef) => sendOrder(order, { home: box.root, to, by: me, clock: systemClock });
const left = () =>
  readdirSync(box.dir('orders'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!server)\.jsonl?$/.test(name),
  );

/** A server in this process; `done` holds what it has performed. */
async function serve(perform = async (_: ToolOrder, _run: OrderRun) => ({ text: 'ok', structured: {} })) {
  const done: ToolOrder[] = [];
  const server = await takeOrders({
    home: box.root,
    me,
    project: '/shop',
    clock: systemClock,
    onTrouble: (error) => expect.unreachable(String(error)),
    async perform(given, run) {
      done.push(given);
      return perform(given, run);
    },
  });
  servers.push(server);
  return { done, server };
}

const child = async () => {
  const started = spawn('sleep', ['60'], { stdio: 'ignore' });
  const pid = started.pid ?? 0;
  const ref = await eventually('it runs', async () => {
    const start = await processStart(pid);
    return start !== undefined && { pid, processStart: start };
  });
  return { ref, end: () => started.kill('SIGKILL') };
};

it('a server performs an order once and answers it, and no file is left', async () => {
  const { done } = await serve();
  expect(await send(me)).toEqual({ is: 'answered', outcome: { text: 'ok', structured: {} } });
  expect(done).toEqual([order]);
  await eventually('nothing is left', () => left().length === 0);
  expect(statSync(join(box.root, 'orders', String(me.pid))).mode & 0o777).toBe(0o700);
});

it('an act may take longer than an order waits to be taken', async () => {
  await serve(async () => {
    await promisify(execFile)('sleep', ['2.5']);
    return { text: 'late', structured: {} };
  });
  expect(await send(me)).toMatchObject({ outcome: { text: 'late' } });
});

it('whoever waits hears each step once, in order and before the answer', async () => {
  const steps = Array.from({ length: 50 }, (_, at) => `step ${at}\n`);
  let goOn = () => undefined;
  const seen = new Promise<void>((resolve) => {
    goOn = () => void resolve();
  });
  await serve(async (_, { tell }) => {
    tell('begun');
    await seen;
    for (const step of steps) tell(step);
    return { text: 'ok', structured: {} };
  });
  const heard: string[] = [];
  const end = sendOrder(order, {
    ...{ home: box.root, to: me, by: me, clock: systemClock },
    tell(says) {
      heard.push(says);
      goOn();
    },
  });
  expect(await end).toMatchObject({ is: 'answered' });
  expect(heard).toEqual(['begun', ...steps]);
  await eventually('nothing is left', () => left().length === 0);
});

it('an order that nobody takes is withdrawn after two seconds, and a server that comes later does not perform it', async () => {
  const begun = performance.now();
  expect(await send(me)).toEqual({ is: 'withdrawn' });
  expect(performance.now() - begun).toBeGreaterThan(1_900);
  const { done } = await serve();
  expect(await send(me)).toMatchObject({ is: 'answered' });
  expect(done).toHaveLength(1);
});

it('an order whose giver has ended, or that is for a process of before, is removed and not performed', async () => {
  const gone = { pid: me.pid, processStart: 'another' };
  const dir = box.dir(`orders/${me.pid}`);
  await writeJson(join(dir, '0000000a.left.json'), { v: 1, to: me, by: gone, ...order });
  await writeJson(join(dir, '0000000b.left.json'), { v: 1, to: gone, by: me, ...order });
  const { done } = await serve();
  await eventually('both are gone', () => left().length === 0);
  expect(done).toEqual([]);
});

it('a server that ends before it answers is reported, and the next server removes what it left', async () => {
  const { ref, end } = await child();
  const sent = send(ref);
  const dir = join(box.root, 'orders', String(ref.pid));
  const name = await eventually('it is left', () => left().find((one) => one.endsWith('.left.json')));
  renameSync(join(box.root, 'orders', name), join(dir, 'taken-by-a-server.json'));
  end();
  expect(await sent).toEqual({ is: 'lost' });
  await eventually('it is buried', async () => (await processStart(ref.pid)) === undefined);
  await serve();
  expect(readdirSync(join(box.root, 'orders'))).toEqual([String(me.pid)]);
});

it('tells that no server lives, but not before there was one, and not for a later process of the same pid', async () => {
  const endedAt = () => serversEndedAt(box.root);
  expect(await endedAt()).toBeUndefined();
  const { server } = await serve();
  expect(await endedAt()).toBeUndefined();
  const before = Date.now() - 1_000;
  await server.close();
  expect(await endedAt()).toBeGreaterThan(before);
  const name = join(box.dir(`orders/${me.pid}`), 'server.json');
  await writeJson(name, { v: 1, ...me });
  expect(await endedAt()).toBeUndefined();
  await writeJson(name, { v: 1, ...me, processStart: 'long ago' });
  expect(await endedAt()).toBeTypeOf('number');
});

it('whoever looks finds the servers that take orders, each with where it stands, and none that has ended', async () => {
  expect(await livingServers(box.root)).toEqual([]);
  const { server } = await serve();
  mkdirSync(join(box.root, 'orders', '1'));
  await writeJson(join(box.root, 'orders', '1', 'server.json'), { v: 1, pid: 1, processStart: 'never', project: '/x' });
  expect(await livingServers(box.root)).toMatchObject([{ ...me, project: '/shop' }]);
  await server.close();
  expect(await livingServers(box.root)).toEqual([]);
});

it('of a crew, the servers of managers that live are known, and neither its keeper nor those of another', async () => {
  const take = (more: { readonly crew: string; readonly isKeeper?: true }) =>
    takeOrders({
      home: box.root,
      me,
      project: '/shop',
      clock: systemClock,
      perform: async () => ({ text: '' }),
      onTrouble: String,
      ...more,
    });
  const known = () => managersOf(box.root, 'ours');
  expect(await known()).toEqual([]);
  for (const [more, found] of [
    [{ crew: 'ours' }, [me]],
    [{ crew: 'theirs' }, []],
    [{ crew: 'ours', isKeeper: true }, []],
  ] as const) {
    const server = await take(more);
    expect(await known()).toMatchObject(found);
    await server.close();
  }
  await writeJson(join(box.dir(`orders/${me.pid}`), 'server.json'), { v: 1, ...me, processStart: 'old', crew: 'ours' });
  expect(await known()).toEqual([]);
});
