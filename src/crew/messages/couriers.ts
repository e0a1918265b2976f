// Brings each worker of ours what lies in its mailbox, when it may be typed, and once.

import { oneAtATime } from '../../jsonl/one-at-a-time.ts';
import { followFile, type Tail } from '../../jsonl/tail.ts';
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type Box, emptyBox, mailboxPath, readBox } from '../../store/mailbox.ts';
import { type CrewContext, forOwnWorkers } from '../workers/roster.ts';
import { deliverMail } from './deliver-mail.ts';

export const runCouriers = (context: CrewContext) => forOwnWorkers(context, runCourier);

/** A person may have half a line in the box for a while; nothing tells when it is gone. */
const firstRetryMs = 2_000;
const longestRetryMs = 60_000;

function runCourier(context: CrewContext, record: WorkerRecord) {
  let box: Box = emptyBox;
  let tail: Tail | undefined;
  let closed = false;
  let retryMs = firstRetryMs;
  let stopRetry: Disposer | undefined;
  const visit = oneAtATime(async () => {
    stopRetry?.();
    if (closed || box.pending.size === 0) return;
    const isHeld = await deliverMail(context, record.id, [...box.pending.values()]);
    await tail?.drain();
    if (isHeld && !closed) stopRetry = context.clock.after(retryMs, call);
    retryMs = isHeld ? Math.min(retryMs * 2, longestRetryMs) : firstRetryMs;
  });
  const call = () => {
    visit().catch((error: unknown) =>
      context.logger.write('warn', `the mail of ${record.id} could not be delivered`, error),
    );
  };
  const stopChanges = context.roster.onChange(({ workerId, signal, before, after }) => {
    if (workerId !== record.id || box.pending.size === 0) return;
    const isAnswered = signal.from === 'worker' && signal.kind === 'asked';
    if (isAnswered || before.is !== after.is) call();
  });
  const opened = context.home.workerDir(record.id).then((dir) => {
    tail = followFile(mailboxPath(dir), {
      clock: context.clock,
      onTrouble: (error) => context.logger.write('warn', `the mailbox of ${record.id} could not be read`, error),
      onLines(lines) {
        const known = box.pending.size;
        box = readBox(lines, box);
        if (box.pending.size > known) call();
      },
    });
  });
  return {
    settled: () => opened,
    async close() {
      closed = true;
      stopChanges();
      stopRetry?.();
      await opened;
      await tail?.close();
    },
  };
}
