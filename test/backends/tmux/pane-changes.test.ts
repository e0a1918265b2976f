import { expect, test } from 'vitest';
import type { PaneInfo, PaneList } from '../../../src/backends/terminal.ts';
import { comparePanes, nothingSeen, type SeenPanes } from '../../../src/backends/tmux/pane-changes.ts';
import { paneInfo } from '../pane-info.ts';

const dead = (id: string, change: Partial<PaneInfo> = {}) => paneInfo(id, { dead: true, exitCode: 1, ...change });

const { ref } = paneInfo('%0');
/** As the server that has such panes answers, or one in its place. */
const listed = (panes: readonly PaneInfo[], server: PaneList['server'] = panes[0]?.ref ?? ref): PaneList => ({
  panes,
  server,
});
const said = (event: PaneEvent) => (event.kind === 'pane-gone' && event.unanswered ? ', unanswered' : '');
type PaneEvent = ReturnType<typeof comparePanes>['events'][number];

/** The events of a row of looks, each look as `kind id`. */
function tell(...looks: readonly (readonly PaneInfo[])[]): readonly (readonly string[])[] {
  let seen: SeenPanes = nothingSeen;
  return looks.map((panes) => {
    const compared = comparePanes(seen, listed(panes), 1000);
    seen = compared.seen;
    return compared.events.map(
      (event) => `${event.kind} ${event.kind === 'pane-died' ? event.pane.ref.id : event.ref.id}${said(event)}`,
    );
  });
}

test('a death is told once', () => {
  expect(tell([paneInfo('%1')], [dead('%1')], [dead('%1')])).toEqual([[], ['pane-died %1'], []]);
});

test('a pane that is dead at the first look is told', () => {
  expect(tell([dead('%1')])).toEqual([['pane-died %1']]);
});

test('a second process that ends in the same pane is told again', () => {
  expect(tell([dead('%1')], [paneInfo('%1', { pid: 101 })], [dead('%1', { pid: 101 })])).toEqual([
    ['pane-died %1'],
    [],
    ['pane-died %1'],
  ]);
});

test('a dead pane that is removed is gone, not dead again', () => {
  expect(tell([dead('%1')], [], [])).toEqual([['pane-died %1'], ['pane-gone %1'], []]);
});

test('the same id on a new server is another pane', () => {
  const reborn = paneInfo('%1', { ref: { ...paneInfo('%1').ref, serverPid: 2 } });
  expect(tell([paneInfo('%1')], [reborn])).toEqual([[], ['pane-gone %1, unanswered']]);
});

test('a pane is gone for certain only where its own server says so', () => {
  const { seen } = comparePanes(nothingSeen, listed([paneInfo('%1')]), 1000);
  const nobody: PaneList = { panes: [], server: undefined };
  const gone = { kind: 'pane-gone', ref: paneInfo('%1').ref };
  expect(comparePanes(seen, listed([]), 1000).events).toEqual([gone]);
  expect(comparePanes(seen, nobody, 1000).events).toEqual([{ ...gone, unanswered: true }]);
});

test('a death waits for its exit to be known, but not for ever', () => {
  const ending = paneInfo('%1', { dead: true });
  expect(tell([ending], [dead('%1')])).toEqual([[], ['pane-died %1']]);
  const first = comparePanes(nothingSeen, listed([ending]), 1000);
  const second = comparePanes(first.seen, listed([ending]), 1999);
  expect([first.events, second.events]).toEqual([[], []]);
  expect(comparePanes(second.seen, listed([ending]), 2000).events).toHaveLength(1);
});

test('what is written is told, also in the second in which the look before was taken', () => {
  const at = (activeAt: number, change: Partial<PaneInfo> = {}) => [paneInfo('%1', { activeAt, ...change })];
  const { seen } = comparePanes(nothingSeen, listed(at(5)), 7_300);
  const moves = (activeAt: number, change?: Partial<PaneInfo>) =>
    comparePanes(seen, listed(at(activeAt, change)), 8_300).events.map(({ kind }) => kind);
  expect(moves(6)).toEqual([]);
  expect(moves(7)).toEqual(['pane-moved']);
  expect(moves(8)).toEqual(['pane-moved']);
  expect(moves(8, { dead: true, exitCode: 0 })).toEqual(['pane-died']);
});
