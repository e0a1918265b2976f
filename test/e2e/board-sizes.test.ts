// What `crewmux board` draws into real panes of three sizes; `-u` writes the recordings anew.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { bundle, openStand, type Stand } from './crew.ts';

let stand: Stand;
const inTheirs = (...args: string[]) =>
  execFileSync('tmux', ['-L', `${stand.sandbox.socket}-theirs`, '-f', '/dev/null', ...args], {
    env: stand.sandbox.env,
    cwd: stand.repo,
    encoding: 'utf8',
  });
const screen = () => inTheirs('capture-pane', '-p', '-t', '=me:').slice(0, -1);

beforeAll(async () => {
  stand = openStand();
  const server = await stand.serve();
  const { sessions } = await server.spawn(
    { name: 'Ada', annotation: 'fix login', prompt: 'SAY The login is fixed.' },
    { name: 'Bo', annotation: 'cart', prompt: 'HOLD lunch\nSAY done' },
    { name: 'Cleo', annotation: 'docs', prompt: 'BASH touch wanted.txt', skip_permissions: false },
  );
  const [ada, bo, cleo] = sessions.map(({ session_id }) => session_id);
  await server.until(ada ?? '', 'idle');
  await server.until(bo ?? '', 'working');
  await server.until(cleo ?? '', 'waiting');
  inTheirs('new-session', '-d', '-s', 'me', '-x', '80', '-y', '24', 'sh');
  inTheirs('send-keys', '-t', '=me:', `exec ${process.execPath} ${bundle} board`, 'Enter');
});
afterAll(async () => {
  inTheirs('kill-server');
  await stand.dispose();
});

/** What differs from run to run keeps its columns: the age of a state stands right in its own, that of a turn left. */
const steady = (text: string): string =>
  text
    .replace(
      /^(.*?)( *\d+ (?:s|min)) /gm,
      (_, before: string, age: string) => `${before}${'AGE'.padStart(age.length)} `,
    )
    .replace(/(?<=\S +)\d+ (?:s|min)\b */g, (age) => 'AGE'.padEnd(age.length))
    .replace(/\b[0-9a-f]{6,8}\b/g, (id) => 'x'.repeat(id.length))
    .replace(/\b\d\.\dk/g, '0.0k')
    .replace(/ +$/gm, '');

it.each([
  [80, 24, /WORKER +STATE +WHAT/],
  [120, 40, /WORKER +STATE +BRANCH +TURN +WHAT/],
  [200, 50, /WORKER +STATE +BRANCH +TURN +TOKENS +LEFT +MODEL +WHAT/],
])('at %dx%d it is drawn as it was recorded', async (columns, rows, heading) => {
  inTheirs('resize-window', '-t', '=me:', '-x', String(columns), '-y', String(rows));
  const seen = await eventually('it is drawn in this size', () => {
    const shown = screen();
    const lines = shown.split('\n');
    return heading.test(lines[1] ?? '') && lines.length === rows && lines.at(-1)?.includes('? help') && shown;
  });
  await expect(`${steady(seen)}\n`).toMatchFileSnapshot(`board-sizes/${columns}x${rows}.txt`);
});
