// Whether bubblewrap works here, found out by running it once.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { run } from '../../system/exec.ts';
import { type Env, lastLines } from '../git/repo.ts';
import { walls } from './sandbox-line.ts';

/** The path of a bubblewrap that works, or why there is none. */
export type Bubblewrap = { readonly program: string } | { readonly missing: string };

const ceilingMs = 10_000;
const answers = new Map<string, Promise<Bubblewrap>>();

/** Runs each bubblewrap once, as long as the process lives. */
export async function findBubblewrap(env: Env): Promise<Bubblewrap> {
  const program = await bubblewrapOnPath(env);
  if (program === undefined) return { missing: 'bwrap is not on the PATH' };
  const answer = answers.get(program) ?? probe(program, env);
  answers.set(program, answer);
  return answer;
}

async function probe(program: string, env: Env): Promise<Bubblewrap> {
  const result = await run(program, [...walls, '--', '/bin/sh', '-c', ':'], { env, timeoutMs: ceilingMs });
  if (result.exitCode === 0) return { program };
  // A machine that was busy once may be free the next time.
  if (result.timedOut) answers.delete(program);
  const why = result.timedOut ? `no answer within ${ceilingMs} ms` : lastLines(result.stderr) || result.startError;
  return { missing: `${program} does not work here: ${why ?? `exit ${result.exitCode}`}` };
}

/** Only absolute folders count: what lies in the work folder may be a worker's. */
export async function bubblewrapOnPath(env: Env): Promise<string | undefined> {
  for (const folder of (env.PATH ?? '').split(':').filter(isAbsolute)) {
    const path = join(folder, 'bwrap');
    if (await isProgram(path)) return path;
  }
  return undefined;
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
