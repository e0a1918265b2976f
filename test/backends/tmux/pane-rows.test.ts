import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRows, rowFormat, signalName } from '../../../src/backends/tmux/pane-rows.ts';

const format = { nonce: '0a1b2c3d', keys: ['id', 'name'] };

/** What tmux prints for the format, given the values of its variables. */
const printed = (values: Readonly<Record<string, string>>): string =>
  `${rowFormat(format).replace(/#\{([^}]+)\}/g, (_, name: string) => values[name] ?? '')}\n`;

const alive = {
  pid: '4711',
  start_time: '1795229649',
  session_name: 'crew',
  session_id: '$3',
  window_id: '@7',
  pane_id: '%12',
  pane_pid: '5000',
  pane_current_command: 'node',
  pane_current_path: '/srv/a b',
  pane_dead: '0',
  pane_in_mode: '0',
  pane_width: '110',
  pane_height: '24',
  '@crewmux_id': '0123abcd',
};

const info = {
  ref: { socket: 's', serverPid: 4711, serverStartedAt: 1795229649, id: '%12' },
  session: 'crew',
  sessionId: '$3',
  windowId: '@7',
  pid: 5000,
  command: 'node',
  cwd: '/srv/a b',
  dead: false,
  inMode: false,
  width: 110,
  height: 24,
  marks: { id: '0123abcd' },
};

const read = (text: string) => readRows(text, format, 's');

test('a live pane is read whole, and a mark that is not set is no mark', () => {
  expect(read(printed(alive))).toEqual({ panes: [info], keysInUse: [] });
});

test.each([
  [{ pane_dead_status: '7' }, { exitCode: 7 }],
  [{ pane_dead_status: '0' }, { exitCode: 0 }],
  [{ pane_dead_signal: '9' }, { exitSignal: 'SIGKILL' }],
  [{ pane_dead_signal: 'TERM' }, { exitSignal: 'SIGTERM' }],
  [{}, {}],
])('a dead pane with %j ended with %j', (values, how) => {
  const [pane] = read(printed({ ...alive, pane_dead: '1', ...values })).panes;
  expect(pane).toEqual({ ...info, dead: true, ...how });
});

test('copy mode is a mode, however deep', () => {
  expect(read(printed({ ...alive, pane_in_mode: '2' })).panes[0]?.inMode).toBe(true);
});

test('no value can be mistaken for a border between values', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (cwd, id, name) => {
      const values = { ...alive, pane_current_path: cwd, '@crewmux_id': id, '@crewmux_name': name };
      const { panes } = read(printed(values) + printed(alive));
      expect(panes).toEqual([{ ...info, cwd, marks: { id, name } }, info]);
    }),
  );
});

test('marks of other crewmux processes are told by name', () => {
  expect(read(printed({ ...alive, '@crewmux_keys': 'id rare ' })).keysInUse).toEqual(['id', 'rare']);
});

test.each([
  ['a cut row', printed(alive).slice(0, -5)],
  ['words of something else', 'no server running on /tmp/x\n'],
  ['a pane without an id', printed({ ...alive, pane_id: '' })],
])('%s is an error, never an empty list', (_, text) => {
  expect(() => read(text)).toThrow();
});

test('nothing printed is no panes', () => {
  expect(read('').panes).toEqual([]);
});

test.each([
  ['', undefined],
  ['15', 'SIGTERM'],
  ['SIGHUP', 'SIGHUP'],
  ['200', 'signal 200'],
])('signal %j is called %j', (text, name) => {
  expect(signalName(text)).toBe(name);
});
