// Waiting that an interrupt ends.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../system/clock.ts';
import type { Stage } from './stage.ts';

/** The person, or the end of the program, broke the turn off. */
export class Interrupted extends Error {}

/** Throws `Interrupted` when `signal` aborts meanwhile. */
export async function rest(delayMs: number, signal: AbortSignal): Promise<void> {
  await pause(delayMs, signal);
  if (signal.aborted) throw new Interrupted();
}

const longestTimerMs = 2_147_483_647;
export const restForEver = (signal: AbortSignal): Promise<void> => rest(longestTimerMs, signal);

const lookEveryMs = 20;

/** Until somebody makes the file. */
export async function untilFile(path: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(path)) await rest(lookEveryMs, signal);
}

/** Where `HOLD name` looks. */
export const holdPath = ({ env, configDir }: Stage, name: string): string =>
  join(env.CREWMUX_SCRIPTED_HOLD_DIR ?? join(configDir, 'scripted'), name);
