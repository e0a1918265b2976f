// Sends workers on when their usage limit is over, once for each limit, where the settings say so.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { sendMessage } from '../messages/deliver.ts';
import type { CrewContext } from '../workers/roster.ts';
import { goOnMessage } from './limit-remedy.ts';
import { type Limited, nextResume, type Resume } from './limit-when.ts';

/** A sleeping machine does not count time, and a timer has its bounds. */
const longestWaitMs = 3_600_000;

/** What the worker waits for, unless this limit was seen to already. */
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

/** Plans now and with every change of a limit; what a server had planned that was killed follows from the same facts. */
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
