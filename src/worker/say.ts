// Puts a word into the worker's outbox.
import { newNonce } from '../model/ids.ts';
import { appendToOutbox, type OutboxEntry } from '../store/outbox.ts';
import type { Taken } from '../wire/desk.ts';
import { dirOf, type Me } from './me.ts';

type Without<Entry> = Entry extends OutboxEntry ? Omit<Entry, 'v' | 'id' | 'at' | 'launch'> : never;
export type Said = Without<OutboxEntry>;

export async function say(me: Me, said: Said, id = newNonce()): Promise<Taken> {
  await appendToOutbox(dirOf(me, me.workerId), { v: 1, id, at: me.clock.now(), launch: me.launch, ...said });
  return { taken: true, id };
}
