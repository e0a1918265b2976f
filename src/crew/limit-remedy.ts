// What helps a worker that has run into a usage limit: time, then one message. Pure.
import { isoTime } from '../model/clock.ts';
import type { Limit } from '../model/limit.ts';
import type { AttentionView } from '../model/worker.ts';

/** Sent once the limit is over; the conversation knows the rest. */
export const goOnMessage =
  'The usage limit is over. Go on with what you were doing, and do not repeat what is done already.';

export function goOnCall(ids: readonly string[], { resetsAt, goesOn }: Limit): string {
  const call = `message_workers ${JSON.stringify({ session_ids: ids, message: goOnMessage })}`;
  if (resetsAt === undefined) return `When the limit is over: ${call}`;
  const time = isoTime(resetsAt);
  return goesOn === true
    ? `It says that it goes on by itself after ${time}. If it does not: ${call}`
    : `After ${time}: ${call}`;
}

/** One call for all workers that wait for the same hour, in place of one each. */
export function goOnSuggestions(needs: readonly AttentionView[]): readonly string[] {
  const resetOf = ({ limit }: AttentionView) => limit?.resets_at ?? '';
  return [...new Set(needs.map(resetOf))].map((resetsAt) => {
    const group = needs.filter((need) => resetOf(need) === resetsAt);
    const names = group.map(({ name }) => name).join(', ');
    const resets = resetsAt === '' ? {} : { resetsAt: Date.parse(resetsAt) };
    const goesOn = group.every(({ limit }) => limit?.goes_on === true) ? { goesOn: true as const } : {};
    const ids = group.map(({ session_id }) => session_id);
    return `${names}: ${goOnCall(ids, { detail: '', ...resets, ...goesOn })}`;
  });
}
