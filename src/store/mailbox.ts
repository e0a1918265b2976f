// What is to be typed into a worker when it may be: who has something for it appends, its managing server delivers.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { appendLine } from '../jsonl/append.ts';
import { readWhole } from '../jsonl/slice.ts';
import { parseJson } from '../model/json.ts';

export const mailboxPath = (workerDir: string): string => join(workerDir, 'mailbox.jsonl');

const posted = { v: z.literal(1), id: z.string(), at: z.number() };
const mail = z.discriminatedUnion('kind', [
  z.object({
    ...posted,
    kind: z.enum(['note', 'finding']),
    from: z.object({ id: z.string(), name: z.string() }),
    message: z.string(),
    file: z.string().exactOptional(),
    severity: z.string().exactOptional(),
  }),
  /** A message of a manager that could not be typed at once. */
  z.object({
    ...posted,
    kind: z.literal('message'),
    text: z.string(),
    delivery: z.enum(['queue', 'steer']),
    asCommand: z.boolean(),
  }),
  /** The answer to a request of that id, if its asker no longer waits for it. */
  z.object({ ...posted, kind: z.literal('answer') }),
]);
export type Mail = z.output<typeof mail>;
export type KeptMail = Extract<Mail, { readonly kind: 'message' }>;

/** Written before the text is typed: its digest tells a successor whether it was. */
const begun = z.object({ v: z.literal(1), begun: z.array(z.string()), digest: z.string(), at: z.number() });
const settled = z.object({ v: z.literal(1), settled: z.array(z.string()), verdict: z.string(), at: z.number() });

/** Resolves when it is on disk. The folder of a worker that is known exists. */
export async function postMail(workerDir: string, posting: Mail): Promise<void> {
  await mkdir(workerDir, { recursive: true, mode: 0o700 });
  await appendLine(mailboxPath(workerDir), JSON.stringify(posting), { fsync: true });
}

export const noteBegunMail = (workerDir: string, ids: readonly string[], at: { digest: string; at: number }) =>
  appendLine(mailboxPath(workerDir), JSON.stringify({ v: 1, begun: ids, ...at }), { fsync: true });

export const settleMail = (workerDir: string, ids: readonly string[], end: { verdict: string; at: number }) =>
  appendLine(mailboxPath(workerDir), JSON.stringify({ v: 1, settled: ids, ...end }), { fsync: true });

export interface Pending {
  readonly mail: Mail;
  /** Of the text it was last begun to be typed in, and when. */
  readonly begun?: { readonly digest: string; readonly at: number };
}

/** A mailbox as far as it was read. */
export interface Box {
  /** Still to be delivered, by id, oldest first. */
  readonly pending: ReadonlyMap<string, Pending>;
  /** The verdict on each that needs nothing more, by id. */
  readonly done: ReadonlyMap<string, string>;
}

export const emptyBox: Box = { pending: new Map(), done: new Map() };

/** The same id counts once; a line that cannot be read does not. Pure. */
export function readBox(lines: readonly string[], before: Box = emptyBox): Box {
  const pending = new Map(before.pending);
  const done = new Map(before.done);
  for (const line of lines) {
    const value = parseJson(line);
    const start = begun.safeParse(value).data;
    const end = settled.safeParse(value).data;
    const posted = mail.safeParse(value).data;
    for (const known of start?.begun.flatMap((id) => pending.get(id) ?? []) ?? []) {
      pending.set(known.mail.id, { ...known, begun: { digest: start?.digest ?? '', at: start?.at ?? 0 } });
    }
    for (const id of end?.settled ?? []) {
      pending.delete(id);
      done.set(id, end?.verdict ?? '');
    }
    if (posted !== undefined && !pending.has(posted.id) && !done.has(posted.id))
      pending.set(posted.id, { mail: posted });
  }
  return { pending, done };
}

/** Messages of managers, oldest first. Pure. */
export const keptIn = ({ pending }: Box): readonly KeptMail[] =>
  [...pending.values()].flatMap((one) => (one.mail.kind === 'message' ? [one.mail] : []));

export const readMailbox = async (workerDir: string): Promise<Box> => readBox(await readWhole(mailboxPath(workerDir)));
