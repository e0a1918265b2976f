// Notes each send: one line before it is typed, one after, so that the successor of a killed server knows of it.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../../jsonl/append.ts';
import { bytesOf, rewriteLines } from '../../jsonl/rewrite.ts';
import { readWhole } from '../../jsonl/slice.ts';
import { parseJson } from '../../model/json.ts';
import { readHeld, writeJson } from '../../system/atomic.ts';
import type { CrewContext } from '../workers/crew-context.ts';

/** Never the text itself: its digest is enough to recognise it in a transcript. */
const beginLine = z.object({
  v: z.literal(1),
  id: z.string(),
  at: z.number(),
  launch: z.number(),
  digest: z.string(),
  chars: z.number(),
});
const settleLine = z.object({ v: z.literal(1), id: z.string(), at: z.number(), verdict: z.string() });

/** The verdict of a send that waits in the agent's own queue for its turn. */
export const handedVerdict = 'handed';

export type BegunSend = z.output<typeof beginLine>;

/** Where the sends of a worker are noted. */
export const sendsPath = async ({ home }: Pick<CrewContext, 'home'>, workerId: string): Promise<string> =>
  join(await home.workerDir(workerId), 'sends.jsonl');

/** Held while anything is typed into a worker, by whichever server. */
export const sendLock = ({ home }: Pick<CrewContext, 'home'>, workerId: string): string =>
  home.lockPath(`send-${workerId}`);

export const noteBegun = (path: string, send: Omit<BegunSend, 'v'>): Promise<void> =>
  appendLine(path, JSON.stringify({ v: 1, ...send }), { fsync: true });

export const noteSettled = (path: string, settled: { id: string; at: number; verdict: string }): Promise<void> =>
  appendLine(path, JSON.stringify({ v: 1, ...settled }));

/** The text that is being typed: a beginning of it is known in the prompt box by nothing less. Gone once it is settled. */
const typingFile = z.object({ v: z.literal(1), id: z.string(), text: z.string(), asCommand: z.boolean() });

export type TypingText = Omit<z.output<typeof typingFile>, 'v'>;

const typingPath = async ({ home }: Pick<CrewContext, 'home'>, workerId: string): Promise<string> =>
  join(await home.workerDir(workerId), 'typing.json');

/** On disk when it resolves. There is one at a time: who types holds the lock. */
export const noteTyping = async (context: Pick<CrewContext, 'home'>, workerId: string, typing: TypingText) =>
  writeJson(await typingPath(context, workerId), { v: 1, ...typing });

export const readTyping = async (context: Pick<CrewContext, 'home'>, workerId: string) =>
  readHeld(await typingPath(context, workerId), typingFile);

export const forgetTyping = async (context: Pick<CrewContext, 'home'>, workerId: string) =>
  rm(await typingPath(context, workerId), { force: true });

type NotedSend = BegunSend & { readonly verdict?: string };

/** In their order, with the last verdict noted of each; lines that cannot be read are passed over. */
function readSends(lines: readonly string[]): readonly NotedSend[] {
  const sends = new Map<string, NotedSend>();
  for (const line of lines) {
    const value = parseJson(line);
    const begun = beginLine.safeParse(value).data;
    const settled = settleLine.safeParse(value).data;
    if (begun !== undefined) sends.set(begun.id, begun);
    if (begun !== undefined || settled === undefined) continue;
    const known = sends.get(settled.id);
    if (known !== undefined) sends.set(known.id, { ...known, verdict: settled.verdict });
  }
  return [...sends.values()];
}

const mostBytes = 64 * 1024;
const newest = 100;

/** Forgets sends that nobody asks about any more, once the journal is long. For whoever holds the send lock. */
export async function trimSends(path: string): Promise<void> {
  if ((await bytesOf(path)) > mostBytes) await rewriteLines(path, shorterSends);
}

/** The newest, and those whose end is not known; undefined where a line is none that this version reads. Pure. */
export function shorterSends(lines: readonly string[]): readonly string[] | undefined {
  const sends = readSends(lines);
  const isOpen = ({ verdict }: NotedSend) => verdict === undefined || verdict === handedVerdict;
  const kept = new Set([...sends.filter(isOpen), ...sends.slice(-newest)].map(({ id }) => id));
  const ids = lines.map((line) => {
    const value = parseJson(line);
    return (beginLine.safeParse(value).data ?? settleLine.safeParse(value).data)?.id;
  });
  if (ids.includes(undefined)) return undefined;
  return lines.filter((_, at) => kept.has(ids[at] ?? ''));
}

/** Sends that a server began and did not end. Pure. */
export const unsettled = (lines: readonly string[]): readonly BegunSend[] =>
  readSends(lines).filter(({ verdict }) => verdict === undefined);

/** Sends whose last known place is the agent's own queue. Pure. */
export const handedOver = (lines: readonly string[]): readonly BegunSend[] =>
  readSends(lines).filter(({ verdict }) => verdict === handedVerdict);

/** The verdict of the last send of this text since a time; undefined when none of it was typed. Pure. */
export function typedAs(
  lines: readonly string[],
  text: { readonly digest: string; readonly at: number },
): string | undefined {
  return verdictOf(readSends(lines).findLast(({ digest, at }) => digest === text.digest && at >= text.at));
}

function verdictOf(send: NotedSend | undefined): string | undefined {
  if (send === undefined) return undefined;
  const { verdict = 'unconfirmed' } = send;
  return verdict === 'held' || verdict === 'failed' ? undefined : verdict;
}

/** The verdict of the send of this id; undefined when none of it was typed. Pure. */
export function typedAmong(lines: readonly string[], id: string): string | undefined {
  const verdict = verdictOf(readSends(lines).find((send) => send.id === id));
  return verdict === handedVerdict ? 'queued' : verdict;
}

export const typedUnder = async (path: string, id: string) => typedAmong(await readWhole(path), id);

export const wasTyped = async (path: string, text: { readonly digest: string; readonly at: number }) =>
  typedAs(await readWhole(path), text);
