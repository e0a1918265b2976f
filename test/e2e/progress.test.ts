// What a person sees at a real terminal while an act takes long, by a server and without one.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { bundle, openStand, type Server, type Stand } from './crew.ts';
import { wordsOn } from './words.ts';

let stand: Stand;
let server: Server;
const inTheirs = (...args: string[]) => stand.sandbox.tmux(...args);
const screen = () => inTheirs('capture-pane', '-p', '-S', '-', '-t', '=me:');
const sees = (text: RegExp) => eventually(`${text} before the person`, () => text.test(screen()));
const type = (line: string) => inTheirs('send-keys', '-t', '=me:', `${process.execPath} ${bundle} ${line}`, 'Enter');

beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  const make = (name: string) => ({
    ...{ name, skip_permissions: true },
    prompt: `WRITE ${name}.ts new\nBASH git add . && git commit -qm ${name}\nSAY Done.`,
  });
  await server.wait((await server.spawn(make('Ada'), make('Bo'))).sessions);
  const set = Object.entries(stand.sandbox.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  inTheirs('new-session', '-d', '-s', 'me', '-x', '200', '-y', '50', '-c', stand.repo, ...set, 'sh');
});
afterAll(() => stand.dispose());

it('a landing says what it does with the seconds since its begin, and without a terminal it is silent', async () => {
  const landed = (name: string) =>
    new RegExp(
      `^\\d+ s: staging ${name}-\\S+ on main\n(\\d+ s: testing \\w{12} on main\n)+${name}-\\S+ -> main: landed at .* tests passed`,
      'm',
    );
  // A sandbox hides from tests all that could end them from outside.
  type(`merge Ada --test 'sleep 2'`);
  await sees(landed('Ada'));
  await server.connection.close();
  type(`merge Bo --test 'sleep 2'`);
  await sees(landed('Bo'));
  expect(stand.sandbox.git(stand.repo, 'ls-files')).toMatch(/Ada\.ts\n(.*\n)*?Bo\.ts/);
  expect(await wordsOn(stand)('close', 'Ada', 'Bo')).toMatchObject({ code: 0, stderr: '' });
});
