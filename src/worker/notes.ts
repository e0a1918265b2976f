// A note to another worker: into its mailbox, from which its managing server delivers it.
import { resolveWorker } from '../model/address.ts';
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import { keptIn, postMail, readMailbox } from '../store/mailbox.ts';
import type { NoteRequest } from '../wire/desk.ts';
import type { Desk } from './api.ts';
import { crewOf, dirOf, type Me, say } from './me.ts';

export async function sendNote(me: Me, { to, message, kind, file, severity }: NoteRequest): ReturnType<Desk['send']> {
  const { noteChars, waitingNotes } = me.limits;
  if (message.length > noteChars) {
    throw new CrewError(
      'limit_reached',
      `The note has ${message.length} characters; one can have ${noteChars}.`,
      'Say the gist, and name a file that has the rest.',
    );
  }
  const { mine, others } = await crewOf(me);
  const target = targetOf(to, { mine, others });
  const dir = dirOf(me, target.id);
  const box = await readMailbox(dir);
  if (box.pending.size - keptIn(box).length >= waitingNotes) {
    throw new CrewError(
      'limit_reached',
      `${waitingNotes} notes wait for ${target.name} already.`,
      'Tell your manager with report_progress if it cannot wait.',
    );
  }
  const id = newNonce();
  const about = defined({ file, severity });
  const from = { id: mine.id, name: mine.name };
  await postMail(dir, { v: 1, id, at: me.clock.now(), kind, from, message, ...about });
  await say(me, { kind: 'note', note: { kind, to: { id: target.id, name: target.name }, message, ...about } }, id);
  return { taken: true, id, to: { sessionId: target.id, name: target.name } };
}

type Mates = Pick<Awaited<ReturnType<typeof crewOf>>, 'mine' | 'others'>;

function targetOf(to: string, { mine, others }: Mates) {
  const names = others.map(({ name, id }) => `${name} (${id})`).join(', ');
  const known = names === '' ? 'You are the only worker now.' : `Workers: ${names}.`;
  if (/^(the )?manager$/i.test(to.trim())) {
    throw new CrewError(
      'unknown_worker',
      'The manager is no worker.',
      'Use report_progress to tell it something, ask_manager for an answer.',
    );
  }
  const found = findAmong(to, [mine, ...others]);
  if (found === undefined)
    throw new CrewError('unknown_worker', `No worker is called "${to}". ${known}`, 'Name one of them.');
  if (found.id === mine.id) throw new CrewError('invalid_argument', `"${to}" is you.`, known);
  return found;
}

function findAmong(to: string, records: Parameters<typeof resolveWorker>[1]) {
  try {
    return resolveWorker(to, records);
  } catch (error) {
    if (error instanceof CrewError && error.code === 'unknown_worker') return undefined;
    throw error;
  }
}
