// Which rules of ours a launch began with, and which stand in a file of the worktree.
import { join } from 'node:path';
import { z } from 'zod';
import { noRules, type Rules } from '../model/rule.ts';
import { readHeld, writeJson } from '../system/atomic.ts';

const texts = z.array(z.string());
const file = z.looseObject({ v: z.literal(1), allow: texts, ask: texts, deny: texts });

const pathIn = (dir: string): string => join(dir, 'given-rules.json');

/** None where nothing was noted. */
export async function givenRules(dir: string): Promise<Rules> {
  const held = await readHeld(pathIn(dir), file);
  return held === undefined ? noRules : { allow: held.allow, ask: held.ask, deny: held.deny };
}

export const noteGiven = (dir: string, rules: Rules): Promise<void> => writeJson(pathIn(dir), { v: 1, ...rules });
