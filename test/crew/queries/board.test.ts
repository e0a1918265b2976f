import { expect, it } from 'vitest';
import type { BoardPlace } from '../../../src/backends/terminal.ts';
import { type BoardKeeper, boardLines, keepBoards } from '../../../src/crew/queries/board.ts';
import type { WorkerRecord } from '../../../src/model/worker.ts';
import { workerRecord } from '../../support/records.ts';

/** A crew whose time stands still, and the boards that were drawn of it. */
function crew(needsOf: BoardKeeper['needsOf'] = () => [], acts: BoardPlace['acts'] = new Map()) {
  const drawn: string[] = [];
  const rung: boolean[] = [];
  let records: readonly WorkerRecord[] = [];
  let next: () => void = () => undefined;
  let tell: () => void = () => undefined;
  let resize: () => void = () => undefined;
  const lines = boardLines();
  const context: BoardKeeper = {
    lines,
    clock: {
      now: () => 1_000,
      after: (_, act) => {
        next = act;
        return () => undefined;
      },
    },
    me: { pid: 1, processStart: '1' },
    tmux: { socket: 's' },
    logger: { write: () => undefined },
    log: { onEvents: () => () => undefined },
    needsOf,
    roster: {
      records: () => records,
      isMine: () => true,
      turn: () => undefined,
      attach: () => 'tmux attach',
      onChange: (listen) => {
        tell = listen;
        return () => undefined;
      },
    },
    terminal: {
      async draw(_, { text, bell }) {
        rung.push(bell);
        drawn.push(text({ columns: 80, rows: 23, keys: new Map(), back: 'C-Space 0', acts }));
      },
      watch: (listen) => {
        resize = () => listen({ kind: 'board-resized' });
        return () => undefined;
      },
    },
  };
  keepBoards(context);
  const after = async (change: () => void) => {
    change();
    next();
    // The drawing itself.
    await new Promise(setImmediate);
    return drawn.length;
  };
  const becomes = (...now: readonly WorkerRecord[]) => {
    records = now;
    return after(() => tell());
  };
  const posted = (...now: readonly string[]) => after(() => lines.post('crew', now));
  return { becomes, posted, rung, last: () => drawn.at(-1) ?? '', resized: () => after(() => resize()) };
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

it('draws again what has not changed when the board has another size', async () => {
  const { becomes, resized } = crew();
  expect(await becomes(workerRecord({ paneId: '%1' }))).toBe(1);
  expect(await resized()).toBe(2);
});

it('draws lines about tasks and plans once they are there, and takes them away again', async () => {
  const { becomes, posted, last } = crew();
  await becomes(workerRecord({ paneId: '%1' }));
  expect(await posted('plan cart: 1 of 3 landed')).toBe(2);
  expect(last()).toContain('   plan cart: 1 of 3 landed\n');
  expect(await posted('plan cart: 1 of 3 landed')).toBe(2);
  expect(await posted()).toBe(3);
  expect(last()).not.toContain('plan cart');
});

it('says in one whole line of 80 columns how a person answers and comes back, and in another which keys there are', async () => {
  const asks: BoardKeeper['needsOf'] = ({ id, name }) => [
    { session_id: id, name, waiting_for: 'trust', since: '', title: 'asks', detail: 'x', answer_with: ['y'] },
  ];
  const without = crew(asks);
  await without.becomes(workerRecord({ paneId: '%1' }));
  expect(without.last()).toMatch(/ C-Space 0 leads back; `crewmux answer` answers\.\u001b\[0m\n/);
  expect(without.last()).toMatch(/ {3}drawn [\d:]{8} by crewmux, process 1; `crewmux board` has keys$/);
  const keys = new Map([
    ['answer', 'C-b a'],
    ['board', 'C-b b'],
    ['help', 'C-b ?'],
  ] as const);
  const keyed = crew(asks, keys);
  await keyed.becomes(workerRecord({ paneId: '%1' }));
  expect(keyed.last()).toMatch(/ leads back; C-b a answers\.\u001b\[0m\n/);
  expect(keyed.last()).toMatch(/; C-b b has keys, C-b \? lists all$/);
});

it('rings once for each decision that a plan waits for, and for nothing else of it', async () => {
  const { becomes, posted, rung } = crew();
  await becomes(workerRecord({ paneId: '%1' }));
  await posted('plan shop: running, 0 of 2 jobs done');
  await posted('plan shop: paused, 0 of 2 jobs done', '  ! a failed: no way');
  await posted('plan shop: paused, 1 of 2 jobs done', '  ! a failed: no way');
  await posted('plan shop: paused, 1 of 2 jobs done', '  ! b failed: no way');
  expect(rung).toEqual([false, false, true, false, true]);
});

it('shows the percent that a worker has reported beside its state, and not beyond its death', async () => {
  const { becomes, last } = crew();
  const ada = workerRecord({ paneId: '%1', progress: { percent: 40, at: 2_000 } });
  await becomes(ada);
  expect(last()).toMatch(/ada .*starting 40%/);
  await becomes({ ...ada, phase: 'dead' });
  expect(last()).not.toContain('40%');
});
