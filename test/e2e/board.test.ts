// The board a person sees, on real tmux with the built server and scripted agents.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { bundle, openStand, type Server, type Stand, type Worker } from './crew.ts';
import { openPerson } from './person.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const tmux = (...args: string[]) => stand.sandbox.tmux(...args);
const crewOf = ({ tmux: place }: Worker) => place?.session ?? '';
function boardOf(of: Worker): string {
  try {
    return tmux('capture-pane', '-p', '-t', `=${crewOf(of)}:0`);
  } catch {
    return '';
  }
}
const see = (of: Worker, text: RegExp) =>
  eventually(`${text} on the board`, () => {
    const screen = boardOf(of);
    return text.test(screen) ? screen : undefined;
  });

const one = (name: string, more: Fields = {}) => server.one({ name, use_worktree: false, ...more });
/** A test begins without a crew; the tmux session goes with the last worker of the one before. */
async function gone(...workers: readonly Worker[]): Promise<void> {
  for (const worker of workers) await server.close(worker, true);
  const session = workers.map(crewOf)[0] ?? '';
  await eventually('the tmux session is gone', () => !sessions().includes(session));
}
function sessions(): string {
  try {
    return tmux('list-sessions', '-F', '#{session_name}');
  } catch {
    // The last session took its server with it.
    return '';
  }
}

it('shows who works, who is idle and who needs someone, with what was asked', async () => {
  const ada = await one('ada', { annotation: 'fix login', skip_permissions: false });
  const bo = await one('bo', { prompt: 'HOLD for now\nSAY done' });
  await see(ada, /ada +idle +[\d:]{8} fix login/);
  await see(ada, /bo +working/);
  await server.message(ada, 'BASH touch wanted.txt');
  const screen = await see(ada, /! ada wants to run: /);
  expect(screen).toContain('touch wanted.txt');
  expect(screen).toMatch(/1 idle|1 working, 1 waiting/);
  // The words of a drawing are the newest, so that the bell may come with the next.
  await eventually('it has rung', () => {
    return tmux('display-message', '-p', '-t', `=${crewOf(ada)}:0`, '#{window_bell_flag}') === '1';
  });
  stand.release('for now');
  await see(ada, /bo +idle/);
  await gone(ada, bo);
});

it('a person who attaches finds the board at window 0 and the window of who needs someone marked', async () => {
  const ada = await one('ada', { skip_permissions: false });
  await see(ada, /ada +idle/);
  const { person, sees, prefixed, leave } = openPerson(stand, ada);
  await sees(/crewmux crew-/);
  await prefixed('0');
  await sees(/ada +idle/);
  await server.message(ada, 'BASH touch wanted.txt');
  await sees(/! ada wants to run: /);
  await sees(/0:board.* 1:!ada/);
  await prefixed('1');
  await sees(/Do you want to proceed/);
  await prefixed('0');
  await sees(/0:board.* 1:!ada/);
  await prefixed('n');
  await sees(/Do you want to proceed/);
  await prefixed('a');
  await sees(/\[y\] allow/);
  person('q');
  await sees(/Enter closes this/);
  person('Enter');
  await sees(/Do you want to proceed/);
  await prefixed('L');
  await sees(/BASH touch wanted.txt[\s\S]*\(END\)/);
  person('q');
  await sees(/Do you want to proceed/);
  leave();
  await gone(ada);
});

it('at 80x24 a person sees six requests with the keys that lead to them, and every worker', async () => {
  const names = ['ada', 'bo', 'cleo', 'dan', 'eve', 'finn'];
  const asking = { use_worktree: false, skip_permissions: false, prompt: 'BASH touch wanted.txt' };
  const { sessions: crew } = await server.spawn(...names.map((name) => ({ name, ...asking })));
  const [ada] = crew;
  if (ada === undefined) throw new Error('No worker');
  // A border takes a row of the 25.
  const size = ['-x', '80', '-y', '25'];
  const outer = tmux(
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-s',
    'person',
    ...size,
    `TMUX= ${ada.tmux?.attach}`,
  );
  await eventually('the person is there', () => /crewmux crew-|need you/.test(tmux('capture-pane', '-p', '-t', outer)));
  tmux('select-window', '-t', `=${crewOf(ada)}:0`);
  const seen = await eventually('everybody before the person', () => {
    const screen = tmux('capture-pane', '-p', '-t', outer);
    return names.every((name) => screen.includes(`! ${name} wants to run: `)) && screen;
  });
  const keys = seen.match(/(?<=wants to run: [^·\n]* · )C-b \d C-b q \d/g)?.toSorted();
  expect(keys).toEqual([...[0, 1, 2, 3].map((pane) => `C-b 1 C-b q ${pane}`), 'C-b 2 C-b q 0', 'C-b 2 C-b q 1']);
  for (const name of names) expect(seen).toMatch(new RegExp(`^ ! ${name} +waiting: permission`, 'm'));
  expect(seen).toMatch(/drawn [\d:]{8}/);
  tmux('kill-session', '-t', '=person');
  await gone(...crew);
});

it('after kill -9 of the server the board stands, the status line says that nobody looks, and the next one draws on', async () => {
  const ada = await one('ada', { prompt: 'HOLD on\nSAY done' });
  await see(ada, /ada +working/);
  process.kill(server.connection.pid, 'SIGKILL');
  const status = () => tmux('display-message', '-p', '-t', `=${crewOf(ada)}:0`, '#{T:status-right}');
  await eventually('nobody looks', () => /no crewmux at work/.test(status()));
  stand.release('on');
  expect(boardOf(ada)).toMatch(/ada +working/);
  server = await stand.serve();
  await see(ada, /ada +idle/);
  expect(status()).not.toMatch(/no crewmux/);
  await gone(ada);
});

it('`crewmux status --watch` shows the same in a terminal of any size, changes with the crew, and ends as it began', async () => {
  const ada = await one('ada', { annotation: 'fix login', skip_permissions: false });
  await see(ada, /ada +idle/);
  const env = { ...stand.sandbox.env, CREWMUX_PROJECT_DIR: stand.repo };
  const set = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const pane = tmux(
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-x',
    '80',
    '-y',
    '25',
    '-s',
    'person',
    ...set,
    'sh',
  );
  const sees = (text: RegExp) =>
    eventually(`${text} before the person`, () => text.test(tmux('capture-pane', '-p', '-t', pane)));
  tmux('send-keys', '-t', pane, `cd ${stand.repo}; ${process.execPath} ${bundle} status --watch`, 'Enter');
  await sees(/ada +idle +[\d:]{8} fix login/);
  await server.message(ada, 'BASH touch wanted.txt');
  await sees(/! ada wants to run: [^·]* · crewmux attach ada/);
  await sees(/! ada +waiting: permission/);
  const bo = await one('bo', { prompt: 'SAY done' });
  await sees(/bo +idle/);
  tmux('resize-window', '-t', '=person:', '-x', '60', '-y', '9');
  await eventually('it is drawn lower', () =>
    /^ crewmux .*\n(.*\n){6} {3}drawn/.test(tmux('capture-pane', '-p', '-t', pane)),
  );
  tmux('send-keys', '-t', pane, 'q');
  await sees(/status --watch/);
  tmux('kill-session', '-t', '=person');
  await gone(ada, bo);
});

it('goes with the last worker, and is never listed as one', async () => {
  const ada = await one('ada');
  await see(ada, /ada +idle/);
  expect((await server.look(ada.session_id)).status).toBe('idle');
  await gone(ada);
});

it('is not made when the settings say so', async () => {
  const config = join(stand.sandbox.root, 'config.json');
  writeFileSync(config, '{"tmux": {"board": false}}');
  const other = await stand.serve({ CREWMUX_CONFIG: config });
  const ada = await other.one({ name: 'ada', use_worktree: false, prompt: 'SAY done' });
  await other.wait([ada]);
  expect(tmux('list-windows', '-t', `=${crewOf(ada)}`, '-F', '#{window_index}')).toBe('1');
});
