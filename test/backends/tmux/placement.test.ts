import { expect, test } from 'vitest';
import type { PaneInfo, PaneRequest } from '../../../src/backends/terminal.ts';
import { place, tmuxSessionName } from '../../../src/backends/tmux/placement.ts';
import { paneInfo } from '../pane-info.ts';

/** `@7:birth,batch=b` is a pane in window @7 with these marks. */
function pane(text: string, tmuxSession = 'crew'): PaneInfo {
  const [windowId = '', marks = ''] = text.split(':');
  const pairs = marks.split(',').map((mark) => mark.split('='));
  const named = Object.fromEntries(pairs.map(([key = '', value = 'x']) => [key, value]));
  return paneInfo('%1', { session: tmuxSession, sessionId: '$3', windowId, marks: named });
}

const split = (windowId: string) => ({ is: 'split', windowId });
const window = { is: 'window', sessionId: '$3' };
const table: readonly (readonly [string, readonly string[], PaneRequest['placement'], unknown])[] = [
  ['no pane of the crew makes its tmux session', [], 'fill', { is: 'tmux-session' }],
  ['fill joins one pane', ['@7:birth'], 'fill', split('@7')],
  ['fill joins three panes', ['@7:birth', '@7:birth', '@7:birth'], 'fill', split('@7')],
  ['four panes are full', ['@7:birth', '@7:birth', '@7:birth', '@7:birth'], 'fill', window],
  ['fill takes the newest window by number', ['@9:birth', '@10:birth', '@2:birth'], 'fill', split('@10')],
  [
    'a hole in an older window is filled',
    ['@9:birth', '@10:birth', '@10:birth', '@10:birth', '@10:birth'],
    'fill',
    split('@9'),
  ],
  ["a person's pane keeps a window theirs", ['@7:birth', '@7:other'], 'fill', window],
  ['a batch does not join a window of no batch', ['@7:birth'], { batch: 'b' }, window],
  ['a batch does not join another batch', ['@7:birth,batch=a'], { batch: 'b' }, window],
  ['a batch joins its own window', ['@7:birth,batch=b', '@8:birth,batch=a'], { batch: 'b' }, split('@7')],
];

test.each(table)('%s', (_, panes, placement, expected) => {
  expect(
    place(
      panes.map((one) => pane(one)),
      { session: 'crew', placement },
    ),
  ).toEqual(expected);
});

test('panes of another crew do not count', () => {
  expect(place([pane('@7:birth', 'crew2')], { session: 'crew', placement: 'fill' })).toEqual({ is: 'tmux-session' });
});

test('a window that had no room is not tried again', () => {
  const panes = [pane('@7:birth'), pane('@8:birth')];
  expect(place(panes, { session: 'crew', placement: 'fill' }, new Set(['@8']))).toEqual(split('@7'));
});

test.each([
  ['crew-1', 'crew-1'],
  ['my.crew:2', 'my_crew_2'],
  ['-x', '_x'],
  ['=$@%', '____'],
  ['größe', 'größe'],
  ['', '_'],
])('a crew called %j has the tmux session %j', (text, name) => {
  expect(tmuxSessionName(text)).toBe(name);
});
