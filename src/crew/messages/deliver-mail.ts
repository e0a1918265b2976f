// Brings a worker what waits for it: answers as soon as they may be typed, the notes of others together between turns.
import { attributedNotes } from '../../model/attributed-note.ts';
import type { Pending } from '../../store/mailbox.ts';
import type { CrewContext } from '../workers/roster.ts';
import { deliverAnswers } from './deliver-answers.ts';
import { sendsPath, wasTyped } from './sends.ts';
import { settle, typeMail } from './type-mail.ts';

/** As much of several notes as goes into one message. */
const longestMessage = 12_000;

/** Resolves with whether something was in the way, so that it is worth another try. */
export async function deliverMail(
  context: CrewContext,
  workerId: string,
  pending: readonly Pending[],
): Promise<boolean> {
  const fresh = await settleTyped(context, workerId, pending);
  const answers = fresh.filter(({ mail }) => mail.kind === 'answer');
  const isHeld = await deliverAnswers(context, workerId, answers);
  const notes = fresh.flatMap(({ mail }) => (mail.kind === 'answer' ? [] : [mail]));
  if (notes.length === 0 || context.roster.turn(workerId)?.is !== 'idle') return isHeld;
  const batch = together(notes);
  const ids = batch.map(({ id }) => id);
  const from = [...new Set(batch.map((note) => note.from.name))];
  return (await typeMail(context, workerId, { ids, text: attributedNotes(batch), about: { from } })) || isHeld;
}

/** The oldest that fit; always one. Pure. */
export function together<T extends { readonly message: string }>(notes: readonly T[]): readonly T[] {
  let chars = 0;
  return notes.filter(({ message }, index) => {
    chars += message.length;
    return index === 0 || chars <= longestMessage;
  });
}

/** What a killed server had begun to type is never typed again; what it had not is as fresh as ever. */
async function settleTyped(
  context: CrewContext,
  workerId: string,
  pending: readonly Pending[],
): Promise<readonly Pending[]> {
  const path = await sendsPath(context, workerId);
  const fresh: Pending[] = [];
  for (const one of pending) {
    const verdict = one.begun === undefined ? undefined : await wasTyped(path, one.begun);
    if (verdict === undefined) fresh.push(one);
    else await settle(context, workerId, { ids: [one.mail.id], verdict });
  }
  return fresh;
}
