// When something came true, as far as one who only looks can know.
import { readFileSync } from 'node:fs';
import { eventually } from '../../support/sandbox.ts';
import type { Fact } from './timeline.ts';

/** For what never comes. */
export const ceilingMs = 90_000;

export const exactly = (at: number): Fact => ({ notYet: at, at });
export const now = (): Fact => exactly(performance.now());

/** A process that is dead and not yet buried is gone. */
export function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Looks again and again; the fact lies between the last look in vain and the first that shows it. */
export async function since(what: string, look: () => Promise<boolean>): Promise<Fact> {
  let notYet = performance.now();
  return eventually(
    what,
    async () => {
      const before = performance.now();
      if (await look()) return { notYet, at: performance.now() };
      notYet = before;
      return undefined;
    },
    ceilingMs,
  );
}
