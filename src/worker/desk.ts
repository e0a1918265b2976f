// A worker's end of the crew: what it says goes into files that the managing server follows.
import { join } from 'node:path';
import type { Clock } from '../model/clock.ts';
import { newNonce } from '../model/ids.ts';
import { type Bearer, checkBadge } from '../state/badge.ts';
import { appendToOutbox, type OutboxEntry } from '../state/outbox.ts';
import type { Desk, Taken } from './api.ts';

export interface DeskOptions {
  readonly home: string;
  /** Where the badge lies, as far as anybody said. */
  readonly badgePath: string | undefined;
  readonly clock: Clock;
}

type Said = OutboxEntry extends infer Entry
  ? Entry extends OutboxEntry
    ? Omit<Entry, 'v' | 'id' | 'at' | 'launch'>
    : never
  : never;

export function openDesk({ home, badgePath, clock }: DeskOptions): Desk {
  const me = () => checkBadge(badgePath, home);
  const say = async ({ workerId, launch }: Bearer, said: Said): Promise<Taken> => {
    const id = newNonce();
    await appendToOutbox(join(home, 'workers', workerId), { v: 1, id, at: clock.now(), launch, ...said });
    return { taken: true, id };
  };
  return {
    progress: async (progress) => say(await me(), { kind: 'progress', progress }),
    report: async (report) =>
      say(await me(), { kind: 'report', report: { ...report, files_changed: [...report.files_changed] } }),
    dispose: async () => undefined,
  };
}
