// Writes what a server knows of its workers, for whoever looks at the crew from outside.
import { join } from 'node:path';
import { watchFolder } from '../../jsonl/tail.ts';
import type { Disposer } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { writeUnsynced } from '../../system/atomic.ts';
import { gather, repeat } from '../../system/pace.ts';
import type { Foreseen } from '../../wire/landing.ts';
import type { CrewContext } from './crew-context.ts';
import { type LastWord, lastWordFile } from './last-word.ts';
import { restSignals } from './rest-signals.ts';

const gatherMs = 40;
const restMs = 400;
const restEveryMs = 60_000;

/** Keeps the last word of each worker of this server; `settled` resolves when those of all changes so far are written. */
export function keepLastWords(
  context: CrewContext,
  foreseen: () => readonly Foreseen[],
): { readonly close: () => Promise<void> } {
  const written = new Map<string, string>();
  const changed = new Set<string>();
  const write = async () => {
    const ids = [...changed];
    changed.clear();
    await Promise.all(ids.map((id) => writeOne(context, id, { foreseen: foreseen(), written })));
  };
  const onTrouble = (error: unknown) => context.logger.write('warn', 'a last word could not be written', error);
  const writings = gather({ clock: context.clock, gatherMs, restMs: () => restMs, onTrouble }, write);
  const note = (workerId: string) => {
    changed.add(workerId);
    writings.request();
  };
  const restAll = async () => {
    for (const following of context.roster.all()) {
      const record = context.log.records().get(following.workerId);
      if (record?.phase !== 'live' || !context.roster.isMine(record)) continue;
      if (await restSignals(following, context.clock.now())) note(record.id);
    }
  };
  const stops = [
    context.roster.onChange(({ workerId }) => note(workerId)),
    context.roster.onFollow(({ workerId }) => note(workerId)),
    context.roster.onSpending(note),
    context.log.onEvents((events) => {
      for (const { workerId } of events) note(workerId);
    }),
    writings.stop,
    repeat({ clock: context.clock, delayMs: restEveryMs, onTrouble }, restAll),
  ];
  return {
    async close() {
      for (const stop of stops) stop();
      await write().catch(onTrouble);
    },
  };
}

async function writeOne(
  context: CrewContext,
  id: string,
  { foreseen, written }: { readonly foreseen: readonly Foreseen[]; readonly written: Map<string, string> },
): Promise<void> {
  const { roster } = context;
  const [record, following] = [context.log.records().get(id), roster.following(id)];
  if (record === undefined || following === undefined || record.phase !== 'live' || !roster.isMine(record)) return;
  const word: LastWord = {
    v: 2,
    ...following.soFar,
    conflictsWith: conflictsOf(record, foreseen),
    ...defined({ moved: roster.movedTrees.get(id) }),
  };
  const text = JSON.stringify(word);
  // Whoever goes on from the word finds all before it counted.
  await following.spending.keep();
  if (written.get(id) === text) return;
  written.set(id, text);
  // Whoever finds no word looks for himself.
  await writeUnsynced(join(following.launch.dir, lastWordFile), text);
}

/** Pure. */
export const conflictsOf = ({ name }: Pick<WorkerRecord, 'name'>, foreseen: readonly Foreseen[]): readonly string[] => [
  ...new Set(foreseen.flatMap((one) => (one.name === name ? [one.with] : one.with === name ? [one.name] : []))),
];

/** Calls back when the last word of a worker that lives now is written anew. */
export function watchLastWords({ log, clock }: Pick<CrewContext, 'log' | 'clock'>, listen: () => void): Disposer {
  const watched = new Map<string, Disposer>();
  const look = () => {
    const live = [...log.records().values()].filter(({ phase }) => phase === 'live').map(({ launch }) => launch.dir);
    for (const [dir, stop] of watched) {
      if (live.includes(dir)) continue;
      stop();
      watched.delete(dir);
    }
    for (const dir of live.filter((one) => !watched.has(one)))
      watched.set(
        dir,
        watchFolder(dir, clock, (name) => {
          if (name === lastWordFile) listen();
        }),
      );
  };
  look();
  const stop = log.onEvents(look);
  return () => {
    stop();
    for (const end of watched.values()) end();
  };
}
