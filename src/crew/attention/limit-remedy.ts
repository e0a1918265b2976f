// What helps a worker that has run into a usage limit: time, then one message. Pure.
import { isoTime } from '../../model/clock.ts';
import type { Limit } from '../../turn/judge.ts';
import type { AttentionView } from '../../wire/attention.ts';

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

const minuteMs = 60_000;
const resetOf = ({ limit }: AttentionView): number =>
  limit?.resets_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(limit.resets_at);

/** One call for all workers whose limits end within a minute of each other, in place of one each. */
export function goOnSuggestions(needs: readonly AttentionView[]): readonly string[] {
  const groups: AttentionView[][] = [];
  for (const need of needs.toSorted((a, b) => resetOf(a) - resetOf(b))) {
    const [first] = groups.at(-1) ?? [];
    const isNear = first !== undefined && !(resetOf(need) - resetOf(first) >= minuteMs);
    if (isNear) groups.at(-1)?.push(need);
    else groups.push([need]);
  }
  return groups.map(suggestionFor);
}

function suggestionFor(group: readonly AttentionView[]): string {
  const last = Math.max(...group.map(resetOf));
  const goesOn = group.every(({ limit }) => limit?.goes_on === true);
  const limit = {
    detail: '',
    ...(Number.isFinite(last) ? { resetsAt: last } : {}),
    ...(goesOn ? { goesOn } : {}),
  };
  const ids = group.map(({ session_id }) => session_id);
  return `${group.map(({ name }) => name).join(', ')}: ${goOnCall(ids, limit)}`;
}
