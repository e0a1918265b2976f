import { expect, it } from 'vitest';
import { type BoardKeeper, keepBoards } from '../../../src/crew/queries/board.ts';
import type { WorkerRecord } from '../../../src/model/worker.ts';
import { workerRecord } from '../../support/records.ts';

/** A crew whose time stands still, and the boards that were drawn of it. */
function crew() {
  const drawn: string[] = [];
  let records: readonly WorkerRecord[] = [];
  let next: () => void = () => undefined;
  let tell: () => void = () => undefined;
  const context: BoardKeeper = {
    clock: {
      now: () => 1_000,
      after: (_, act) => {
        next = act;
        return () => undefined;
      },
    },
    me: { pid: 1, processStart: '1' },
    socket: 's',
    logger: { write: () => undefined },
    log: { onEvents: () => () => undefined },
    needsOf: () => [],
    roster: {
      records: () => records,
      isMine: () => true,
      turn: () => undefined,
      onChange: (listen) => {
        tell = listen;
        return () => undefined;
      },
    },
    terminal: { draw: async (_, { text }) => void drawn.push(text) },
  };
  keepBoards(context);
  const becomes = async (...now: readonly WorkerRecord[]) => {
    records = now;
    tell();
    next();
    // The drawing itself.
    await new Promise(setImmediate);
    return drawn.length;
  };
  return { becomes };
}

it('draws what has changed, and nothing else', async () => {
  const { becomes } = crew();
  const ada = workerRecord({ paneId: '%1' });
  expect(await becomes(ada)).toBe(1);
  expect(await becomes(ada)).toBe(1);
  expect(await becomes({ ...ada, annotation: 'fix login' })).toBe(2);
});

it('draws the board of a crew that ended and began again meanwhile, though it shows the same', async () => {
  const { becomes } = crew();
  expect(await becomes(workerRecord({ paneId: '%1' }))).toBe(1);
  expect(await becomes(workerRecord({ paneId: '%2' }))).toBe(2);
});
