// What is random, many-fold or slow by nature, played in rounds from a seed for as long as its share of the time lasts.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { messageOf } from '../../src/model/errors.ts';

/** What a round may draw; the same seed draws the same. */
export interface Luck {
  readonly seed: number;
  draw<T>(from: fc.Arbitrary<T>): T;
}

export const numberIn = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const firstSeed = numberIn('CREWMUX_DRILL_SEED', 1);
const mostRounds = numberIn('CREWMUX_DRILL_ROUNDS', 1);
const fileSeconds = numberIn('CREWMUX_DRILL_SECONDS', 0);

/** For a round that never ends, beside the time for the rounds. */
const ceilingMs = fileSeconds * 1_000 + 300_000;
let drillsInFile = 0;

/** Plays at least one round, then others with the seeds that follow while time is left; a failure names its seed. */
export function drill(
  title: string,
  round: (luck: Luck) => Promise<void> | void,
  { ceilingMs: roundMs = 0 }: { readonly ceilingMs?: number } = {},
): void {
  drillsInFile += 1;
  it(
    title,
    async () => {
      const until = performance.now() + (fileSeconds * 1_000) / drillsInFile;
      let played = 0;
      do {
        await playRound(title, round, firstSeed + played);
        played += 1;
      } while (played < mostRounds && performance.now() < until);
    },
    ceilingMs + roundMs,
  );
}

async function playRound(title: string, round: (luck: Luck) => Promise<void> | void, seed: number): Promise<void> {
  expect.hasAssertions();
  try {
    await round(luckOf(seed));
  } catch (error) {
    const again = `npm run drills -- --seed ${seed} --rounds 1 -t ${JSON.stringify(title)}`;
    throw new Error(`With seed ${seed} (again: ${again}): ${messageOf(error)}`, { cause: error });
  }
}

export function luckOf(seed: number): Luck {
  let drawn = 0;
  return {
    seed,
    draw(from) {
      drawn += 1;
      const [value] = fc.sample(
        from.map((one) => [one] as const),
        { seed: seed * 1_000 + drawn, numRuns: 1 },
      );
      if (value === undefined) throw new Error('nothing was drawn');
      return value[0];
    },
  };
}
