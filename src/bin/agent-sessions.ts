// Every session of the agents of this user, by their own files; the log tells which of them are workers of ours.
import { claudeSessions } from '../agents/claude/sessions.ts';
import { codexSessions } from '../agents/codex/sessions.ts';
import type { Examiner } from '../crew/api.ts';
import { readLedger } from '../crew/workers/spending.ts';
import { definedOf } from '../model/defined.ts';
import { askSessions } from '../sessions/ask.ts';
import { TranscriptIndex } from '../sessions/transcripts.ts';
import { UsageIndex } from '../sessions/usage-index.ts';
import { loadSettings } from '../settings/settings.ts';
import { readLog } from '../store/read-log.ts';
import { systemClock } from '../system/clock.ts';

interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly project: string;
  readonly home: string;
}

/** Kept for as long as this process lives: a look reads only what is new. */
const indexes = { index: new TranscriptIndex(), usage: new UsageIndex(systemClock) };

/** Needs no crew. Goes on to read what was used, until `endReading`. */
export async function agentSessions(
  { userHome, project: projectPath, home, ...place }: Place,
  { here, ...query }: Parameters<Examiner['agentSessions']>[0],
) {
  const { records } = await readLog(home);
  const env = { ...definedOf(place.env), HOME: userHome };
  return askSessions(query, {
    ...indexes,
    agents: [claudeSessions, codexSessions],
    env,
    prices: loadSettings({ env, userHome, projectPath }).settings.prices,
    now: systemClock.now(),
    here: here ?? projectPath,
    workers: [...records.values()].map(({ id, name, launch }) => {
      return { id, name, ...launch, ledger: () => readLedger(launch) };
    }),
  });
}

export const endReading = (): void => indexes.usage.stop();
