// Plays the demo, records its crew as a person's terminal shows it, and draws that for the README: npm run picture
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { demo } from '../../src/demo/demo.ts';
import { bareText } from './cells.ts';
import { type Onlooker, onlookerOf } from './onlooker.ts';
import { pictureOf, type Recorded } from './svg.ts';

const root = resolve(import.meta.dirname, '../..');
const columns = 96;
const label =
  'Two tmux windows of a crew: a board that says who waits for a permission, and two workers in their panes.';

const { path, tmp } = { path: process.env.PATH ?? '/usr/bin:/bin', tmp: tmpdir() };
const stop = new AbortController();
let said = '';
let recorded: Recorded | undefined;
const write = (text: string) => {
  said += text;
  process.stdout.write(text);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());

await demo({
  write,
  complain: write,
  node: process.execPath,
  bundle: join(root, 'dist/crewmux.mjs'),
  path,
  tmp,
  stop: stop.signal,
  async until() {
    recorded = await recording();
    stop.abort();
  },
});
if (recorded === undefined) throw new Error('Nothing was recorded; what the demo said stands above.');
await writeFile(join(root, 'test/fixtures/picture.json'), `${JSON.stringify({ label, ...recorded }, null, 2)}\n`);
await writeFile(join(root, 'docs/crew.svg'), pictureOf(recorded, label));
process.stdout.write('Wrote docs/crew.svg and test/fixtures/picture.json.\n');

async function recording(): Promise<Recorded> {
  const attach = /^ +Watch them in another terminal: (.+)$/m.exec(said)?.[1] ?? '';
  const names = [...said.matchAll(/^ {3}(\S+) on branch /gm)].map(([, name = '']) => name);
  const home = await realpath(await mkdtemp(join(tmp, 'crewmux-picture-')));
  const onlooker = await onlookerOf({ attach, home, path, size: { columns, rows: 26 }, stop: stop.signal });
  try {
    return { columns, windows: await windowsOf(onlooker, names) };
  } finally {
    await onlooker.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** Has one worker work and the other one ask, and looks at both and at the board. */
async function windowsOf(
  onlooker: Onlooker,
  [first = '', second = '']: readonly string[],
): Promise<Recorded['windows']> {
  // What they drew before somebody looked was made for a wider pane.
  for (const name of [first, second]) await onlooker.type(name, ['/clear']);
  await onlooker.screen('both are cleared', (screen) => bareText(screen).split('❯ /clear').length === 3);
  await onlooker.type(first, ['Now a test for the cart.', 'WRITE cart.test.txt one apple', 'SLOW 60']);
  await onlooker.type(second, ['Now the packages.', 'BASH npm install']);
  const workers = await onlooker.screen('one works and one asks', (screen) =>
    [`${first} · cart · working`, `${second} · checkout · waiting: permission`, 'Working…', '3. No'].every((words) =>
      bareText(screen).includes(words),
    ),
  );
  await onlooker.press('C-b', '0');
  await onlooker.resize({ columns, rows: 12 });
  const board = await onlooker.screen('the board fits', (screen) =>
    /1 working, 1 waiting *\n(.*\n){9} +drawn /.test(bareText(screen)),
  );
  const rows = (screen: string) => screen.replace(/\n$/, '').split('\n');
  return [
    { title: 'The board: who needs somebody', rows: rows(board) },
    { title: 'The workers, in their tmux panes', rows: rows(workers) },
  ];
}
