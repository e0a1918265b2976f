// The path of somebody new, with keys alone: the demo that stays, its printed line, and then all through `C-b`.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type Demo, demoCeilingMs, leftovers, startDemo } from './played-demo.ts';

let sandbox: Sandbox;
let demo: Demo;
beforeAll(() => {
  sandbox = makeSandbox();
  demo = startDemo(sandbox, '--stay');
});
afterAll(async () => {
  demo.kill('SIGTERM');
  await demo.ended();
  sandbox.dispose();
});

const screen = () => sandbox.tmux('capture-pane', '-p', '-t', '=person:');
const sees = (text: RegExp) => eventually(`${text} before the person`, () => text.test(screen()));
const press = (...keys: string[]) => void sandbox.tmux('send-keys', '-t', '=person:', ...keys);

const idle = () => screen().match(/ idle +\d+ (s|min) /g)?.length;

/** On the board: reads the diff of the worker at the cursor, lands its work and closes it. */
async function landFirst(): Promise<void> {
  await sees(/\? help/);
  press('d');
  await sees(/\+(apples|pay here)[\s\S]*\(END\)/);
  press('q');
  await sees(/\? help/);
  press('g');
  await sees(/y\/n: Land the work of /);
  press('y');
  await sees(/-> main: landed at [\s\S]*Any key leads back/);
  press('Space');
  await sees(/\? help/);
  press('x');
  await sees(/y\/n: Close \S+ for good/);
  press('y');
}

it(
  'answers, looks at the diff, lands and closes with keys alone, and both works are on main',
  async () => {
    await demo.until('it says what to press', 'Press Enter here');
    const line = /in another terminal: (.*)$/m.exec(demo.said())?.[1] ?? '';
    const [, folder = '', socket = ''] = /^TMUX_TMPDIR=(\S+) tmux -L (\S+) /.exec(line) ?? [];
    const clients = () =>
      execFileSync('tmux', ['-L', socket, 'list-clients', '-F', '#{client_prefix}'], {
        env: { ...sandbox.env, TMUX_TMPDIR: folder },
        encoding: 'utf8',
      });
    const keyed = async (key: string) => {
      press('C-b');
      await eventually('the prefix is heard', () => clients().includes('1'));
      press(key);
    };
    sandbox.tmux('new-session', '-d', '-s', 'person', '-x', '100', '-y', '30', 'sh');
    press('-l', `TMUX= ${line}`);
    press('Enter');
    await sees(/ ! 1 needs you · C-b a/);
    await keyed('a');
    await sees(/\[y\] allow/);
    press('y');
    await sees(/allow taken[\s\S]*Enter closes this/);
    press('Enter');
    await eventually('the popup is closed', () => !screen().includes('Enter closes this'));
    await keyed('b');
    await sees(/\? help/);
    await eventually('both have done their work', () => idle() === 2);
    await landFirst();
    await sees(/: closed, worktree removed[\s\S]*Any key leads back/);
    press('Space');
    await eventually('one is left', () => idle() === 1);
    await landFirst();
    // The crew's tmux goes with its last worker, and takes the popup along.
    await sees(/\[(server )?exited\]/);
    const [scratch = ''] = readdirSync(join(sandbox.root, 'tmp')).filter((name) => name.startsWith('crewmux-demo-'));
    const shop = join(sandbox.root, 'tmp', scratch, 'shop');
    expect(sandbox.git(shop, 'log', '--format=%s', 'main').split('\n').toSorted()).toEqual([
      'Add cart.txt',
      'Add checkout.txt',
      'Begin',
    ]);
    sandbox.tmux('kill-session', '-t', '=person');
    demo.press('\n');
    expect(await demo.ended(), demo.said()).toBe(0);
    expect(leftovers(sandbox)).toEqual([]);
  },
  demoCeilingMs,
);
