// Usage limits: parks what waits for an account, and sends stopped workers on where the settings say so.
import type { Disposer } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type AccountFacts, dueAt, type Parked } from '../../turn/account.ts';
import { sendMessage } from '../messages/send-message.ts';
import { accountFacts, accountOf, limitGate } from '../workers/accounts.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { goOnMessage } from './answer-calls.ts';

/** A worker whose turn a limit has stopped, and that is sent on. */
export interface Stopped extends Parked {
  readonly stop: NonNullable<Parked['stop']>;
  readonly account: AccountFacts;
}

interface Resume {
  readonly workerId: string;
  readonly stoppedAt: number;
  /** Epoch ms. */
  readonly dueAt: number;
}

/** The first worker to send on, and when. An agent that goes on by itself is only watched. Pure. */
export function nextResume(stopped: readonly Stopped[]): Resume | undefined {
  const resumes = stopped.flatMap((one): readonly Resume[] => {
    const due = one.stop.goesOn ? undefined : dueAt(one, one.account);
    return due === undefined ? [] : [{ workerId: one.workerId, stoppedAt: one.stop.at, dueAt: due }];
  });
  const [first, ...others] = resumes;
  if (first === undefined) return undefined;
  return others.reduce((a, b) => (b.dueAt < a.dueAt ? b : a), first);
}

/** A sleeping machine does not count time, and a timer has its bounds. */
const longestWaitMs = 3_600_000;

/** The limit that the worker waits for, unless crewmux has already sent it on after this limit. */
function stoppedOf(context: CrewContext, record: WorkerRecord): readonly Stopped[] {
  if (record.phase !== 'live' || !context.roster.isMine(record) || context.roster.closing.has(record.id)) return [];
  const turn = context.roster.turn(record.id);
  const end = turn?.facts.witness.end;
  if (turn?.waitingFor !== 'limit' || end?.how !== 'limit') return [];
  const resetsAt = turn.limit?.resetsAt;
  // What is no limit of the account and names no time may be over at any time, and needs somebody.
  if (resetsAt === undefined && end.ofAccount !== true) return [];
  const { resumedLimit, id: workerId } = record;
  if (resumedLimit !== undefined && resumedLimit >= end.at) return [];
  if (!context.settingsFor(record.mainRepoPath ?? record.projectPath).settings.limits.resume_after_reset) return [];
  const stop = { at: end.at, resetsAt, goesOn: turn.limit?.goesOn === true };
  return [{ workerId, stop, account: accountFacts(context, accountOf(record)) }];
}

const nextIn = (context: CrewContext): Resume | undefined =>
  nextResume(context.roster.records().flatMap((record) => stoppedOf(context, record)));

/** Shows each idle worker whose kept messages wait for its account as what it is; resolves to the next time to look. */
function parkAll(context: CrewContext): readonly number[] {
  return context.roster.records().flatMap((record) => {
    const following = record.phase === 'live' ? context.roster.following(record.id) : undefined;
    if (following === undefined) return [];
    const gate = (record.kept ?? []).length === 0 ? undefined : limitGate(context, record);
    if (following.state.facts.parked?.until !== gate?.until)
      following.apply({ from: 'us', kind: 'parked', at: context.clock.now(), ...defined({ until: gate?.until }) });
    return gate === undefined ? [] : [gate.dueAt];
  });
}

/** Plans now and with every change of a limit; the successor of a killed server plans the same from the same facts. */
export function watchLimits(context: CrewContext): Disposer {
  let cancel: Disposer = () => undefined;
  let isStopped = false;
  const plan = () => {
    cancel();
    if (isStopped) return;
    const next = nextIn(context);
    const times = [...parkAll(context), ...(next === undefined ? [] : [next.dueAt])];
    if (times.length === 0) return;
    const delayMs = Math.max(0, Math.min(...times) - context.clock.now());
    cancel = context.clock.after(Math.min(delayMs, longestWaitMs), () => void act());
  };
  const act = async () => {
    const due = nextIn(context);
    if (due !== undefined && due.dueAt <= context.clock.now()) {
      await resume(context, due).catch((error: unknown) =>
        context.logger.write('warn', `worker ${due.workerId} could not be sent on after its limit`, error),
      );
    }
    plan();
  };
  const stops = [
    context.roster.onChange(({ workerId, signal, before, after }) => {
      if (signal.from === 'us' && signal.kind === 'parked') return;
      const isOver = before.turn?.endedAt === undefined && after.turn?.endedAt !== undefined;
      const isLimit = before.limit?.resetsAt !== after.limit?.resetsAt || before.limit?.goesOn !== after.limit?.goesOn;
      const known = context.log.records().get(workerId);
      if (isOver && known !== undefined) accountFacts(context, accountOf(known));
      if (isOver || isLimit || before.is !== after.is) plan();
    }),
    // A worker may be stopped before it is noted as live, and come to us from another server.
    context.log.onEvents((events) => {
      const counts = ({ phase, manager, kept }: NonNullable<(typeof events)[number]['set']>) =>
        [phase, manager, kept].some((one) => one !== undefined);
      if (events.some(({ set }) => set !== undefined && counts(set))) plan();
    }),
  ];
  plan();
  return () => {
    isStopped = true;
    for (const stop of stops) stop();
    cancel();
  };
}

/** Written down first: a server that dies in between has sent at most one. */
async function resume(context: CrewContext, { workerId, stoppedAt }: Resume): Promise<void> {
  const record = context.roster.record(workerId);
  const send = async () => {
    const data = { resumes: true };
    await context.log.append([{ type: 'limit', workerId, data, set: { resumedLimit: stoppedAt } }]);
    return sendMessage(context, record, { text: goOnMessage, delivery: 'queue', asCommand: false, afterLimit: true });
  };
  await context.roster.accounts.sendOn(accountOf(record), { at: context.clock.now(), send });
}
