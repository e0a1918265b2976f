// Follows the conversations of adopted agents: no hook of ours tells when one begins another.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { argvOf, openFilesOf } from '../../system/process-sight.ts';
import type { House } from '../house.ts';
import { every } from '../watching/every.ts';

const lookEveryMs = 2_000;

/** Looks slowly, and only at those that leave no state file either. */
export function watchAdopted(house: House): Disposer {
  const onTrouble = (error: unknown) => house.logger.write('warn', 'an adopted agent could not be looked at', error);
  return every({ clock: house.clock, delayMs: lookEveryMs, onTrouble }, async () => {
    for (const following of house.roster.all()) {
      const record = house.log.records().get(following.workerId);
      if (record?.phase !== 'live' || following.state.is === 'gone') continue;
      const told = await conversationNow(house, record);
      if (told === undefined || told.transcriptPath === following.transcriptPath) continue;
      following.apply({ from: 'pane', kind: 'conversation', at: house.clock.now(), ...told });
    }
  });
}

/** Undefined until the conversation has a transcript: before that there is nothing to go on with. */
async function conversationNow(house: House, record: WorkerRecord) {
  const { launch } = record;
  if (launch.process === undefined || launch.stateDir !== undefined) return undefined;
  const { pid } = launch.process;
  const [argv, openFiles] = await Promise.all([argvOf(pid).catch(() => []), openFilesOf(pid).catch(() => undefined)]);
  if (openFiles === undefined) return undefined;
  const { agentSessionId, transcriptPath } = house.agentOf(record).readProcess?.({ argv, openFiles }) ?? {};
  if (agentSessionId === undefined || transcriptPath === undefined) return undefined;
  return { agentSessionId, transcriptPath };
}
