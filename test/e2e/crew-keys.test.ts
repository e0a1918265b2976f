// The keys of the crew's own tmux server that begin something, typed into a real tmux client.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { openPerson } from './person.ts';

let stand: Stand;
let server: Server;
let crew: readonly Worker[];
let [ada, bo]: readonly Worker[] = [];
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  const names = ['ada', 'bo', 'cleo'];
  crew = (await server.spawn(...names.map((name) => ({ name, use_worktree: false, skip_permissions: false }))))
    .sessions;
  [ada, bo] = crew;
});
afterAll(() => stand.dispose());

const worker = (one: Worker | undefined): Worker => one ?? expect.unreachable('no such worker');
const tmux = (...args: string[]) => stand.sandbox.tmux(...args);
const before = () => tmux('display-message', '-p', '-t', `=${worker(ada).tmux?.session}:`, '#{pane_id}').trim();
const paneOf = ({ terminal_id }: Worker) => (terminal_id ?? '').replace(/^tmux:/, '');
const socketPath = () => tmux('display-message', '-p', '#{socket_path}').trim();
/** Command lines; that of the tmux server itself holds all that its keys start. */
const started = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => !line.startsWith('tmux '));

it('`w` is a menu of all workers, neediest first, that leads to each, and no process stands behind it', async () => {
  await server.message(worker(bo), 'BASH touch wanted.txt');
  await server.until(worker(bo).session_id, 'waiting');
  const { person, screen, sees, prefixed, clientPid, leave } = openPerson(stand, worker(ada));
  await sees(/ ! 1 needs you/);
  tmux('select-pane', '-t', paneOf(worker(ada)));
  await prefixed('w');
  await sees(
    / workers [\s\S]*! bo +waiting: permission +\(a\)[\s\S]* (ada|cleo) +idle +\(b\)[\s\S]* (ada|cleo) +idle +\(c\)/,
  );
  expect(started().filter((line) => line.includes('crew-key') && line.includes(socketPath()))).toEqual([]);
  await eventually('the file of the menu is gone', () => !readdirSync(dirname(socketPath())).join().includes('.menu-'));
  person('a');
  await eventually('Bo is before the person', () => before() === paneOf(worker(bo)));
  await prefixed('w');
  await sees(/ ada +idle +\([bc]\)/);
  person(/ ada +idle +\(([bc])\)/.exec(screen())?.[1] ?? '');
  await eventually('Ada is before the person', () => before() === paneOf(worker(ada)));
  await prefixed('w');
  await sees(/ workers /);
  person('Down');
  person('Up');
  person('Enter');
  await eventually('Bo is before the person again', () => before() === paneOf(worker(bo)));
  await prefixed('w');
  await sees(/ workers /);
  const pid = clientPid();
  process.kill(pid, 'SIGKILL');
  await eventually('the client is gone', () => !tmux('list-clients', '-F', '#{client_pid}').includes(String(pid)));
  expect(tmux('list-panes', '-a', '-F', '#{pane_id}').split('\n')).toEqual(expect.arrayContaining(crew.map(paneOf)));
  leave();
});

it('`M` sends what is typed there, once, to the worker of the pane; an empty line sends nothing, and left open it holds up nobody', async () => {
  const cleo = worker(crew[2]);
  const { person, sees, prefixed, popupGone, leave } = openPerson(stand, cleo);
  await sees(/crewmux crew-|needs you/);
  tmux('select-pane', '-t', paneOf(cleo));
  await prefixed('M');
  await sees(/A message to cleo; Enter sends it/);
  person('Enter');
  await popupGone();
  await prefixed('M');
  await sees(/A message to cleo; Enter sends it/);
  person('-l', 'SAY $(from) "the" popup');
  await sees(/> SAY \$\(from\) "the" popup/);
  // It is open, and somebody else reaches the worker.
  await server.message(cleo, 'SAY from elsewhere');
  await server.wait([cleo]);
  expect(stand.screen(cleo)).not.toContain('popup');
  person('Enter');
  await sees(/cleo: submitted[\s\S]*Enter closes this/);
  await server.until(cleo.session_id, 'idle');
  expect(await server.lastWords(cleo)).toContain('$(from) "the" popup');
  person('Enter');
  await popupGone();
  await prefixed('M');
  await sees(/A message to cleo; Enter sends it/);
  person('-l', 'SAY not this');
  person('Escape');
  person('Enter');
  await sees(/Not sent: the line holds Escape[\s\S]*Enter closes this/);
  person('Enter');
  await popupGone();
  expect(stand.screen(cleo)).not.toContain('not this');
  leave();
});

it('`N` starts a worker on the task that is typed there, and none before it is sent', async () => {
  const { person, sees, prefixed, leave } = openPerson(stand, worker(ada));
  await sees(/crewmux crew-|needs you/);
  await prefixed('N');
  await sees(/A task for a new worker; Enter sends it/);
  person('-l', 'SAY begun by a key');
  await sees(/> SAY begun by a key/);
  const panes = () => tmux('list-panes', '-s', '-t', `=${worker(ada).tmux?.session}`, '-F', '#{@crewmux_name}');
  const names = panes();
  person('Enter');
  await sees(/Enter closes this/);
  await eventually('one worker more', () => panes().split('\n').length === names.split('\n').length + 1);
  person('Enter');
  await eventually('it is said', () => crewScreens().includes('begun by a key'));
  leave();

  function crewScreens(): string {
    return tmux('list-panes', '-s', '-t', `=${worker(ada).tmux?.session}`, '-F', '#{pane_id}')
      .trim()
      .split('\n')
      .map((pane) => tmux('capture-pane', '-p', '-t', pane))
      .join('\n');
  }
});

it('`b` is the board in a popup; Enter leads to a worker and takes the popup away, `q` ends it', async () => {
  const { person, screen, sees, prefixed, popupGone, leave } = openPerson(stand, worker(ada));
  await sees(/crewmux crew-|needs you/);
  tmux('select-pane', '-t', paneOf(worker(ada)));
  await prefixed('b');
  await sees(/┌─[\s\S]*cleo +idle[\s\S]*Enter attach/);
  // Somebody is in another crew on the same tmux server, and types there last.
  tmux('new-session', '-d', '-s', 'another', 'sh');
  tmux('new-session', '-d', '-s', 'elsewhere', `TMUX= tmux -L ${stand.sandbox.socket} attach -t =another`);
  const others = () => tmux('list-clients', '-t', '=another', '-F', '#{client_name}').trim();
  await eventually('they are there', () => others() !== '');
  tmux('send-keys', '-t', '=elsewhere:', 'x');
  await eventually('they have typed', () => tmux('capture-pane', '-p', '-t', '=another:').includes('x'));
  person('/');
  person('-l', 'cleo');
  person('Enter');
  await eventually(
    'the rest is left out',
    () => !/bo +(idle|waiting)/.test(screen().split('\n').slice(1, -1).join('\n')),
  );
  person('Enter');
  await eventually('cleo is before the person', () => before() === paneOf(worker(crew[2])));
  await popupGone();
  expect(others()).not.toBe('');
  tmux('kill-session', '-t', '=another');
  await prefixed('b');
  await sees(/cleo +idle[\s\S]*Enter attach/);
  person('q');
  await popupGone();
  leave();
});
