// Tells once of each turn that shows no sign of life: one timer for each worker at work, set anew only when it has run out.
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { isStuck, troubledMs } from '../../turn/stuck.ts';
import type { CrewContext } from '../workers/roster.ts';

/** `silentMs`: since its last sign of life. */
type OnStuck = (record: WorkerRecord, silentMs: number) => void;

export function watchStuck(
  context: Pick<CrewContext, 'clock' | 'settingsFor'> & {
    readonly log: Pick<CrewContext['log'], 'records'>;
    readonly roster: Pick<CrewContext['roster'], 'isMine' | 'onChange' | 'turn'>;
  },
  onStuck: OnStuck,
): Disposer {
  const { clock, log, roster } = context;
  const timers = new Map<string, Disposer>();
  const told = new Map<string, number>();
  const look = (id: string) => {
    timers.delete(id);
    const [record, turn] = [log.records().get(id), roster.turn(id)];
    if (record === undefined || turn?.is !== 'working' || !roster.isMine(record)) return;
    const { events } = context.settingsFor(record.mainRepoPath ?? record.projectPath).settings;
    const staleMs = events.stale_threshold_minutes * 60_000;
    const now = clock.now();
    if (!isStuck(turn, { now, staleMs })) {
      const troubleMs = turn.facts.trouble === undefined ? staleMs : turn.facts.trouble.at + troubledMs - now;
      arm(id, Math.max(1, Math.min(turn.lastActivityAt + staleMs - now, troubleMs)));
      return;
    }
    const since = turn.turn?.startedAt ?? 0;
    if (told.get(id) !== since) onStuck(record, now - turn.lastActivityAt);
    told.set(id, since);
  };
  const arm = (id: string, delayMs: number) => {
    timers.get(id)?.();
    timers.set(
      id,
      clock.after(delayMs, () => look(id)),
    );
  };
  const stop = roster.onChange(({ workerId, before, after }) => {
    const began = after.is === 'working' && before.is !== 'working';
    const troubled = after.facts.trouble !== undefined && before.facts.trouble === undefined;
    if (began || troubled) look(workerId);
  });
  return () => {
    stop();
    for (const cancel of timers.values()) cancel();
  };
}
