// How far an act is while a person waits for it: its steps, each with the seconds since the begin.
import { oneLine } from '../model/plain-text.ts';
import { systemClock } from '../system/clock.ts';
import { repeat } from '../system/pace.ts';
import type { CommandWorld } from './world.ts';

export interface StepsSaid {
  /** Told and not shown yet. */
  readonly waiting: readonly string[];
  readonly last: string;
  readonly shownAtMs: number;
}

export const noSteps: StepsSaid = { waiting: [], last: 'under way', shownAtMs: 0 };

// What is over at once shows its outcome alone.
const quietMs = 1_000;
const silenceMs = 10_000;

/** The lines that are due so long after the begin; what lasts without a word is said again. Pure. */
export function dueLines(
  progress: StepsSaid,
  elapsedMs: number,
): { readonly lines: readonly string[]; readonly progress: StepsSaid } {
  const { waiting, last, shownAtMs } = progress;
  const isSilent = elapsedMs - shownAtMs >= silenceMs;
  const due = elapsedMs < quietMs ? [] : waiting.length > 0 ? waiting : isSilent ? [last] : [];
  const newest = due.at(-1);
  if (newest === undefined) return { lines: [], progress };
  const seconds = Math.floor(elapsedMs / 1_000);
  return {
    lines: due.map((says) => `${seconds} s: ${oneLine(says)}`),
    progress: { waiting: [], last: newest, shownAtMs: elapsedMs },
  };
}

/** Shows what the act tells on a terminal, beside what is printed; elsewhere nothing. */
export async function withProgress<T>(
  { columns, complain }: Pick<CommandWorld, 'columns' | 'complain'>,
  act: (tell: (says: string) => void) => Promise<T>,
): Promise<T> {
  if (columns === undefined) return act(() => undefined);
  const clock = systemClock;
  const begunAt = clock.now();
  let progress = noSteps;
  const show = () => {
    const due = dueLines(progress, clock.now() - begunAt);
    progress = due.progress;
    for (const line of due.lines) complain(`${line}\n`);
  };
  const stop = repeat({ clock, delayMs: quietMs, onTrouble: () => undefined }, async () => show());
  const tell = (says: string) => {
    progress = { ...progress, waiting: [...progress.waiting, says] };
    show();
  };
  return act(tell).finally(stop);
}
