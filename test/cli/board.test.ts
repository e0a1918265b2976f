import { expect, it } from 'vitest';
import { board } from '../../src/cli/board.ts';
import type { BoardFacts, CrewRow } from '../../src/draw/board-text.ts';
import { handClock } from '../jsonl/hand-clock.ts';
import { row } from './board-rows.ts';

/** A person's terminal with a board on it, and the crew before it; time passes by hand. */
function stage(env: Readonly<Record<string, string>> = {}) {
  const clock = handClock(0);
  const written: string[] = [];
  const listening = new Set<string>();
  let show: (facts: BoardFacts<CrewRow>) => void = () => undefined;
  let type: (text: string) => void = () => undefined;
  const listens = (what: string) => {
    listening.add(what);
    return () => void listening.delete(what);
  };
  const ended = board(
    {
      watch: (listen) => {
        show = listen;
        return listens('crew');
      },
      jobs: {
        jobsSummary: async () => ({ plans: [], tasks: [], running: 0, limit: 8, checkpoints: [] }),
        onChange: () => listens('jobs'),
      },
    },
    {
      ...{ env, program: '/crewmux.mjs', self: ['false'], clock, absence: async () => undefined },
      write: (text) => written.push(text),
      person: { key: async () => ' ', line: async () => '', forget: async () => undefined },
      screen: {
        size: () => ({ columns: 80, rows: 24 }),
        onResize: () => listens('size'),
        left: () => Promise.reject(new Error('it reads keys itself')),
        lend: (act) => act(),
        onKeys: (listen) => {
          type = listen;
          return listens('keys');
        },
      },
    },
  );
  /** How many drawings there were meanwhile. */
  const after = async (ms: number, change: () => void = () => undefined) => {
    const before = written.length;
    change();
    for (let past = 0; past < ms; past += 10) {
      clock.advance(10);
      await new Promise(setImmediate);
    }
    return written.length - before;
  };
  const crew = (...workers: readonly CrewRow[]) => show({ crew: 'crew-project', needs: [], workers });
  return { written, listening, ended, after, crew, type: (text: string) => type(text) };
}

it('draws what has changed in one write, at most ten times a second', async () => {
  const { written, after, crew, type, ended } = stage();
  await after(200, () => crew(row('ada', { at: -600_000 }), row('bo', { at: -600_000 })));
  expect(written.at(-1)).toContain('ada');
  expect(await after(200, () => crew(row('ada', { at: -600_000 }), row('bo', { at: -600_000 })))).toBe(0);
  expect(await after(5_000)).toBe(0);
  let many = 0;
  for (let at = 0; at < 50; at += 1) many += await after(20, () => type(at % 2 === 0 ? 'j' : 'k'));
  expect(many).toBeGreaterThan(5);
  expect(many).toBeLessThanOrEqual(10);
  // The ages go on by themselves.
  expect(await after(60_000)).toBe(1);
  type('q');
  await ended;
});

it('ends at q and at the end of the input, with the terminal as it was and nothing left to listen', async () => {
  for (const key of ['q', '']) {
    const { written, listening, after, crew, type, ended } = stage();
    await after(100, () => crew(row('ada')));
    expect([...listening].toSorted()).toEqual(['crew', 'jobs', 'keys', 'size']);
    type(key);
    expect(await ended).toBe(0);
    expect([written[0], written.at(-1)]).toEqual([
      '\u001b[?1049h\u001b[?25l\u001b[?7l',
      '\u001b[?7h\u001b[?25h\u001b[?1049l',
    ]);
    expect([...listening]).toEqual([]);
  }
});

it('uses no colour where NO_COLOR says so, and the cursor is still seen', async () => {
  const { written, after, crew, type, ended } = stage({ NO_COLOR: '1' });
  await after(100, () => crew(row('ada')));
  expect(written.at(-1)).toMatch(/> {2}ada +idle/);
  expect(written.at(-1)).not.toMatch(/\u001b\[(?!0m)[\d;]+m/);
  type('q');
  await ended;
});

it('draws nothing while another program has the terminal, and all of it afterwards', async () => {
  const { written, after, crew, type, ended } = stage();
  await after(200, () => crew(row('ada')));
  const [before] = written.slice(-1);
  await after(200, () => type('m'));
  expect(written.slice(-3)).toEqual([
    '\u001b[?7h\u001b[?25h\u001b[?1049l',
    '\u001b[?1049h\u001b[?25l\u001b[?7l',
    before,
  ]);
  type('q');
  await ended;
});
