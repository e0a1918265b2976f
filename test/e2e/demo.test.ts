import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { bundle } from './crew.ts';

let sandbox: Sandbox;
let demo: ReturnType<typeof startDemo>;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(async () => {
  demo.child.kill('SIGTERM');
  await demo.ended();
  sandbox.dispose();
});

const ceilingMs = 25_000;

function startDemo(...args: string[]) {
  const child = spawn(process.execPath, [bundle, 'demo', ...args], { env: sandbox.env, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += String(chunk);
    });
  }
  return {
    child,
    said: () => said,
    ended: () => eventually('the demo has ended', () => child.exitCode !== null && { code: child.exitCode }, ceilingMs),
  };
}

/** What lies in the sandbox's temporary folder, and processes whose command line names it. */
function leftovers(): readonly string[] {
  const tmp = join(sandbox.root, 'tmp');
  const processes = execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return [...readdirSync(tmp), ...processes.filter((args) => args.includes(tmp))];
}

it('the demo plays the main job and leaves nothing behind', async () => {
  demo = startDemo();
  expect(await demo.ended(), demo.said()).toEqual({ code: 0 });
  expect(demo.said()).toContain('I wrote cart.txt and committed it.');
  expect(demo.said()).toContain('I wrote checkout.txt and committed it.');
  expect(demo.said()).toContain('answer_worker {"decision":"allow"}: taken through its hook');
  expect(demo.said()).toContain('answer_worker {"decision":"choose","option":"blue"}: taken through its hook');
  expect(demo.said()).toContain('its turn: completed');
  expect(demo.said()).toContain('Watch them in another terminal: ');
  expect(demo.said()).toContain('no conflicts foreseen');
  expect(demo.said().match(/landed on main as [0-9a-f]{7}, tests passed, checkout updated/g)).toHaveLength(2);
  expect(demo.said()).toMatch(/\(HEAD -> main\) Add checkout.txt\n.*Add cart.txt/);
  expect(demo.said().match(/worktree removed/g)).toHaveLength(2);
  expect(leftovers()).toEqual([]);
});

it.each(['SIGINT', 'SIGTERM'] as const)('a demo ended by %s in the middle leaves nothing behind', async (signal) => {
  demo = startDemo();
  await eventually('workers are up', () => demo.said().includes('2. wait_idle_workers'), ceilingMs);
  expect(leftovers().length).toBeGreaterThan(1);
  demo.child.kill(signal);
  expect(await demo.ended(), demo.said()).toEqual({ code: 130 });
  expect(demo.said()).toContain('Stopped. Nothing of it is left behind.');
  expect(leftovers()).toEqual([]);
});

it('a kept demo stays up until Enter', async () => {
  demo = startDemo('--keep');
  await eventually('it says what to press', () => demo.said().includes('Press Enter to close it.'), ceilingMs);
  expect(demo.child.exitCode).toBeNull();
  demo.child.stdin.write('\n');
  expect(await demo.ended(), demo.said()).toEqual({ code: 0 });
  expect(leftovers()).toEqual([]);
});
