// The menu of all workers: its lines, and a person who opens it on real tmux.
import { expect, it } from 'vitest';
import { menuLines, neediestFirst, type WorkerMenu } from '../../../src/backends/tmux/worker-menu.ts';
import { linesOf } from '../../../src/bin/crew-key.ts';

const worker = (id: number, needsSomebody = false) => ({
  id: `%${id}`,
  needsSomebody,
  name: `w${id}`,
  status: needsSomebody ? 'waiting: permission' : 'idle',
  annotation: '',
});
const menu = (count: number, change: Partial<WorkerMenu> = {}): string =>
  menuLines({
    entries: Array.from({ length: count }, (_, at) => ({ ...worker(at + 1), text: `w${at + 1}` })),
    from: 0,
    height: 24,
    file: '/s.menu-1',
    again: (from) => `again ${from}`,
    ...change,
  });
const letters = (lines: string) => [...lines.matchAll(/ (\S) "select-window/g)].map(([, letter]) => letter);

it('puts those that need somebody first, and else keeps the order of their windows', () => {
  const order = neediestFirst([worker(1), worker(2, true), worker(3), worker(4, true)]).map(({ id }) => id);
  expect(order).toEqual(['%2', '%4', '%1', '%3']);
});

it('has a row for each with a mark and what it does, cut to the width', () => {
  const panes = [worker(1), { ...worker(12, true), annotation: 'fix\nthe login' }];
  expect(linesOf(panes, 40).map(({ text }) => text)).toEqual(['w12  waiting: permission · fix the login', 'w1   idle']);
  expect(linesOf([{ ...worker(1), name: '日本語' }], 40).map(({ text }) => text)).toEqual(['日本語  idle']);
  expect(linesOf(panes, 12).map(({ text }) => text)).toEqual(['w12  waitin…', 'w1   idle']);
});

it('gives each a letter that tmux does not use itself', () => {
  expect(letters(menu(47, { height: 100 }))).toHaveLength(47);
  expect(letters(menu(47, { height: 100 })).join('')).not.toMatch(/[jkgGq]|(.).*\1/);
});

it.each([
  [20, 0, 20, undefined],
  [21, 0, 19, 'again 19'],
  [200, 0, 19, 'again 19'],
  [200, 190, 10, undefined],
])('of %i workers from %i on has %i rows on 24, and then %s', (count, from, rows, again) => {
  const lines = menu(count, { from });
  expect(letters(lines)).toHaveLength(rows);
  expect(/again \d+/.exec(lines)?.[0]).toBe(again);
});

it('of no worker is a line that says so', () => {
  expect(menu(0)).toContain('display-message "No worker is here."');
});

it('has no text that tmux would read as more than text', () => {
  const odd = '#(touch x) #{pid} #[fg=red] ; kill-server "$HOME" \\';
  const lines = menu(0, { entries: [{ ...worker(1), text: odd }] });
  expect(lines).toContain('##(touch x) ##{pid} ##[fg=red] ; kill-server \\042\\044HOME\\042 \\134"');
  expect(lines.trim().split('\n')).toHaveLength(2);
});
