// Whether a server is at work, for the words that read: without one nothing goes on.
import { wallTime } from '../model/clock.ts';
import { stateHome } from '../settings/paths.ts';
import { isAnyKept } from '../store/keeper.ts';
import { serversEndedAt } from '../store/orders.ts';
import { readLog } from '../store/read-log.ts';
import { age } from './paint.ts';
import type { CommandWorld } from './world.ts';

type Here = Pick<CommandWorld, 'env' | 'userHome'>;

/** Since when none is, epoch ms, by the last trace of crewmux; undefined while one lives or keeps, and where none ever was. */
export async function absentSince(world: Here): Promise<number | undefined> {
  const home = stateHome(world);
  const endedAt = await serversEndedAt(home);
  if (endedAt === undefined || (await isAnyKept(home))) return undefined;
  return Math.max(endedAt, (await readLog(home)).recent.at(-1)?.at ?? 0);
}

/** Pure. */
export const absenceWords = (since: number, now: number): string =>
  `No crewmux is at work since ${wallTime(since)} (${age(now - since)}): plans wait until a client starts one, or \`crewmux keep\` runs.`;

/** The same as a line of its own below what is shown; nothing while one is at work. */
export const absenceLine = (since: number | undefined, now: number): string =>
  since === undefined ? '' : `\n${absenceWords(since, now)}\n`;

/** For a program. */
export const absenceField = (since: number | undefined): { readonly no_server_since?: string } =>
  since === undefined ? {} : { no_server_since: new Date(since).toISOString() };
