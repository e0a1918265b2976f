// Rules that hold until a launch ends, in a file of its folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsIn, listOf } from '../model/fields.ts';
import type { PolicyLayer } from '../model/permission.ts';
import { writeJson } from './atomic.ts';

const pathOf = (launchDir: string): string => join(launchDir, 'rules.json');
const texts = (value: unknown): readonly string[] => listOf(value).filter((one) => typeof one === 'string');

/** Empty where there is none that can be read. By hand, as a hook reads it on each request. */
export function readLaunchRules(launchDir: string): readonly PolicyLayer[] {
  const text = textOf(pathOf(launchDir));
  if (text === undefined) return [];
  const { allow, deny } = fieldsIn(text);
  return [{ scope: 'this launch', allow: texts(allow), confirm: [], deny: texts(deny) }];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Not for two writers at once. */
export async function addLaunchRule(launchDir: string, list: 'allow' | 'deny', rule: string): Promise<void> {
  const [{ allow, deny } = { allow: [], deny: [] }] = readLaunchRules(launchDir);
  const rules = { allow, deny };
  await writeJson(pathOf(launchDir), { v: 1, ...rules, [list]: [...new Set([...rules[list], rule])] });
}
