// What has become of a message that was sent under the same id before, by this server or by one that was killed.
import { type Box, readMailbox } from '../../store/mailbox.ts';
import type { MessageOutcome } from '../../wire/messages.ts';
import { sendsPath, typedUnder } from './send-journal.ts';
import { failed, keptAlready, type Sending, typedAlready, unconfirmed } from './sending.ts';

/** Undefined for a message without an id, and for one of which nothing was kept or typed yet. */
export async function sentBefore({
  context,
  record,
  following,
  request,
}: Sending): Promise<MessageOutcome | undefined> {
  const { id } = request;
  // Nothing is typed into it any more, as the ordinary way tells.
  if (id === undefined || following.state.is === 'gone') return undefined;
  const box = await readMailbox(await context.home.workerDir(record.id));
  const typed = await typedUnder(await sendsPath(context, record.id), id);
  const before = becameOf(id, { box, typed });
  switch (before) {
    case undefined:
      return undefined;
    case 'kept':
      return keptAlready(context);
    case 'submitted':
    case 'queued':
      return typedAlready(context, before);
    case 'unconfirmed':
      return unconfirmed({ source: 'us', at: context.clock.now(), detail: 'begun before under this id' });
    case 'failed':
      return failed(context, 'it was kept under this id and could not be typed', 'Send it again under another id.');
  }
}

/** Kept before settled before begun. Pure. */
export function becameOf(
  id: string,
  { box, typed }: { readonly box: Box; readonly typed: string | undefined },
): 'kept' | 'submitted' | 'queued' | 'unconfirmed' | 'failed' | undefined {
  if (box.pending.has(id)) return 'kept';
  // The journal learns of a queued message's turn after the mailbox has its verdict.
  const verdict = typed ?? box.done.get(id);
  if (verdict === undefined || verdict === 'submitted' || verdict === 'queued') return verdict;
  return typed === undefined && (verdict === 'failed' || verdict === 'closed') ? 'failed' : 'unconfirmed';
}
