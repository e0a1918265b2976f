// Acts of a person: by the server that manages the worker where that is alive, else by this very process.

import { z } from 'zod';
import { resolveBegun } from '../model/address.ts';
import { parseJson } from '../model/json.ts';
import { plain } from '../model/plain-text.ts';
import type { ManagerRef, WorkerRecord } from '../model/worker.ts';
import { stateHome } from '../settings/paths.ts';
import { type OrderEnd, type OrderOutcome, sendOrder, type ToolOrder } from '../store/orders.ts';
import { systemClock } from '../system/clock.ts';
import { isAlive, processRef } from '../system/process.ts';
import { outcomeText } from './outcome-text.ts';
import { personsHint } from './persons-call.ts';
import { programName } from './program-name.ts';
import { withProgress } from './progress.ts';
import { recordsOf, shortest } from './roster.ts';
import { serversHere } from './servers.ts';
import { type CommandWorld, isWorkers, type Visit } from './world.ts';

export interface CommandAct {
  readonly tool: string;
  /** As the person names them. */
  readonly workers: readonly string[];
  /** The arguments for some of them. */
  readonly argsFor: (workers: readonly string[]) => ToolOrder['args'];
}

/** Has it done, and writes what became of it; returns the exit code. Throws `unknown_worker` before anything is done. */
export async function act({ tool, workers, argsFor }: CommandAct, world: CommandWorld): Promise<number> {
  if (isWorkers(world)) return say(workersWords, world);
  const records = await recordsOf(world);
  const named = workers.map((ref) => {
    const record = resolveBegun(ref, records);
    return { ref: shortest(record, records), record };
  });
  const codes: number[] = [];
  for (const { manager, members } of await groupsOf(named)) {
    const order = { tool, args: argsFor(members.map(({ ref }) => ref)) };
    const ids = members.map(({ record }) => record.id);
    const end =
      manager === undefined ? await visit({ workers: ids, order }, world) : await sendTo(manager, order, world);
    codes.push(report(end, { tool, manager, records: members.map(({ record }) => record) }, world));
  }
  return Math.max(0, ...codes);
}

/** Has something done for the project that we stand in: by its one living server, else by us. */
export async function actHere(order: ToolOrder, world: CommandWorld): Promise<number> {
  const servers = await serversHere(world);
  const [one] = servers;
  if (one === undefined || servers.length > 1 || isWorkers(world)) return actInFiles(order, world);
  return actBy(one, order, world);
}

/** Has something done that a server must go on with; says what is missing where none lives. */
export async function actByServer(order: ToolOrder, world: CommandWorld): Promise<number> {
  if (isWorkers(world)) return say(workersWords, world);
  const [one] = await serversHere(world);
  return one === undefined ? say(serverMissing, world) : actBy(one, order, world);
}

async function actBy(manager: ManagerRef, order: ToolOrder, world: CommandWorld): Promise<number> {
  return report(await sendTo(manager, order, world), { tool: order.tool, manager, records: [] }, world);
}

/** Has something done that files alone hold, whoever drives it. */
export async function actInFiles(order: ToolOrder, world: CommandWorld): Promise<number> {
  if (isWorkers(world)) return say(workersWords, world);
  const end = await visit({ workers: [], order }, world);
  return report(end, { tool: order.tool, manager: undefined, records: [] }, world);
}

const serverMissing = `No server is at work for this project, and a worker needs one: it answers, watches its limits and tells of its end.
Start a client with crewmux here, whose server counts from its first call of a tool; or enter the work with \`crewmux task submit\`, for \`crewmux keep\` to run.`;

const workersWords = 'A worker cannot act on the crew; run this in a terminal of your own.';

interface Named {
  readonly ref: string;
  readonly record: WorkerRecord;
}

interface Managed {
  /** Undefined where none is alive. */
  readonly manager: ManagerRef | undefined;
  readonly members: readonly Named[];
}

async function groupsOf(named: readonly Named[]): Promise<readonly Managed[]> {
  const groups = new Map<string, { manager: ManagerRef | undefined; members: Named[] }>();
  for (const one of named) {
    const { manager } = one.record;
    const alive = await isAlive(manager);
    const key = alive ? `${manager.pid} ${manager.processStart}` : '';
    const group = groups.get(key) ?? { manager: alive ? manager : undefined, members: [] };
    if (!group.members.some(({ record }) => record.id === one.record.id)) group.members.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function sendTo(manager: ManagerRef, order: ToolOrder, world: CommandWorld): Promise<OrderEnd> {
  const by = await processRef(world.pid);
  const sending = { home: stateHome(world), to: manager, by, clock: systemClock };
  return withProgress(world, (tell) => sendOrder(order, { ...sending, tell }));
}

async function visit(to: Omit<Visit, 'tell'>, world: CommandWorld): Promise<OrderEnd> {
  const outcome = await withProgress(world, (tell) => world.visit({ ...to, tell }));
  return { is: 'answered', outcome };
}

interface About {
  readonly tool: string;
  readonly manager: ManagerRef | undefined;
  readonly records: readonly WorkerRecord[];
}

function report(end: OrderEnd, { tool, manager, records }: About, world: CommandWorld): number {
  const whose = records.length === 0 ? 'of this project' : `that manages ${records.map(({ name }) => name).join(', ')}`;
  const server = `The server ${whose} (pid ${manager?.pid})`;
  if (end.is === 'withdrawn') {
    return say(
      `${server} does not answer. Nothing was done, and nothing will be.\nIs it stopped? Once it has ended, the same words act without it.`,
      world,
    );
  }
  if (end.is === 'lost')
    return say(`${server} ended before it answered. \`crewmux status\` shows what was done.`, world);
  const { text, structured } = end.outcome;
  if (structured === undefined) return say(errorWords(text), world);
  world.write(`${outcomeText({ tool, text, structured }, { records, program: programName(world) })}\n`);
  return isDone(structured) ? 0 : 1;
}

function say(text: string, { complain }: CommandWorld): number {
  complain(`${text}\n`);
  return 1;
}

const errorAnswer = z.object({ error: z.object({ message: z.string(), hint: z.string() }) });

/** An error as a tool answers it, in lines for a person. */
function errorWords(text: string): string {
  const parsed = errorAnswer.safeParse(parseJson(text)).data;
  return plain(parsed === undefined ? text : `${parsed.error.message}\n${personsHint(parsed.error.hint)}`);
}

const outcomes = z.looseObject({
  success: z.boolean().optional(),
  failure_count: z.number().optional(),
  failed: z.array(z.unknown()).optional(),
});

/** Whether a tool's answer says that everything was done. Pure. */
export function isDone(structured: NonNullable<OrderOutcome['structured']>): boolean {
  const { success = true, failure_count: failures = 0, failed = [] } = outcomes.parse(structured);
  return success && failures === 0 && failed.length === 0;
}
