import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BoardKeeper, type BoardRow, boardText, keepBoards } from '../../../src/crew/queries/board.ts';
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

const row = (change: Partial<BoardRow> = {}): BoardRow => ({
  name: 'ada',
  colour: 'colour39',
  status: 'idle',
  state: 'idle',
  since: '14:00:00',
  detail: 'fix login · ada-1',
  ...change,
});
const need = {
  title: 'ada asks permission for Bash',
  since: '14:02:11',
  detail: 'npm test',
  remedy: 'Answer in its pane',
};
const sgr = /\u001b\[[\d;]*m/g;
const bare = (text: string) => text.replace(sgr, '');

it('who needs someone comes first, with what to do; then everybody in a row', () => {
  const rows = [
    row({ status: 'waiting', state: 'waiting: permission' }),
    row({ name: 'bruno', status: 'working', state: 'working', detail: '' }),
    row({ name: 'a name that is much too long', status: 'dead', state: 'dead' }),
  ];
  expect(bare(boardText({ crew: 'crew-project', needs: [need], rows }))).toMatchInlineSnapshot(`
    " crewmux · crew-project · 1 working, 1 waiting, 1 dead

     ! ada asks permission for Bash · since 14:02:11
         npm test
         Answer in its pane

       WORKER             STATE                  SINCE    
     ! ada                waiting: permission    14:00:00 fix login · ada-1
       bruno              working                14:00:00 
     ! a name that is mu… dead                   14:00:00 fix login · ada-1
    "
  `);
});

it('colour is the worker’s own, and a crew without anybody says so', () => {
  expect(boardText({ crew: 'c', needs: [], rows: [row()] })).toContain('\u001b[1;38;5;39mada');
  expect(bare(boardText({ crew: 'c', needs: [], rows: [] }))).toContain('c · nobody');
});

it('a long need is cut, and of many the first are shown and the rest counted', () => {
  const long = { ...need, detail: 'line\n'.repeat(500) };
  const text = bare(boardText({ crew: 'c', needs: Array(30).fill(long), rows: [] }));
  expect(text.split('\n').length).toBeLessThan(90);
  expect(text).toContain('and 22 more who need someone');
});

it('no text from outside can move the cursor, colour the screen or ring', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('\u001b', '[31m', '\u0007', '\r', '\u009b', '\u202e', '\n', 'a', '世'),
  });
  fc.assert(
    fc.property(nasty, (text) => {
      const drawn = boardText({
        crew: text,
        needs: [{ title: text, since: '', detail: text, remedy: text }],
        rows: [row({ name: text, detail: text, state: text })],
      });
      expect(bare(drawn)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      expect(drawn.match(/\n/g)?.length).toBeLessThan(40);
    }),
  );
});
