// What was answered last, and by whom.
import type { WholeRequest } from '../crew/api.ts';
import { oneLine } from '../model/plain-text.ts';
import { systemClock } from '../system/clock.ts';
import type { EventView } from '../wire/events.ts';
import { age } from './paint.ts';
import type { CommandWorld } from './world.ts';

const longestMs = 7 * 86_400_000;

/** One line. */
export async function lastAnswer(world: Pick<CommandWorld, 'look'>): Promise<string> {
  const crew = await world.look();
  const now = systemClock.now();
  try {
    const last = (await crew.happened({ sinceAt: now - longestMs })).findLast(isAnswer);
    const requestId = last?.data.request_id;
    const whole =
      last === undefined || typeof requestId !== 'string'
        ? undefined
        : await crew.wholeRequest({ worker: last.worker_id, requestId }).catch(() => undefined);
    return lastAnswerText(last, whole, now);
  } finally {
    await crew.dispose();
  }
}

/** Nobody answers what its asker gave up. */
const isAnswer = ({ type, data }: EventView): boolean => type === 'worker_answered' && data.by !== 'none';

const answerers: Readonly<Record<string, string>> = {
  manager: 'by its manager',
  person: 'by a person with crewmux',
  pane: 'by a person in its pane',
};

/** Pure. */
export function lastAnswerText(last: EventView | undefined, whole: WholeRequest | undefined, now: number): string {
  if (last === undefined) return 'Nothing was answered within the last week.';
  const {
    by = whole?.answer?.by,
    decision = whole?.answer?.decision,
    option,
    via,
    tool,
    waiting_for: kind,
  } = last.data;
  const name = last.name ?? last.worker_id;
  const what = whole?.title ?? `${name} asked: ${String(tool ?? kind ?? 'something')}`;
  const how = option ?? decision ?? 'answered';
  // Whoever pressed the keys on a screen, crewmux alone is known.
  const who = via === 'screen' ? 'with crewmux' : (answerers[String(by)] ?? 'in its pane');
  const when = `${age(now - Date.parse(last.ts))} ago`;
  return oneLine(`Last answered: ${what}: ${String(how)}, ${who}, ${when}. It cannot be taken back.`);
}
