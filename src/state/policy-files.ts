// Writes a worker's rules where its hook reads them.
import { rm, writeFile } from 'node:fs/promises';
import { writeJson } from './atomic.ts';
import { type PolicyFile, policyPath, strictPath } from './policy.ts';

/** Both files are whole at any moment; a worker becomes strict before, and lax after, its rules say so. */
export async function writePolicy(workerDir: string, file: Omit<PolicyFile, 'v'>, isStrict: boolean): Promise<void> {
  if (isStrict) await writeFile(strictPath(workerDir), '', { mode: 0o600 });
  await writeJson(policyPath(workerDir), { v: 1, ...file });
  if (!isStrict) await rm(strictPath(workerDir), { force: true });
}
