import { expect, it } from 'vitest';
import type { PaneInfo } from '../../../src/backends/terminal.ts';
import { endOf } from '../../../src/crew/workers/pane-events.ts';
import type { PaneRecord } from '../../../src/model/worker.ts';

const server = { socket: 'private', serverPid: 10, serverStartedAt: 1 };
const record: PaneRecord = { ...server, paneId: '%1', windowId: '@1', session: 'crew', pid: 20 };
const ref = { ...server, id: '%1' };
const died: PaneInfo = {
  ref,
  session: 'crew',
  sessionId: '$1',
  windowId: '@1',
  pid: 20,
  command: 'codex',
  cwd: '/',
  dead: true,
  inMode: false,
  width: 80,
  height: 24,
  marks: {},
};

it.each([
  ['the death of the program that it runs', { kind: 'pane-died', pane: died }, 'its'],
  ['the death of the one that ran there before', { kind: 'pane-died', pane: { ...died, pid: 19 } }, 'unsure'],
  [
    'the death of the same number in another pane',
    { kind: 'pane-died', pane: { ...died, ref: { ...ref, id: '%2' } } },
    'none',
  ],
  ['the end of its pane', { kind: 'pane-gone', ref }, 'its'],
  ['the end of its pane that its server has not told', { kind: 'pane-gone', ref, unanswered: true }, 'unsure'],
  ['the end of a pane of the server before', { kind: 'pane-gone', ref: { ...ref, serverPid: 9 } }, 'none'],
] as const)('%s: %o, whose it is: %s', (_, event, end) => {
  expect(endOf(record, event)).toBe(end);
});
