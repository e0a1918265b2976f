// Requests that wait for somebody, a file each, and beside it the answer that ends the wait.
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { newNonce } from '../model/ids.ts';
import { type OpenRequest, type RequestAnswer, requestKinds } from '../model/request.ts';
import { readHeld, writeAtomic, writeJson } from '../system/atomic.ts';
import { exists } from '../system/disk.ts';

const requestFile = z.looseObject({
  v: z.literal(1),
  id: z.string(),
  workerId: z.string(),
  launch: z.number(),
  kind: z.enum(requestKinds),
  from: z.enum(['hook', 'worker']),
  at: z.number(),
  tool: z.looseObject({ name: z.string(), input: z.unknown(), cwd: z.string() }).exactOptional(),
  question: z.looseObject({ text: z.string(), options: z.array(z.string()) }).exactOptional(),
  rule: z.string().exactOptional(),
  personOnly: z.literal(true).exactOptional(),
  suggestions: z.array(z.unknown()).exactOptional(),
});

const answerFile = z.looseObject({
  v: z.literal(1),
  at: z.number(),
  by: z.enum(['manager', 'person', 'pane', 'none']),
  decision: z.enum(['allow', 'deny', 'text', 'let-go']),
  message: z.string().exactOptional(),
  remember: z.literal(true).exactOptional(),
  edits: z.literal(true).exactOptional(),
  input: z.unknown().exactOptional(),
  answers: z.record(z.string(), z.string()).exactOptional(),
});

export const requestsDir = (workerDir: string): string => join(workerDir, 'requests');
export const requestPath = (workerDir: string, id: string): string => join(requestsDir(workerDir), `${id}.json`);
export const answerName = (id: string): string => `${id}.answer.json`;
const answerPath = (workerDir: string, id: string): string => join(requestsDir(workerDir), answerName(id));

/** The request is on disk when the promise resolves. */
export async function parkRequest(workerDir: string, request: OpenRequest): Promise<void> {
  await mkdir(requestsDir(workerDir), { recursive: true, mode: 0o700 });
  await writeJson(requestPath(workerDir, request.id), { v: 1, ...request });
}

export const isParked = (workerDir: string, id: string): Promise<boolean> => exists(requestPath(workerDir, id));

/** Undefined when there is none, or none that can be read. */
export const readRequest = (workerDir: string, id: string): Promise<OpenRequest | undefined> =>
  readHeld(requestPath(workerDir, id), requestFile);

export const readAnswer = (workerDir: string, id: string): Promise<RequestAnswer | undefined> =>
  readHeld(answerPath(workerDir, id), answerFile);

/** The first answer counts. Returns it: ours, or the one that was there. */
export async function answerRequest(
  workerDir: string,
  id: string,
  answer: RequestAnswer,
): Promise<{ readonly isOurs: boolean; readonly answer: RequestAnswer }> {
  const path = answerPath(workerDir, id);
  const draft = `${path}.${newNonce()}.tmp`;
  try {
    await writeAtomic(draft, `${JSON.stringify({ v: 1, ...answer })}\n`);
    // Whole from its first moment, and never in the place of another.
    await link(draft, path);
    return { isOurs: true, answer };
  } catch (error) {
    const first = await readAnswer(workerDir, id);
    if (first === undefined) throw error;
    return { isOurs: false, answer: first };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Requests without an answer, oldest first. */
export async function openRequests(workerDir: string): Promise<readonly OpenRequest[]> {
  const names = new Set(await readdir(requestsDir(workerDir)).catch(() => []));
  const ids = [...names].flatMap((name) => /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
  const open = ids.filter((id) => !names.has(answerName(id)));
  const requests = await Promise.all(open.map((id) => readRequest(workerDir, id)));
  return requests.filter((request) => request !== undefined).sort((a, b) => a.at - b.at);
}
