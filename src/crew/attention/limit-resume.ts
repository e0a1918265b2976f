// Sends workers on when their usage limit is over, once for each limit, where the settings say so.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { House } from '../house.ts';
import { sendMessage } from '../sending/deliver.ts';
import { goOnMessage } from './limit-remedy.ts';
import { type Limited, nextResume, type Resume } from './limit-when.ts';

/** A sleeping machine does not count time, and a timer has its bounds. */
const longestWaitMs = 3_600_000;

/** What the worker waits for, unless this limit was seen to already. */
function limitedOf(house: House, record: WorkerRecord): readonly Limited[] {
  if (record.phase !== 'live' || !house.roster.isMine(record) || house.roster.closing.has(record.id)) return [];
  const turn = house.roster.turn(record.id);
  const end = turn?.facts.witness.end;
  const resetsAt = turn?.limit?.resetsAt;
  if (turn?.waitingFor !== 'limit' || end === undefined || resetsAt === undefined) return [];
  const { agentType, resumedLimit, launch } = record;
  if (resumedLimit !== undefined && resumedLimit >= end.at) return [];
  if (!house.settingsFor(record.mainRepoPath ?? record.projectPath).settings.limits.resume_after_reset) return [];
  const account = `${agentType} ${launch.stateDir ?? ''}`;
  const goesOn = turn.limit?.goesOn === true;
  return [{ workerId: record.id, account, stoppedAt: end.at, resetsAt, goesOn }];
}

const allLimited = (house: House): readonly Limited[] =>
  house.roster.records().flatMap((record) => limitedOf(house, record));

/** Plans now and with every change of a limit; what a server had planned that was killed follows from the same facts. */
export function watchLimits(house: House): Disposer {
  let cancel: Disposer = () => undefined;
  let isStopped = false;
  let lastResumeAt = 0;
  const plan = () => {
    cancel();
    const next = isStopped ? undefined : nextResume(allLimited(house), lastResumeAt);
    if (next === undefined) return;
    const delayMs = Math.max(0, next.dueAt - house.clock.now());
    cancel = house.clock.after(Math.min(delayMs, longestWaitMs), () => void act());
  };
  const act = async () => {
    const due = nextResume(allLimited(house), lastResumeAt);
    if (due !== undefined && due.dueAt <= house.clock.now()) {
      lastResumeAt = house.clock.now();
      await resume(house, due).catch((error: unknown) =>
        house.logger.write('warn', `worker ${due.workerId} could not be sent on after its limit`, error),
      );
    }
    plan();
  };
  const stops = [
    house.roster.onChange(({ before, after }) => {
      if (before.limit?.resetsAt !== after.limit?.resetsAt || before.limit?.goesOn !== after.limit?.goesOn) plan();
    }),
    // A worker may be stopped before it is noted as live, and come to us from another server.
    house.log.onEvents((events) => {
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
async function resume(house: House, { workerId, stoppedAt }: Resume): Promise<void> {
  const data = { resumes: true };
  await house.log.append([{ type: 'limit', workerId, data, set: { resumedLimit: stoppedAt } }]);
  const record = house.roster.record(workerId);
  await sendMessage(house, record, { text: goOnMessage, delivery: 'queue', asCommand: false });
}
