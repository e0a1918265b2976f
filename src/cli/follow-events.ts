// `crewmux events -f`: what has happened, and each event as it happens.
import { plainJson } from '../model/plain-text.ts';
import { oneAtATime } from '../system/pace.ts';
import { eventsText } from './events.ts';
import type { CommandWorld } from './world.ts';

interface Following {
  /** Epoch ms. */
  readonly sinceAt: number;
  readonly json: boolean;
}

/** Resolves once nobody reads any more; the log is read at each change of it. */
export async function followEvents({ sinceAt, json }: Following, world: CommandWorld): Promise<number> {
  const crew = await world.look();
  let last = 0;
  const show = oneAtATime(async () => {
    const events = (await crew.happened({ sinceAt })).filter(({ seq }) => seq > last);
    last = events.at(-1)?.seq ?? last;
    const text = json
      ? events.map((event) => plainJson(event, 0)).join('')
      : eventsText(events, world.columns ?? widest);
    if (text !== '') world.write(text);
  });
  const stop = crew.onChange(() => void show().catch(() => undefined));
  try {
    await show();
    await world.unread();
  } finally {
    stop();
    await crew.dispose();
  }
  return 0;
}

const widest = Number.MAX_SAFE_INTEGER;
