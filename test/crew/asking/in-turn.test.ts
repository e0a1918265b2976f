import { expect, it } from 'vitest';
import { inTurn } from '../../../src/crew/asking/in-turn.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

interface Act {
  readonly off: AbortController;
  readonly end: (word: string) => void;
  readonly result: Promise<string | undefined>;
}

function acts(count: number): { readonly all: readonly Act[]; readonly begun: number[] } {
  const turn = inTurn(4);
  const begun: number[] = [];
  const all = Array.from({ length: count }, (_, i) => {
    const off = new AbortController();
    let end: Act['end'] = () => undefined;
    const over = new Promise<string>((resolve) => {
      end = resolve;
    });
    const result = turn(off.signal, () => {
      begun.push(i);
      return over;
    });
    return { off, end: (word: string) => end(word), result };
  });
  return { all, begun };
}

it('four run at once, and the next begins when one has ended', async () => {
  const { all, begun } = acts(6);
  await settled();
  expect(begun).toEqual([0, 1, 2, 3]);
  all[1]?.end('over');
  expect(await all[1]?.result).toBe('over');
  await settled();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

it('one that is called off while it waits is over at once, and never begins', async () => {
  const { all, begun } = acts(6);
  await settled();
  all[4]?.off.abort();
  expect(await all[4]?.result).toBeUndefined();
  all[0]?.end('over');
  await settled();
  expect(begun).toEqual([0, 1, 2, 3, 5]);
});

it('one that is called off while it runs is awaited, since it still has something to say', async () => {
  const { all } = acts(1);
  await settled();
  all[0]?.off.abort();
  await settled();
  all[0]?.end('so far');
  expect(await all[0]?.result).toBe('so far');
});
