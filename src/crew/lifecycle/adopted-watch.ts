// Follows the conversations of adopted agents: no hook of ours tells when one begins another.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { argvOf, openFilesOf } from '../../system/process-sight.ts';
import type { CrewContext } from '../workers/roster.ts';
import { repeat } from '../workers/timing.ts';

const lookEveryMs = 2_000;

/** Looks slowly, and only at those that leave no state file either. */
export function watchAdopted(context: CrewContext): Disposer {
  const onTrouble = (error: unknown) => context.logger.write('warn', 'an adopted agent could not be looked at', error);
  return repeat({ clock: context.clock, delayMs: lookEveryMs, onTrouble }, async () => {
    for (const following of context.roster.all()) {
      const record = context.log.records().get(following.workerId);
      if (record?.phase !== 'live' || following.state.is === 'gone') continue;
      const told = await conversationNow(context, record);
      if (told === undefined || told.transcriptPath === following.transcriptPath) continue;
      following.apply({ from: 'pane', kind: 'conversation', at: context.clock.now(), ...told });
    }
  });
}

/** Undefined until the conversation has a transcript: before that there is nothing to go on with. */
async function conversationNow(context: CrewContext, record: WorkerRecord) {
  const { launch } = record;
  if (launch.process === undefined || launch.stateDir !== undefined) return undefined;
  const { pid } = launch.process;
  const [argv, openFiles] = await Promise.all([argvOf(pid).catch(() => []), openFilesOf(pid).catch(() => undefined)]);
  if (openFiles === undefined) return undefined;
  const { agentSessionId, transcriptPath } = context.agentOf(record).readProcess?.({ argv, openFiles }) ?? {};
  if (agentSessionId === undefined || transcriptPath === undefined) return undefined;
  return { agentSessionId, transcriptPath };
}
