// A person's order for a server that is alive: a tool call in a file, which that server takes, performs and answers.
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../jsonl/append.ts';
import { followDir } from '../jsonl/folder.ts';
import { watchFolder } from '../jsonl/tail.ts';
import type { Clock } from '../model/clock.ts';
import { defined } from '../model/defined.ts';
import { newNonce } from '../model/ids.ts';
import { parseJson } from '../model/json.ts';
import { readHeld, writeJson } from '../system/atomic.ts';
import { hasCode } from '../system/disk.ts';
import { lightSleep } from '../system/pace.ts';
import { isAlive, isSameProcess, type ProcessRef, processStart } from '../system/process.ts';

/** A call of a tool, as an MCP client makes it. */
export interface ToolOrder {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const fields = z.record(z.string(), z.unknown());
const processRef = z.object({ pid: z.int(), processStart: z.string() });
const orderFile = z.object({
  v: z.literal(1),
  /** The server meant, and the command line that waits: neither acts for a later process of the same pid. */
  to: processRef,
  by: processRef,
  tool: z.string(),
  args: fields,
});

const outcome = z.object({
  /** The answer in words; with an error, its JSON. */
  text: z.string(),
  /** Absent with an error. */
  structured: fields.exactOptional(),
});
export type OrderOutcome = Readonly<z.output<typeof outcome>>;
const outcomeFile = z.object({ v: z.literal(1), outcome });

/** The server that takes the orders of a folder, and the project it stands in. */
const server = processRef.extend({
  project: z.string().exactOptional(),
  crew: z.string().exactOptional(),
  /** It drives only while no other server of its crew lives. */
  isKeeper: z.literal(true).exactOptional(),
});
export type LivingServer = Readonly<z.output<typeof server>>;
const serverFile = server.extend({ v: z.literal(1) });
const serverName = 'server.json';

const ordersDir = (home: string, pid: number): string => join(home, 'orders', String(pid));

const step = z.object({ v: z.literal(1), says: z.string() });
/** Lines: what the server tells meanwhile. */
const stepsName = (id: string): string => `${id}.steps.jsonl`;

type Stage = 'left' | 'taken' | 'withdrawn' | 'answered';
const fileName = (id: string, stage: Stage): string => `${id}.${stage}.json`;
const leftFile = /^([0-9a-f]+)\.left\.json$/;

/** Of two who move the same file only one succeeds, so that an order is either taken or withdrawn. */
async function move(dir: string, id: string, to: 'taken' | 'withdrawn'): Promise<boolean> {
  try {
    await rename(join(dir, fileName(id, 'left')), join(dir, fileName(id, to)));
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

export type OrderEnd =
  | { readonly is: 'answered'; readonly outcome: OrderOutcome }
  /** Nobody took it in time; it is withdrawn, and nobody will. */
  | { readonly is: 'withdrawn' }
  /** The server took it and ended without an answer. */
  | { readonly is: 'lost' };

const takenWithinMs = 2_000;
/** The watch is a hint; this look is the guarantee behind it. */
const lookEveryMs = 1_000;

export interface OrderSending {
  readonly home: string;
  readonly to: ProcessRef;
  readonly by: ProcessRef;
  readonly clock: Clock;
  /** Hears how far the act is. */
  readonly tell?: (says: string) => void;
}

/** Leaves an order for a server and waits for its answer, however long the act takes once the server has taken it. */
export async function sendOrder({ tool, args }: ToolOrder, sending: OrderSending): Promise<OrderEnd> {
  const { home, to, by, clock, tell = () => undefined } = sending;
  const dir = ordersDir(home, to.pid);
  const id = newNonce();
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const { wake, sleep } = lightSleep();
  const stop = watchFolder(dir, clock, wake);
  const clear = (stage: Stage) => rm(join(dir, fileName(id, stage)), { force: true });
  try {
    await writeJson(join(dir, fileName(id, 'left')), { v: 1, to, by, tool, args });
    const latest = clock.now() + takenWithinMs;
    let heard = 0;
    for (let isTaken = false; ; ) {
      const held = await readHeld(join(dir, fileName(id, 'answered')), outcomeFile);
      const lines = await readSteps(join(dir, stepsName(id)));
      for (const says of lines.slice(heard)) tell(says);
      heard = lines.length;
      if (held !== undefined) return { is: 'answered', outcome: held.outcome };
      if (!isTaken && clock.now() >= latest) {
        if (await move(dir, id, 'withdrawn')) return { is: 'withdrawn' };
        isTaken = true;
      }
      if (isTaken && !(await isAlive(to))) return { is: 'lost' };
      await sleep(isTaken ? lookEveryMs : Math.max(1, latest - clock.now()));
    }
  } finally {
    stop();
    await Promise.all([clear('withdrawn'), clear('answered'), rm(join(dir, stepsName(id)), { force: true })]);
  }
}

/** Of all whole lines. */
async function readSteps(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => step.safeParse(parseJson(line)).data?.says ?? []);
}

export interface OrderRun {
  readonly signal: AbortSignal;
  /** Tells whoever waits that the act goes on. */
  readonly tell: (says: string) => void;
}

export interface Taking extends Pick<z.output<typeof serverFile>, 'crew' | 'isKeeper'> {
  readonly home: string;
  readonly me: ProcessRef;
  readonly project: string;
  readonly clock: Clock;
  /** Never rejects. */
  readonly perform: (order: ToolOrder, run: OrderRun) => Promise<OrderOutcome>;
  readonly onTrouble: (error: unknown) => void;
}

/** Takes and performs the orders for this server until it is closed; that aborts those under way. */
export async function takeOrders(taking: Taking): Promise<{ close(): Promise<void> }> {
  const { home, me, project, clock, perform, onTrouble, crew, isKeeper } = taking;
  await clearEnded(home).catch(onTrouble);
  const dir = ordersDir(home, me.pid);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeJson(join(dir, serverName), { v: 1, ...me, project, ...defined({ crew, isKeeper }) });
  const end = new AbortController();
  const take = async (id: string) => {
    if (end.signal.aborted || !(await move(dir, id, 'taken'))) return;
    const path = join(dir, fileName(id, 'taken'));
    const order = await readHeld(path, orderFile);
    // Whoever was killed did not withdraw, and would not expect it any more.
    if (order !== undefined && isSameProcess(order.to, me) && (await isAlive(order.by))) {
      let telling = Promise.resolve();
      const tell = (says: string) => {
        const line = JSON.stringify({ v: 1, says });
        telling = telling.then(() => appendLine(join(dir, stepsName(id)), line)).catch(onTrouble);
      };
      const done = await perform({ tool: order.tool, args: order.args }, { signal: end.signal, tell });
      await telling;
      if (await isAlive(order.by)) await writeJson(join(dir, fileName(id, 'answered')), { v: 1, outcome: done });
      else await rm(join(dir, stepsName(id)), { force: true });
    }
    await rm(path, { force: true });
  };
  const following = followDir(dir, {
    clock,
    onTrouble,
    onChange(names) {
      for (const name of names) {
        const id = leftFile.exec(name)?.[1];
        if (id !== undefined) void take(id).catch(onTrouble);
      }
    },
  });
  return {
    async close() {
      following.close();
      end.abort();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Removes what servers left that were killed. */
async function clearEnded(home: string): Promise<void> {
  for (const name of await readdir(join(home, 'orders')).catch(() => [])) {
    if (/^\d+$/.test(name) && (await processStart(Number(name))) === undefined)
      await rm(join(home, 'orders', name), { recursive: true, force: true });
  }
}

/** When the last server of this home ended in order, epoch ms; undefined while one lives, and where none ever was. */
export async function serversEndedAt(home: string): Promise<number | undefined> {
  const folder = join(home, 'orders');
  const found = await stat(folder).catch(() => undefined);
  const living = await Promise.all((await serverPids(home)).map((pid) => isServing(home, pid)));
  return living.includes(true) ? undefined : found?.mtimeMs;
}

/** Those that take orders now, or those of them that are meant; one of an earlier version does not say where it stands. */
export async function livingServers(
  home: string,
  isMeant: (server: LivingServer) => boolean = () => true,
): Promise<readonly LivingServer[]> {
  const held = await Promise.all((await serverPids(home)).map((pid) => readServer(home, pid)));
  const meant = held.flatMap((one) => one ?? []).filter(isMeant);
  const living = await Promise.all(meant.map(isAlive));
  return meant.filter((_, at) => living[at]);
}

/** The servers of managers that live and serve this crew; of any other, nothing is looked at but its file. */
export const managersOf = (home: string, crew: string): Promise<readonly LivingServer[]> =>
  livingServers(home, (server) => server.crew === crew && !server.isKeeper);

const serverPids = async (home: string): Promise<readonly string[]> =>
  (await readdir(join(home, 'orders')).catch(() => [])).filter((name) => /^\d+$/.test(name));

const readServer = (home: string, pid: string) =>
  readHeld(join(home, 'orders', pid, serverName), serverFile).catch(() => undefined);

async function isServing(home: string, pid: string): Promise<boolean> {
  const held = await readServer(home, pid);
  return held === undefined ? (await processStart(Number(pid))) !== undefined : isAlive(held);
}
