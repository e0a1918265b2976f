// Crashes that no server has answered: of agents that ended while none lived, and of those whose server ended too soon.
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/schema.ts';
import { withLock } from '../../system/lock.ts';
import { projectOf } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { isFailing } from '../workers/failures.ts';
import { lookForVerdicts, type PaneVerdict } from '../workers/pane-facts.ts';

/** Its need has called somebody for a day; whoever left it that long did not wait for it. */
export const recentMs = 24 * 3_600_000;
const claimMs = 10_000;

/** Nobody has started it again since, or has given it up. Pure. */
export const isCrashed = ({ phase, lostTurn }: Pick<WorkerRecord, 'phase' | 'lostTurn'>): boolean =>
  phase === 'dead' && lostTurn !== undefined && !lostTurn.told && !lostTurn.left;

/** What is known of a worker that another server may have left. */
export interface LeftCrash {
  readonly record: Pick<WorkerRecord, 'phase' | 'lostTurn'>;
  readonly auto: Settings['restart']['auto'];
  readonly isOthers: boolean;
  /** Of its pane, as it is now. */
  readonly verdict: PaneVerdict;
  readonly now: number;
}

/**
 * Whether the server that starts brings it back. Its pane must still show the crash: one that somebody has closed, or
 * that went with its tmux server, as when the machine or the login ended, shows nothing. Pure.
 */
export function comesBackLate({ record, auto, isOthers, verdict, now }: LeftCrash): boolean {
  if (auto !== 'crash' || isOthers || !isCrashed(record)) return false;
  if (verdict.is !== 'ended' || !isFailing(verdict.exit)) return false;
  return now - (record.lostTurn?.at ?? 0) < recentMs;
}

/**
 * Takes over the crashed workers, or those named alone, that are to come back; resolves to their ids, with those that
 * this server has already. Of servers that start at once, one alone gets each.
 */
export async function claimCrashes(context: CrewContext, named?: readonly string[]): Promise<readonly string[]> {
  const { roster, log, home, me } = context;
  const isMeant = (record: WorkerRecord) => isCrashed(record) && (named?.includes(record.id) ?? true);
  if (!roster.records().some(isMeant)) return [];
  const claim = async () => {
    await log.catchUp();
    await roster.lookAtManagers();
    const crashed = roster.records().filter(isMeant);
    const verdictOf = await lookForVerdicts(context, crashed);
    const due = crashed.filter((record) => comesBackLate(leftIn(context, record, verdictOf(record))));
    const drafts = due
      .filter((record) => !roster.isMine(record))
      .map(({ id: workerId, manager }) => ({
        ...{ type: 'reconciled' as const, workerId },
        ...{ data: { took_over_from: manager.pid }, set: { manager: me } },
      }));
    if (drafts.length > 0) await log.append(drafts);
    return due.map(({ id }) => id);
  };
  return withLock(home.lockPath('recover'), claim, { me, timeoutMs: claimMs });
}

const leftIn = (
  { roster, clock, settingsFor }: CrewContext,
  record: WorkerRecord,
  verdict: PaneVerdict,
): LeftCrash => ({
  record,
  auto: settingsFor(projectOf(record)).settings.restart.auto,
  isOthers: roster.isOthers(record),
  verdict,
  now: clock.now(),
});
