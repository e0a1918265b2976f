import { describe, expect, it } from 'vitest';
import { keepWaking } from '../../src/mcp/wake.ts';
import { eventually } from '../support/sandbox.ts';

function session({ waits = true, longestHoldMs = 60_000 } = {}) {
  const client = new AbortController();
  let hasWaiter = waits;
  let comes: () => void = () => undefined;
  const rings: number[] = [];
  let looks = 0;
  const waking = keepWaking(
    {
      hasWaiter: () => hasWaiter,
      ring() {
        rings.push(performance.now());
        hasWaiter = false;
        return true;
      },
      onWaiter(listen) {
        comes = listen;
        return () => undefined;
      },
    },
    { signal: client.signal, lookAgain: () => (looks += 1), longestHoldMs },
  );
  return {
    waking,
    rings,
    looks: () => looks,
    waiterComes() {
      hasWaiter = true;
      comes();
    },
    leaves: () => client.abort(),
  };
}

describe('a manager is woken', () => {
  it('once for several news within a second, and looked after then', async () => {
    const { waking, rings, looks, leaves } = session();
    const from = performance.now();
    for (let news = 0; news < 5; news++) waking.found(true);
    await eventually('it was looked after', () => looks() === 1);
    expect(rings).toHaveLength(1);
    expect((rings[0] ?? 0) - from).toBeGreaterThan(900);
    leaves();
  });

  it('not while one of its calls is under way, which may tell it, and at its end where that did not', async () => {
    const { waking, rings, leaves } = session();
    const [first, second] = [waking.calls(), waking.calls()];
    waking.found(true);
    first();
    waking.found(true);
    expect(rings).toEqual([]);
    second();
    await eventually('it is rung', () => rings.length === 1);
    leaves();
  });

  it('all the same where a call goes on that does not tell it', async () => {
    const { waking, rings, leaves } = session({ longestHoldMs: 100 });
    waking.calls();
    waking.found(true);
    await eventually('it is rung', () => rings.length === 1);
    leaves();
  });

  it('not for what a call has told meanwhile', async () => {
    const { waking, rings, leaves, waiterComes } = session();
    waking.found(true);
    waking.found(false);
    waiterComes();
    // The next news gathers for as long, and comes alone.
    waking.found(true);
    await eventually('it is rung', () => rings.length > 0);
    expect(rings).toHaveLength(1);
    leaves();
  });

  it('by the next waiter where none was there', async () => {
    const { waking, rings, waiterComes, leaves } = session({ waits: false });
    waking.found(true);
    expect(rings).toEqual([]);
    waiterComes();
    await eventually('it is rung', () => rings.length === 1);
    leaves();
  });
});
