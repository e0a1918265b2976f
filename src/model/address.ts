// Which worker a caller means by an id, a terminal id or a name.
import { advise, call } from './advice.ts';
import { CrewError } from './errors.ts';
import { nearest } from './nearest.ts';
import type { WorkerRecord } from './worker.ts';

const isEnded = (record: WorkerRecord): boolean => record.phase === 'closed' || record.phase === 'dead';

/** Finds the one worker meant, or throws `unknown_worker` or `ambiguous_worker` with the candidates. */
export function resolveWorker(text: string, records: readonly WorkerRecord[]): WorkerRecord {
  const wanted = text.trim();
  return theOne(wanted, candidates(wanted, records), records);
}

/** The same for a person, for whom the beginning of a name or an id is enough that only one has. */
export function resolveBegun(text: string, records: readonly WorkerRecord[]): WorkerRecord {
  const wanted = text.trim();
  const exact = candidates(wanted, records);
  return theOne(wanted, exact.length > 0 ? exact : begun(wanted.toLowerCase(), records), records);
}

function theOne(wanted: string, matches: readonly WorkerRecord[], records: readonly WorkerRecord[]): WorkerRecord {
  const live = matches.filter((record) => !isEnded(record));
  const chosen = live.length > 0 ? live : matches;
  const [only, ...others] = chosen;
  if (only === undefined) throw unknownWorker(wanted, records);
  if (others.length > 0) throw ambiguousWorker(wanted, chosen);
  return only;
}

/** Below that, too many ids begin so by chance. */
const leastOfId = 4;

function begun(wanted: string, records: readonly WorkerRecord[]): readonly WorkerRecord[] {
  if (wanted === '') return [];
  const named = records.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  if (named.length > 0 || wanted.length < leastOfId) return named;
  return records.filter(({ id }) => id.startsWith(wanted));
}

function candidates(wanted: string, records: readonly WorkerRecord[]): readonly WorkerRecord[] {
  const byId = records.filter((record) => record.id === wanted.toLowerCase());
  if (byId.length > 0) return byId;
  const paneId = /^(?:tmux:)?(%\d+)$/.exec(wanted)?.[1];
  // A restarted tmux hands pane ids out again, so only a worker that has its pane is meant by one.
  if (paneId !== undefined) return records.filter((record) => !isEnded(record) && record.pane?.paneId === paneId);
  return records.filter((record) => record.name.toLowerCase() === wanted.toLowerCase());
}

function unknownWorker(wanted: string, records: readonly WorkerRecord[]): CrewError {
  const known = records.filter((record) => !isEnded(record));
  const names = known.map((record) => `${record.name} (${record.id})`).slice(0, 20);
  const namesOf = (some: readonly WorkerRecord[]) => some.map(({ name }) => name);
  const close = nearest(wanted, namesOf(known)) ?? nearest(wanted, namesOf(records));
  const meant = close === undefined ? '' : ` Did you mean ${close}?`;
  const list = names.length > 0 ? `Known workers: ${names.join(', ')}.` : 'There are no workers.';
  return new CrewError(
    'unknown_worker',
    `No worker is called "${wanted}".${meant} ${list}`,
    advise`${call('Call list_workers for ids and', '`crewmux status` shows the')} names.`,
  );
}

function ambiguousWorker(wanted: string, matches: readonly WorkerRecord[]): CrewError {
  const list = matches
    .map((record) => `${record.name} ${record.id} (${record.phase}, ${record.projectPath})`)
    .join(', ');
  return new CrewError(
    'ambiguous_worker',
    `"${wanted}" means several workers: ${list}.`,
    'Use the id of the one you mean.',
  );
}
