// `crewmux board` in a terminal of a person's own: keys typed into a real tmux pane, beside a server and alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { theirTmux, typedCrewmux } from './theirs.ts';
import { wordsOn } from './words.ts';

let stand: Stand;
let server: Server;
let ada: Worker;
let bo: Worker;
const { inTheirs, openTheirs, press, screen, sees } = theirTmux(() => stand);
const board = (...flags: string[]) => press(`${typedCrewmux} board ${flags.join(' ')}`, 'Enter');
const resize = (columns: number, rows: number) =>
  inTheirs('resize-window', '-t', '=me:', '-x', String(columns), '-y', String(rows));

beforeAll(async () => {
  stand = openStand();
  openTheirs(80, 24);
  server = await stand.serve();
  const crew = await server.spawn(
    { name: 'Ada', annotation: 'fix login' },
    { name: 'Bo', skip_permissions: true, prompt: 'WRITE cart.ts a cart\nSAY The cart is there.' },
  );
  const [first, second] = crew.sessions;
  if (first === undefined || second === undefined) throw new Error('no crew');
  [ada, bo] = [first, second];
  await server.wait([bo]);
});
afterAll(async () => {
  inTheirs('kill-server');
  await stand.dispose();
});

it('at 80x24 a person answers, filters, sends a message and reads, and comes back to the board each time', async () => {
  board();
  await sees(/^> {2}Ada +idle +\d+ (s|min) fix login/m);
  await server.message(ada, 'BASH touch wanted.txt');
  await sees(/^>! Ada +waiting: permission +\d+ s wants to run: touch wanted\.txt/m);
  await sees(/^ ! Ada wants to run: [^·]* · crewmux attach Ada/m);
  press('a');
  await sees(/\[y\] allow/);
  press('y');
  await sees(/Any key leads back to the board/);
  press('Space');
  await sees(/^> {2}Ada +idle/m);
  press('/');
  press('b', 'o');
  await sees(/^ \/bo_/m);
  press('Enter');
  const filtered = await sees(/only "bo"/);
  expect(filtered).toMatch(/^> {2}Bo /m);
  expect(filtered).not.toContain('Ada');
  press('m');
  await sees(/Message to Bo \(an empty one is not sent\):/);
  press('SAY Hello to you.', 'Enter');
  await sees(/Bo: submitted [\s\S]*Any key leads back/);
  press('Space');
  await server.until(bo.session_id, 'idle');
  press('l');
  await sees(/Hello to you\.[\s\S]*\(END\)/);
  press('q');
  await sees(/only "bo"/);
  press('d');
  await sees(/cart\.ts[\s\S]*\(END\)/);
  press('q');
  await sees(/^> {2}Bo /m);
  press('Escape');
  await sees(/^ {3}Ada /m);
  press('?');
  await sees(/Keys of the board/);
  press('q');
  await sees(/^> {2}Bo /m);
});

it('at 120x40 it shows branch and last words, Enter attaches, and C-b d leads back', async () => {
  resize(120, 40);
  await sees(/^> {2}Bo +idle +\d+ (s|min) Bo-\w+\/work .*Hello to you\./m);
  press('Enter');
  await sees(/C-b C-b d leaves the crew/);
  stand.sandbox.tmux('detach-client', '-s', `=${bo.tmux?.session}`);
  await sees(/^> {2}Bo /m);
});

it('a worker is landed and closed by a second key alone', async () => {
  stand.sandbox.git(bo.worktree_path ?? '', 'add', '.');
  stand.sandbox.git(bo.worktree_path ?? '', 'commit', '-qm', 'a cart');
  press('g');
  await sees(/^ y\/n: Land the work of Bo/m);
  press('n');
  await sees(/^ \? help/m);
  expect(stand.sandbox.git(stand.repo, 'log', '--format=%s')).not.toContain('a cart');
  press('g');
  await sees(/^ y\/n: Land the work of Bo/m);
  press('y');
  await sees(/-> main: landed at [\s\S]*Any key leads back/);
  expect(stand.sandbox.git(stand.repo, 'ls-files')).toContain('cart.ts');
  press('Space');
  await sees(/^ \? help/m);
  press('x');
  await sees(/^ y\/n: Close Bo for good/m);
  press('y');
  await sees(/Bo: closed/);
  press('Space');
  await sees(/^> {2}Ada /m);
  expect(screen()).not.toMatch(/^.{3}Bo /m);
});

it('without a server it shows the crew as it is, and q gives the terminal back as it was', async () => {
  await server.connection.close();
  await sees(/No crewmux is at work since/);
  expect(screen()).toMatch(/^> {2}Ada /m);
  press('q');
  // What is typed before the program has ended is typed into it, and before the prompt it stands in its place.
  await eventually('the shell is back', () => /^[#$]$/.test(screen().trim().split('\n').at(-1)?.trim() ?? ''));
  press('echo back $((1 + 1))', 'Enter');
  await sees(/^back 2$/m);
});

it('--plain prints lines once, and without a terminal the board says so', async () => {
  const crewmux = wordsOn(stand);
  const ofAda = /^1 idle\nAda: idle for \d+ \w+; .*\n/;
  expect(await crewmux('board', '--plain')).toMatchObject({ code: 0, stdout: expect.stringMatching(ofAda) });
  expect(await crewmux('status', '--plain')).toMatchObject({ code: 0, stdout: expect.stringMatching(ofAda) });
  expect(await crewmux('plan', '--plain')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No plans here\.\n/),
  });
  expect(await crewmux('board')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a terminal') });
});

it('on a terminal --plain sends nothing that moves the cursor or has a colour, also where a person types', async () => {
  server = await stand.serve();
  await server.message(ada, 'BASH touch other.txt');
  await server.until(ada.session_id, 'waiting');
  const sent = join(stand.sandbox.dir('sent'), 'bytes');
  inTheirs('pipe-pane', '-t', '=me:', `cat > ${sent}`);
  const crewmux = typedCrewmux;
  press(`clear; ${crewmux} status --plain; ${crewmux} plan --plain; ${crewmux} answer --plain`, 'Enter');
  await sees(/^needs you: Ada: permission: [\s\S]*^Ada wants to run: touch other\.txt \([\s\S]*^Which key\?/m);
  press('n');
  await sees(/Why not \(Enter for no reason, C-c sends nothing\)\?/);
  press('Not this one.', 'Enter');
  await sees(/Ada: deny taken/);
  const [, ...shown] = readFileSync(sent, 'utf8').split('1 waiting');
  expect(shown.join('')).toContain('Not this one.');
  expect(shown.join('')).not.toContain('\u001b');
});
