// Ends what a killed agent has left of its sandbox, with the commands in it. What a worker left running on purpose stays.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { endMarkedKind } from '../../system/marked.ts';
import type { CrewContext } from '../workers/crew-context.ts';

const graceMs = 1_000;

/** Of a worker whose agent has ended. A system that shows no environment of a process leaves them. */
export async function endLeftSandbox(context: CrewContext, record: WorkerRecord): Promise<void> {
  const { isOfSandbox } = context.agents.of(record);
  if (isOfSandbox === undefined) return;
  const mark = { name: 'CREWMUX_WORKER', value: record.id };
  const count = await endMarkedKind(mark, isOfSandbox, { graceMs });
  if (count > 0) context.logger.write('info', `ended ${count} of the sandbox that ${record.id} left`);
}

/** As soon as an agent is gone: a command that goes on would still write into its worktree. */
export function watchLeftSandboxes(context: CrewContext): Disposer {
  const onTrouble = (error: unknown) => context.logger.write('warn', 'a sandbox left behind could not be ended', error);
  return context.roster.onChange(({ workerId, before, after }) => {
    const record = context.log.records().get(workerId);
    if (record === undefined || after.is !== 'gone' || before.is === 'gone' || !context.roster.isMine(record)) return;
    void endLeftSandbox(context, record).catch(onTrouble);
  });
}
