// How a worker proves its identity: a token in its launch folder, and the token's digest in the worker's folder.
import { createHash, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { isWorkerId, newToken } from '../model/ids.ts';
import { readHeld, writeJson } from '../system/atomic.ts';

/** Names the file of the token to the worker's own tools; the token itself would be in the list of processes. */
export const tokenVariable = 'CREWMUX_WORKER_TOKEN_FILE';

/** Beside the token: the agent has the worker's tools. */
export const connectedPathOf = (tokenPath: string): string => `${tokenPath}.connected`;

/** How much a worker may put before others. */
export interface WorkerLimits {
  /** Calls that say or ask something, in any minute. */
  readonly callsPerMinute: number;
  /** Characters of a note to another worker. */
  readonly noteChars: number;
  /** Notes that one worker may have waiting for it. */
  readonly waitingNotes: number;
  /** Questions to the manager that nobody has answered yet. */
  readonly openQuestions: number;
  /** Tasks it has entered that are still queued. */
  readonly openSubtasks: number;
  /** How far a task of a task of a task may go. */
  readonly subtaskDepth: number;
  /** Tasks it has entered begin by themselves. */
  readonly startSubtasks: boolean;
}

const limits = z.object({
  callsPerMinute: z.number(),
  noteChars: z.number(),
  waitingNotes: z.number(),
  openQuestions: z.number(),
  openSubtasks: z.number(),
  subtaskDepth: z.number(),
  // Workers of before this limit still hold their token.
  startSubtasks: z.boolean().default(false),
});
const plans = z.literal(true).exactOptional();
const bearer = { v: z.literal(1), workerId: z.string(), launch: z.number(), plans };
const tokenFile = z.object({ ...bearer, token: z.string(), limits });
const proof = z.object({ v: z.literal(1), launch: z.number(), digest: z.string() });

export interface Bearer {
  readonly workerId: string;
  readonly launch: number;
  readonly limits: WorkerLimits;
  /** It hands in the jobs of a plan. */
  readonly plans?: true;
}

export interface TokenPlaces {
  readonly workerDir: string;
  readonly launchDir: string;
}

/** Writes the token of one launch and returns its path; tokens of earlier launches are refused from then on. */
export async function issueToken(
  { workerId, launch, limits: held, plans: makesPlan }: Bearer,
  places: TokenPlaces,
): Promise<string> {
  const token = newToken();
  const path = join(places.launchDir, 'badge.json');
  await writeJson(path, { v: 1, workerId, launch, token, limits: held, ...defined({ plans: makesPlan }) });
  await writeJson(proofPath(places.workerDir), { v: 1, launch, digest: digestOf(token) });
  return path;
}

/** Whether it is that of a planner. It proves nothing: only which tools are shown. */
export const isPlanners = async (path: string | undefined): Promise<boolean> =>
  path !== undefined && (await readHeld(path, tokenFile).catch(() => undefined))?.plans === true;

/** The worker that holds the token; throws `not_a_worker` unless it is that worker's newest one. */
export async function checkToken(path: string | undefined, home: string): Promise<Bearer> {
  if (path === undefined || path === '') {
    throw refused(`${tokenVariable} is not set`, 'These tools are for agents that crewmux has started.');
  }
  const shown = await readHeld(path, tokenFile);
  if (shown === undefined || !isWorkerId(shown.workerId)) throw refused(`${path} holds no token of a worker`);
  const { workerId, launch, token, limits: held } = shown;
  const known = await readHeld(proofPath(join(home, 'workers', workerId)), proof);
  if (known === undefined) throw refused(`no worker ${workerId} is known in ${home}`);
  if (isSame(known.digest, digestOf(token))) return { workerId, launch, limits: held };
  throw refused(
    launch < known.launch
      ? `the token is of launch ${launch} of worker ${workerId}, which was started again since`
      : `the token is not that of worker ${workerId}`,
  );
}

const proofPath = (workerDir: string): string => join(workerDir, 'badge.json');
const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const refused = (what: string, hint = 'Nothing was said or done. Go on without these tools, and say so at the end.') =>
  new CrewError('not_a_worker', `Refused: ${what}.`, hint);
