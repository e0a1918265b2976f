// Usage limits: when a worker may be sent on, and sending it where the settings say so.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { sendMessage } from '../messages/send-message.ts';
import type { CrewContext } from '../workers/roster.ts';
import { goOnMessage } from './answer-calls.ts';

/** A worker that a limit has stopped until a known time. */
export interface Limited {
  readonly workerId: string;
  /** Workers of one account share its allowance. */
  readonly account: string;
  /** When the limit stopped it; tells one limit from the next. */
  readonly stoppedAt: number;
  readonly resetsAt: number;
  /** Its agent goes on by itself. */
  readonly goesOn: boolean;
}

interface Resume {
  readonly workerId: string;
  readonly stoppedAt: number;
  /** Epoch ms. */
  readonly dueAt: number;
}

const minuteMs = 60_000;
/** Clocks differ, and a server lifts its limit a moment late. */
const lateMs = 10_000;
/** Claude Code goes on by itself between one and two minutes after the reset. */
const ownWayMs = 180_000;
/** Between two workers, so that a crew does not use up a fresh allowance at once. */
const apartMs = 5_000;

/** An agent that names the time in words rounds it to the minute; a counted time is exact to the second. */
const certainAfter = ({ resetsAt, goesOn }: Limited): number => {
  if (goesOn) return resetsAt + ownWayMs;
  return resetsAt + lateMs + (resetsAt % minuteMs === 0 ? minuteMs : 0);
};

/**
 * The first worker to send on, and when. Pure. A reset before the stop is no reset, and nobody waits for it. Where a
 * limit stopped another worker of the account later, its time counts for the whole account.
 */
export function nextResume(limited: readonly Limited[], lastResumeAt: number): Resume | undefined {
  const resumes = limited.flatMap((one): readonly Resume[] => {
    const newest = limited
      .filter(({ account }) => account === one.account)
      .reduce((a, b) => (b.stoppedAt > a.stoppedAt ? b : a));
    if (one.resetsAt <= one.stoppedAt || newest.resetsAt <= newest.stoppedAt) return [];
    const dueAt = Math.max(certainAfter(one), newest.resetsAt + lateMs, lastResumeAt + apartMs);
    return [{ workerId: one.workerId, stoppedAt: one.stoppedAt, dueAt }];
  });
  const [first, ...others] = resumes;
  if (first === undefined) return undefined;
  return others.reduce((a, b) => (b.dueAt < a.dueAt ? b : a), first);
}

/** A sleeping machine does not count time, and a timer has its bounds. */
const longestWaitMs = 3_600_000;

/** The limit that the worker waits for, unless crewmux has already sent it on after this limit. */
function limitedOf(context: CrewContext, record: WorkerRecord): readonly Limited[] {
  if (record.phase !== 'live' || !context.roster.isMine(record) || context.roster.closing.has(record.id)) return [];
  const turn = context.roster.turn(record.id);
  const end = turn?.facts.witness.end;
  const resetsAt = turn?.limit?.resetsAt;
  if (turn?.waitingFor !== 'limit' || end === undefined || resetsAt === undefined) return [];
  const { agentType, resumedLimit, launch } = record;
  if (resumedLimit !== undefined && resumedLimit >= end.at) return [];
  if (!context.settingsFor(record.mainRepoPath ?? record.projectPath).settings.limits.resume_after_reset) return [];
  const account = `${agentType} ${launch.stateDir ?? ''}`;
  const goesOn = turn.limit?.goesOn === true;
  return [{ workerId: record.id, account, stoppedAt: end.at, resetsAt, goesOn }];
}

const allLimited = (context: CrewContext): readonly Limited[] =>
  context.roster.records().flatMap((record) => limitedOf(context, record));

/** Plans now and with every change of a limit; the successor of a killed server plans the same from the same facts. */
export function watchLimits(context: CrewContext): Disposer {
  let cancel: Disposer = () => undefined;
  let isStopped = false;
  let lastResumeAt = 0;
  const plan = () => {
    cancel();
    const next = isStopped ? undefined : nextResume(allLimited(context), lastResumeAt);
    if (next === undefined) return;
    const delayMs = Math.max(0, next.dueAt - context.clock.now());
    cancel = context.clock.after(Math.min(delayMs, longestWaitMs), () => void act());
  };
  const act = async () => {
    const due = nextResume(allLimited(context), lastResumeAt);
    if (due !== undefined && due.dueAt <= context.clock.now()) {
      lastResumeAt = context.clock.now();
      await resume(context, due).catch((error: unknown) =>
        context.logger.write('warn', `worker ${due.workerId} could not be sent on after its limit`, error),
      );
    }
    plan();
  };
  const stops = [
    context.roster.onChange(({ before, after }) => {
      if (before.limit?.resetsAt !== after.limit?.resetsAt || before.limit?.goesOn !== after.limit?.goesOn) plan();
    }),
    // A worker may be stopped before it is noted as live, and come to us from another server.
    context.log.onEvents((events) => {
      if (events.some(({ set }) => set?.phase !== undefined || set?.manager !== undefined)) plan();
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
  const data = { resumes: true };
  await context.log.append([{ type: 'limit', workerId, data, set: { resumedLimit: stoppedAt } }]);
  const record = context.roster.record(workerId);
  await sendMessage(context, record, { text: goOnMessage, delivery: 'queue', asCommand: false });
}
