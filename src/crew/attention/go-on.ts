// The call that sends workers on after a usage limit, and when to make it. Pure.
import { isoTime } from '../../model/clock.ts';
import type { AttentionView } from '../../wire/attention.ts';

/** The message after the limit is over; the conversation holds the rest. */
export const goOnMessage =
  'The usage limit is over. Go on with what you were doing, and do not repeat what is done already.';

interface LimitEnd {
  readonly resetsAt?: number | undefined;
  readonly goesOn?: boolean;
}

/** The call that sends workers on. */
export const goOnCall = (ids: readonly string[]): string =>
  `message_workers ${JSON.stringify({ session_ids: ids, message: goOnMessage })}`;

/** When that is to be done. */
export function goOnWhen({ resetsAt, goesOn }: LimitEnd): string {
  if (resetsAt === undefined) return 'When the limit is over, send it on.';
  const time = isoTime(resetsAt);
  return goesOn === true
    ? `It says that it goes on by itself after ${time}. If it does not, send it on.`
    : `Send it on after ${time}.`;
}

const minuteMs = 60_000;
const resetOf = ({ limit }: AttentionView): number =>
  limit?.resets_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(limit.resets_at);

/** One call for several workers whose limits end within a minute of each other, in place of one each. */
export function goOnSuggestions(needs: readonly AttentionView[]): readonly string[] {
  const groups: AttentionView[][] = [];
  for (const need of needs.toSorted((a, b) => resetOf(a) - resetOf(b))) {
    const [first] = groups.at(-1) ?? [];
    const isNear = first !== undefined && !(resetOf(need) - resetOf(first) >= minuteMs);
    if (isNear) groups.at(-1)?.push(need);
    else groups.push([need]);
  }
  return groups.filter(({ length }) => length > 1).map(suggestionFor);
}

function suggestionFor(group: readonly AttentionView[]): string {
  const last = Math.max(...group.map(resetOf));
  const goesOn = group.every(({ limit }) => limit?.goes_on === true);
  const ids = group.map(({ session_id }) => session_id);
  const when = goOnWhen({ resetsAt: Number.isFinite(last) ? last : undefined, goesOn });
  return `${group.map(({ name }) => name).join(', ')}: ${when} ${goOnCall(ids)}`;
}
