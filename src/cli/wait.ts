// `crewmux wait`: until workers are idle, one needs somebody, or the time is up.
import type { WaitOutcome } from '../crew/api.ts';
import { oneLine } from '../model/plain-text.ts';
import { needLine } from '../wire/attention.ts';
import type { BriefWorker } from '../wire/worker.ts';
import { withProgress } from './progress.ts';
import type { CommandWorld } from './world.ts';

export interface WaitWish {
  /** Ids. */
  readonly workers: readonly string[];
  readonly timeoutMs: number;
}

/** Returns the exit code: 0 once all are idle, 1 for any other end. */
export async function wait({ workers, timeoutMs }: WaitWish, world: CommandWorld): Promise<number> {
  const crew = await world.look();
  try {
    const { signal } = new AbortController();
    const order = { workers, mode: 'all', timeoutMs, onAttention: 'new' } as const;
    const outcome = await withProgress(world, (tell) => crew.wait(order, { signal, tell }));
    const listed = await crew.list({ includeClosed: true, fields: 'brief' });
    world.write(waitText(outcome, listed.workers));
    return outcome.all_idle ? 0 : 1;
  } finally {
    await crew.dispose();
  }
}

type Outcome = Pick<WaitOutcome, 'session_ids' | 'idle_session_ids' | 'attention' | 'timed_out' | 'waited_seconds'>;
type Listed = Pick<BriefWorker, 'session_id' | 'name' | 'status'>;

/** A line for each worker, and why the wait ended where not all are idle. Pure. */
export function waitText(outcome: Outcome, listed: readonly Listed[]): string {
  const { session_ids: ids, idle_session_ids: idle, attention, timed_out: isLate, waited_seconds: seconds } = outcome;
  const lines = ids.map((id) => {
    const { name = id, status = 'unknown' } = listed.find(({ session_id }) => session_id === id) ?? {};
    // It may have begun again since.
    const state = idle.includes(id) ? 'idle' : status === 'idle' ? 'not idle' : status;
    const needs = attention.filter((need) => need.session_id === id).map((need) => `; ${oneLine(needLine(need))}`);
    return `${name}: ${state}${needs.join('')}`;
  });
  const late = isLate ? [`The time is up after ${seconds} s; \`crewmux wait\` goes on.`] : [];
  const asks = attention.some(({ waiting_for }) => waiting_for !== 'dead');
  return `${[...lines, ...late, ...(asks ? ['`crewmux answer` shows what waits, and answers.'] : [])].join('\n')}\n`;
}
