// The last prompt that crewmux gave a worker: what it begins anew with when its conversation is gone.
import { join } from 'node:path';
import { z } from 'zod';
import { readHeld, writeJson } from '../system/atomic.ts';

const file = z.object({ v: z.literal(1), text: z.string() });
const pathIn = (workerDir: string): string => join(workerDir, 'prompt.json');

/** Of a worker, readable by the user alone. */
export const keepLastPrompt = (workerDir: string, text: string): Promise<void> =>
  writeJson(pathIn(workerDir), { v: 1, text });

/** Undefined where none was kept, or it cannot be read. */
export const readLastPrompt = async (workerDir: string): Promise<string | undefined> =>
  (await readHeld(pathIn(workerDir), file).catch(() => undefined))?.text;
