// Keys of the crew's own tmux server: the table of them, and a person who presses them on real tmux.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, test } from 'vitest';
import type { BoardPlace } from '../../../src/backends/terminal.ts';
import { type KeyPlan, keyCommands } from '../../../src/backends/tmux/crew-keys.ts';
import { nextPane, showNext, workerPanes } from '../../../src/backends/tmux/next-worker.ts';
import { chosenKeys, isKey, type KeyChoice } from '../../../src/model/crew-keys.ts';
import { eventually, type Sandbox } from '../../support/sandbox.ts';
import { openRecorder, seeScreen, tmuxOf, withTerminal } from '../terminal-bench.ts';

const plan: KeyPlan = { choice: {}, program: ['node', '/x/it is.js'], hasPopups: true };
const bindings = (change: Partial<KeyPlan> = {}) =>
  Object.fromEntries(keyCommands({ ...plan, ...change }).map((words) => [words[3], words.slice(4).join(' ')]));

it.each<[why: string, choice: KeyChoice, keys: string]>([
  ['no choice', {}, 'a=answer n=next w=workers N=spawn M=message L=log D=diff b=board ?=help'],
  ['all off', false, ''],
  ['one off', { L: false }, 'a=answer n=next w=workers N=spawn M=message D=diff b=board ?=help'],
  [
    'another key',
    { a: false, 'M-a': 'answer' },
    'n=next w=workers N=spawn M=message L=log D=diff b=board ?=help M-a=answer',
  ],
  ['another act', { D: 'log' }, 'a=answer n=next w=workers N=spawn M=message L=log D=log b=board ?=help'],
])('of %s come the keys that are left', (_, choice, keys) => {
  expect(
    chosenKeys(choice)
      .map((pair) => pair.join('='))
      .join(' '),
  ).toBe(keys);
});

it.each<[key: string, is: boolean]>([
  ...['a', '?', 'M-w', 'C-n', 'F12'].map((key): [string, boolean] => [key, true]),
  ...['', 'ab', 'C-!', 'F13', ' ', 'Entr', '\n'].map((key): [string, boolean] => [key, false]),
])('takes %j for a key: %s', (key, is) => {
  expect(isKey(key)).toBe(is);
});

it('binds each key to a popup that ends with its program, whatever the path of that', () => {
  const { a = '', N = '', M = '', L = '', D = '', '?': help = '' } = bindings();
  for (const one of [a, N, M, L, D, help]) expect(one).toMatch(/^display-popup -E -w 90% -h 90% exec \/bin\/sh -c '/);
  expect(a.replaceAll(String.raw`'\''`, "'")).toContain("'node' '/x/it is.js' answer");
  expect(L.replaceAll(String.raw`'\''`, "'")).toContain(`'node' '/x/it is.js' logs "$worker"`);
  expect(D).toContain('diff "$worker"');
  expect(N).toContain('spawn -- "$text"');
  expect(M).toContain('message "$worker" "$text"');
  expect(help).toContain('answer what waits for you');
});

it('the help lists a key once: what the person has made of it', () => {
  const help = (choice: KeyChoice) => bindings({ choice })['?'] ?? '';
  expect(help({})).toMatch(/d {4}leave; the crew goes on/);
  expect(help({ d: 'diff' })).not.toContain('leave');
});

it('opens a window that goes with its program where tmux has no popups, and needs no note', () => {
  const [first = []] = keyCommands({ ...plan, hasPopups: false });
  expect(first.slice(0, 5)).toEqual(['bind-key', 'a', 'new-window', '-n', 'crewmux']);
  expect(first.slice(-5)).toEqual([';', 'set-option', '-w', 'remain-on-exit', 'off']);
});

it('`n` starts no popup, but one process that is told where the person is', () => {
  const { n } = bindings({ program: ['node', '/x/#S.js'] });
  expect(n).toBe(
    "run-shell -b 'node' '/x/##S.js' crew-key next '#{socket_path}' '#{session_id}' '#{pane_id}' > /dev/null 2>&1 || :",
  );
});

it('`w` lets tmux read a menu from a file beside its socket, and starts no popup', () => {
  const file = '#{socket_path}.menu-#{client_pid}';
  expect(bindings().w).toBe(
    `run-shell 'node' '/x/it is.js' crew-key menu '#{socket_path}' '#{session_id}' '#{pane_id}' '${file}' '#{client_width}' '#{client_height}' 0 > /dev/null 2>&1 || : ; source-file -qF ${file}`,
  );
});

it.each<[version: string, hasPopups: boolean, begins: Readonly<Record<string, string>>]>([
  [
    '3.2',
    true,
    { a: 'display-popup', n: 'run-shell', w: 'run-shell', N: 'display-popup', M: 'display-popup', L: 'display-popup' },
  ],
  [
    '3.1',
    false,
    { a: 'new-window', n: 'run-shell', w: 'new-window', N: 'new-window', M: 'new-window', L: 'new-window' },
  ],
])('on tmux %s each key begins as that can', (_, hasPopups, begins) => {
  const commands = keyCommands({ ...plan, hasPopups });
  const begun = (key: string) => commands.find((words) => words.includes(key))?.slice(hasPopups ? 4 : 2)[0];
  expect(Object.fromEntries(Object.keys(begins).map((key) => [key, begun(key)]))).toEqual(begins);
});

it.each<[panes: string, current: string, next: string | undefined]>([
  ['%1 0,%2 1,%3 0,%4 1', '%1', '%2'],
  ['%1 0,%2 1,%3 0,%4 1', '%2', '%4'],
  ['%1 0,%2 1,%3 0,%4 1', '%4', '%2'],
  ['%1 0,%2 1,,%3 0', '%board', '%2'],
  ['%1 0,%2 1,%3 0', '%2', '%2'],
  ['%1 0,%2 0,%3 0', '%2', '%3'],
  ['%1 0,%2 0', '%2', '%1'],
  ['', '%1', undefined],
])('of %j comes after %s: %s', (panes, current, next) => {
  expect(nextPane(workerPanes(panes.replaceAll(',', '\n')), current)).toBe(next);
});

test('the next worker that needs somebody is shown, in whichever window it is', async () => {
  await withTerminal(tmuxOf, async ({ terminal, request, sandbox }) => {
    const opened = [];
    for (let one = 0; one < 6; one += 1) {
      const label = { ...request().label, alarm: one === 1 || one === 5 };
      opened.push(await terminal.open(request({ label, marks: { worker: `w${one}` } })));
    }
    const [first, second, , , , last] = opened.map(({ ref }) => ref.id);
    const session = sandbox.tmux('display-message', '-p', '-t', '=crew:', '#{session_id}').trim();
    const before = () => sandbox.tmux('display-message', '-p', '-t', '=crew:', '#{pane_id}').trim();
    sandbox.tmux('select-window', '-t', `${first}`);
    for (const expected of [second, last, second]) {
      expect(await showNext({ socket: sandbox.socket, env: sandbox.env, session, pane: before() })).toBe(true);
      expect(before()).toBe(expected);
    }
  });
});

test('without popups a window asks for the number of a worker, and closes itself', async () => {
  await withTerminal(tmuxOf, async ({ terminal, request, sandbox }) => {
    const workers = [await terminal.open(request()), await terminal.open(request())];
    const before = () => sandbox.tmux('display-message', '-p', '-t', '=crew:', '#{pane_id}').trim();
    const program = ['sh', '-c', 'echo "$1 $2 of $4"', 'sh'];
    const keys = keyCommands({ choice: { w: 'workers' }, program, hasPopups: false });
    const words = keys.find(([, key]) => key === 'w')?.slice(2) ?? [];
    sandbox.tmux('select-window', '-t', '=crew:');
    const other = workers.map(({ ref }) => ref.id).find((id) => id !== before()) ?? '';
    sandbox.tmux(...words);
    const asks = before();
    await eventually('it asks', () =>
      sandbox.tmux('capture-pane', '-p', '-t', asks).includes('The number of a worker'),
    );
    expect(sandbox.tmux('capture-pane', '-p', '-t', asks)).toMatch(/crew-key list of \$\d+/);
    sandbox.tmux('send-keys', '-t', asks, other.slice(1), 'Enter');
    await eventually('the worker is there', () => before() === other);
    await eventually('the window is gone', () => !sandbox.tmux('list-panes', '-a', '-F', '#{pane_id}').includes(asks));
  });
});

const said = 'echo "$1 for $2 in $(pwd)"; read -r line; echo "heard $line"';
const keyed = (sandbox: Sandbox) => {
  const env = { ...sandbox.env, TMUX: '/nowhere,1,0' };
  return tmuxOf(sandbox, { env, keys: { choice: {}, program: ['sh', '-c', said, 'sh'] } });
};

test('a popup takes all that a person types; the pane below gets nothing of it, and goes on', async () => {
  await withTerminal(keyed, async (bench) => {
    const { terminal, request, sandbox } = bench;
    const project = sandbox.dir('project');
    const marks = { worker: '0123abcd', project };
    const { pane, keys } = await openRecorder({ ...bench, request: (change) => request({ ...change, marks }) });
    await withTerminal(tmuxOf, async (person) => {
      const attach = terminal.attachCommand('crew');
      const screen = await person.terminal.open(person.request({ argv: ['sh', '-c', `${attach}; exec sleep 600`] }));
      const see = (text: string) => seeScreen(person.terminal, screen, text);
      const type = (...words: string[]) => void person.sandbox.tmux('send-keys', '-t', screen.ref.id, ...words);
      await see('crewmux crew');
      // A key within a millisecond of what the terminal itself reports would be taken for pasted text.
      sandbox.tmux('set-option', '-g', 'assume-paste-time', '0');
      const press = async (key: string) => {
        type('C-b');
        await eventually('the prefix is heard', () =>
          sandbox.tmux('list-clients', '-F', '#{client_prefix}').includes('1'),
        );
        type(key);
      };
      await press('a');
      await see(`answer for  in ${project}`);
      type('-l', 'into the popup');
      type('Enter');
      await see('heard into the popup');
      await terminal.deliver(pane.ref, [{ press: 'Enter' }]);
      await eventually('the worker is reached below it', () => keys() === '\r');
      type('Enter');
      await eventually('it is closed', async () => !(await person.terminal.capture(screen.ref)).includes('heard'));
      await press('?');
      await see('answer what waits for you');
      type('Enter');
      await eventually(
        'it is closed',
        async () => !(await person.terminal.capture(screen.ref)).includes('waits for you'),
      );
      type('x');
      await eventually('the worker is reached again', () => keys() === '\rx');
    });
  });
});

test('the tmux server itself knows which keys it has, for whoever draws a board', async () => {
  const choice = { a: false, '=': 'answer', '?': false } as const;
  const chosen = (sandbox: Sandbox) => tmuxOf(sandbox, { keys: { choice, program: ['true'] } });
  await withTerminal(chosen, async ({ terminal, request, sandbox }) => {
    await terminal.open(request());
    const another = await tmuxOf(sandbox);
    const acts: ReadonlyMap<string, string>[] = [];
    const text = (place: BoardPlace) => `${acts.push(place.acts)}`;
    await another.draw('crew', { text, bell: false }).finally(() => another.dispose());
    expect(['answer', 'board', 'help'].map((act) => acts[0]?.get(act))).toEqual(['C-b =', 'C-b b', undefined]);
  });
});

test('a popup is about the tmux session of its person, whoever used another one last', async () => {
  await withTerminal(keyed, async ({ terminal, request, sandbox }) => {
    const crews = ['crew', 'another'] as const;
    const project = (crew: string) => sandbox.dir(`${crew}-project`);
    for (const crew of crews) {
      const marks = { worker: crew === 'crew' ? '0123abcd' : '0123abce', project: project(crew) };
      const label = { ...request().label, name: `worker-of-${crew}` };
      await terminal.open(request({ session: crew, label, marks }));
    }
    await withTerminal(tmuxOf, async (person) => {
      const [mine, other] = await Promise.all(
        crews.map((crew) => {
          const argv = ['sh', '-c', `${terminal.attachCommand(crew)}; exec sleep 600`];
          return person.terminal.open(person.request({ session: `before-${crew}`, argv }));
        }),
      );
      if (mine === undefined || other === undefined) throw new Error('no persons');
      await seeScreen(person.terminal, mine, 'crewmux crew ');
      await seeScreen(person.terminal, other, 'crewmux another ');
      const client = sandbox.tmux('list-clients', '-t', '=crew', '-F', '#{client_name}').trim();
      const open = (key: string) => {
        const line = keyCommands({ ...plan, program: ['sh', '-c', said, 'sh'] }).find(([, , , one]) => one === key);
        person.sandbox.tmux('send-keys', '-t', other.ref.id, 'x');
        const words = ['-L', sandbox.socket, 'display-popup', '-c', client, '-t', '=crew:', '-E', line?.at(-1) ?? ''];
        return promisify(execFile)('tmux', words, { env: sandbox.env });
      };
      const closed = [open('M')];
      await seeScreen(person.terminal, mine, 'A message to worker-of-crew');
      person.sandbox.tmux('send-keys', '-t', mine.ref.id, 'Enter');
      await Promise.all(closed);
      const answering = open('a');
      await seeScreen(person.terminal, mine, `in ${project('crew')}`);
      person.sandbox.tmux('send-keys', '-t', mine.ref.id, 'Enter', 'Enter');
      await answering;
    });
  });
});

test('a server to which no keys are given keeps those of tmux', async () => {
  await withTerminal(tmuxOf, async ({ terminal, request, sandbox }) => {
    await terminal.open(request());
    expect(sandbox.tmux('list-keys', '-T', 'prefix')).not.toContain('display-popup');
  });
});

test('the status line says first who needs somebody, and at 80 columns nothing beside it but the marked windows', async () => {
  await withTerminal(keyed, async ({ terminal, request, sandbox }) => {
    const label = { name: 'ada', annotation: '', status: 'waiting', colour: 'colour39', alarm: true };
    const ada = await terminal.open(request({ label }));
    await terminal.open(request({ label: { ...label, name: 'bo' } }));
    await terminal.open(request({ session: 'another', label }));
    await withTerminal(tmuxOf, async (person) => {
      const attach = terminal.attachCommand('crew');
      const argv = ['sh', '-c', `${attach}; exec sleep 600`];
      const screen = await person.terminal.open(person.request({ argv }));
      const sees = (line: RegExp) =>
        eventually(`${line} on the status line`, async () =>
          line.test((await person.terminal.capture(screen.ref)).trimEnd().split('\n').at(-1) ?? ''),
        );
      await sees(/^ ! 2 need you · C-b a +crewmux crew .*1:!ada !bo.* C-b d leaves/);
      person.sandbox.tmux('resize-window', '-t', screen.ref.id, '-x', '80', '-y', '25');
      await sees(/^ ! 2 need you · C-b a +1:!ada !bo *$/);
      await terminal.label(ada.ref, { ...label, alarm: false });
      sandbox.tmux(
        'refresh-client',
        '-S',
        '-t',
        sandbox.tmux('list-clients', '-t', '=crew', '-F', '#{client_name}').trim(),
      );
      await sees(/^ ! 1 needs you · C-b a +1:ada !bo *$/);
    });
  });
});
