// The memory of what was typed: one line before, one after, so that a killed server's successor can tell the truth.

import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../../jsonl/append.ts';
import { readWhole } from '../../jsonl/slice.ts';
import { parseJson } from '../../model/json.ts';
import type { CrewContext } from '../workers/roster.ts';

/** Never the text itself: its digest is enough to recognise it. */
const beginLine = z.object({
  v: z.literal(1),
  id: z.string(),
  at: z.number(),
  launch: z.number(),
  digest: z.string(),
  chars: z.number(),
});
const settleLine = z.object({ v: z.literal(1), id: z.string(), at: z.number(), verdict: z.string() });

/** Stands for a send until its turn has shown itself. */
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

/** Sends that were begun and of which no end was noted. Pure; lines it cannot read are passed over. */
export function unsettled(lines: readonly string[]): readonly BegunSend[] {
  const begun = new Map<string, BegunSend>();
  for (const line of lines) {
    const value = parseJson(line);
    const settle = settleLine.safeParse(value);
    const begin = beginLine.safeParse(value);
    if (begin.success) begun.set(begin.data.id, begin.data);
    else if (settle.success) begun.delete(settle.data.id);
  }
  return [...begun.values()];
}

/** Sends that lay in the agent's own queue when last heard of. Pure. */
export function handedOver(lines: readonly string[]): readonly BegunSend[] {
  const begun = new Map<string, BegunSend>();
  const handed = new Map<string, BegunSend>();
  for (const line of lines) {
    const value = parseJson(line);
    const begin = beginLine.safeParse(value);
    if (begin.success) begun.set(begin.data.id, begin.data);
    const settle = settleLine.safeParse(value);
    if (!settle.success || begin.success) continue;
    const send = begun.get(settle.data.id);
    if (settle.data.verdict === handedVerdict && send !== undefined) handed.set(send.id, send);
    else handed.delete(settle.data.id);
  }
  return [...handed.values()];
}

/** What became of the last send of this text since a time; undefined when none of it was typed. Pure. */
export function typedAs(lines: readonly string[], text: { readonly digest: string; readonly at: number }) {
  let last: { readonly id: string; verdict: string } | undefined;
  for (const line of lines) {
    const value = parseJson(line);
    const begin = beginLine.safeParse(value).data;
    const settle = settleLine.safeParse(value).data;
    if (begin !== undefined && begin.digest === text.digest && begin.at >= text.at) {
      last = { id: begin.id, verdict: 'unconfirmed' };
    } else if (settle !== undefined && settle.id === last?.id) last = { id: settle.id, verdict: settle.verdict };
  }
  return last === undefined || last.verdict === 'held' || last.verdict === 'failed' ? undefined : last.verdict;
}

export const wasTyped = async (path: string, text: { readonly digest: string; readonly at: number }) =>
  typedAs(await readWhole(path), text);
