import { expect, it } from 'vitest';
import { watchPlans, watchStatus } from '../../src/cli/watch.ts';
import type { BoardFacts } from '../../src/draw/board-text.ts';
import type { BriefPlan } from '../../src/wire/plans.ts';
import { eventually } from '../support/sandbox.ts';

const facts = (crew: string): BoardFacts => ({ crew, needs: [], workers: [] });

const nothing = { plans: [], tasks: [], running: 0, limit: 8, checkpoints: [] };
const shop: BriefPlan = {
  ...{ planId: 'p1', name: 'shop', state: 'running', mode: 'autopilot', jobs: { queued: 2 } },
  ...{ nextCalls: [], createdAt: '2026-01-01T00:00:00.000Z' },
};

/** A person's terminal, and the crew before it. */
function stage(env: Readonly<Record<string, string>> = {}) {
  const away: { since?: number } = {};
  const written: string[] = [];
  const size = { columns: 80, rows: 24 };
  const listening = new Set<string>();
  const plans: BriefPlan[] = [];
  let change: () => void = () => undefined;
  let show: (facts: BoardFacts) => void = () => undefined;
  let resize: () => void = () => undefined;
  let leave: () => void = () => undefined;
  const listens = (what: string) => {
    listening.add(what);
    return () => void listening.delete(what);
  };
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const ended = watchStatus(
    {
      watch: (listen) => {
        show = listen;
        return listens('crew');
      },
      jobs: {
        jobsSummary: async () => ({ ...nothing, plans: [...plans] }),
        onChange: (listen) => {
          change = listen;
          return listens('jobs');
        },
      },
    },
    {
      env,
      program: '/crewmux.mjs',
      now: () => 0,
      absence: async () => away.since,
      write: (text) => written.push(text),
      screen: {
        size: () => size,
        onResize: (listen) => {
          resize = listen;
          return listens('size');
        },
        left: () => left,
      },
    },
  );
  return {
    written,
    size,
    listening,
    ended,
    plans,
    change: () => change(),
    away,
    show: (one: BoardFacts) => show(one),
    resize: () => resize(),
    leave,
  };
}

it('draws at each change of the crew and of the size, and leaves the terminal as it was', async () => {
  const { written, size, listening, ended, show, resize, leave } = stage();
  expect(written).toEqual(['\u001b[?1049h\u001b[?25l\u001b[?7l']);
  show(facts('one'));
  show(facts('two'));
  Object.assign(size, { columns: 40, rows: 3 });
  resize();
  leave();
  expect(await ended).toBe(0);
  expect(
    written.slice(1, -1).map((text) => [/one|two/.exec(text)?.[0], text.split('\r\n').length <= size.rows]),
  ).toEqual([
    ['one', false],
    ['two', false],
    ['two', true],
  ]);
  expect(written.at(-1)).toBe('\u001b[?7h\u001b[?25h\u001b[?1049l');
  expect([...listening]).toEqual([]);
});

it('uses no colour where NO_COLOR says so', async () => {
  const { written, show, leave, ended } = stage({ NO_COLOR: '1' });
  show(facts('one'));
  expect(written[1]).toContain('crewmux · one · nobody');
  leave();
  await ended;
});

it('says in one whole line of 80 columns how a person answers, and where plans are', async () => {
  const { written, show, leave, ended } = stage({ NO_COLOR: '1' });
  show({ ...facts('one'), needs: [{ title: 'ada asks', detail: 'x', way: 'crewmux attach ada' }] });
  expect(written[1]).toMatch(/ {3}Use that command.*`crewmux answer`.*`crewmux plan`.*\.\u001b\[0m\r\n/);
  leave();
  await ended;
});

it('draws plans at each change of them, and says that no server drives them', async () => {
  const { written, plans, change, show, leave, ended, away } = stage({ NO_COLOR: '1' });
  show(facts('one'));
  plans.push(shop);
  change();
  await eventually('the plan is drawn', () => written.at(-1)?.includes('plan shop: running, 2 queued') === true);
  expect(written.at(-1)).not.toContain('No crewmux');
  away.since = -60_000;
  change();
  await eventually('it is said', () => /No crewmux is at work since .*\(1 min\): plans/.test(written.at(-1) ?? ''));
  leave();
  await ended;
});

it('shows plans alone at each change, in the rows there are', async () => {
  const written: string[] = [];
  const plans = [shop];
  let change: () => void = () => undefined;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const jobs = {
    planStatus: async () => ({ plans }),
    onChange: (listen: () => void) => {
      change = listen;
      return () => undefined;
    },
  };
  const screen = { size: () => ({ columns: 30, rows: 5 }), onResize: () => () => undefined, left: () => left };
  const write = (text: string) => written.push(text);
  let since: number | undefined;
  const absence = async () => since;
  const watching = { env: { NO_COLOR: '1' }, program: '/crewmux.mjs', now: () => 0, absence, write, screen };
  const ended = watchPlans({ jobs }, watching);
  await eventually('it is drawn', () => written.at(-1)?.includes('shop [p1] is running (autopil…') === true);
  plans.push(...['a', 'b', 'c'].map((name) => ({ ...shop, name })));
  change();
  await eventually('what has no room is counted', () => written.at(-1)?.includes('… 2 more lines') === true);
  expect(written.at(-1)?.split('\r\n')).toHaveLength(5);
  since = -60_000;
  change();
  await eventually('nobody drives them', () => written.at(-1)?.includes('No crewmux is at work since') === true);
  expect(written.at(-1)?.split('\r\n')).toHaveLength(5);
  leave();
  expect(await ended).toBe(0);
});
