import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type Demo, demoCeilingMs, leftovers, startDemo } from './played-demo.ts';

let sandbox: Sandbox;
let demo: Demo;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(async () => {
  demo.kill('SIGTERM');
  await demo.ended();
  sandbox.dispose();
});

it(
  'the demo plays the main job, stays up until Enter when it is to be kept, and leaves nothing behind',
  async () => {
    demo = startDemo(sandbox, '--keep');
    await demo.until('it says what to press', 'Press Enter to close it.');
    expect(demo.said()).toContain('I wrote cart.txt and committed it.');
    expect(demo.said()).toContain('I wrote checkout.txt and committed it.');
    expect(demo.said()).toContain('answer_worker {"decision":"allow"}: taken through its hook');
    expect(demo.said()).toContain('answer_worker {"decision":"choose","option":"blue"}: taken through its hook');
    expect(demo.said()).toContain('its turn: completed');
    expect(demo.said()).toContain('Watch them in another terminal: ');
    expect(demo.hasEnded(), demo.said()).toBe(false);
    expect(demo.said()).not.toContain('landed on main');
    demo.press('\n');
    expect(await demo.ended(), demo.said()).toBe(0);
    expect(demo.said()).toContain('no conflicts foreseen');
    expect(demo.said().match(/landed on main as [0-9a-f]{7}, tests passed, checkout updated/g)).toHaveLength(2);
    expect(demo.said()).toMatch(/\(HEAD -> main\) Add checkout.txt\n.*Add cart.txt/);
    expect(demo.said().match(/worktree removed/g)).toHaveLength(2);
    expect(leftovers(sandbox)).toEqual([]);
  },
  demoCeilingMs,
);

it(
  'a demo that stays leaves a crew to attach to, and nothing of it once Enter is pressed',
  async () => {
    demo = startDemo(sandbox, '--stay');
    await demo.until('it says what to press', 'Press Enter here');
    expect(demo.said()).toMatch(/in another terminal: .*tmux .*attach[\s\S]*C-b a/);
    expect(leftovers(sandbox).length).toBeGreaterThan(1);
    demo.press('\n');
    expect(await demo.ended(), demo.said()).toBe(0);
    expect(leftovers(sandbox)).toEqual([]);
  },
  demoCeilingMs,
);

it(
  'a demo ended by a signal in the middle leaves nothing behind',
  async () => {
    demo = startDemo(sandbox);
    await demo.until('workers are up', '2. wait_idle_workers');
    expect(leftovers(sandbox).length).toBeGreaterThan(1);
    demo.kill('SIGTERM');
    expect(await demo.ended(), demo.said()).toBe(130);
    expect(demo.said()).toContain('Stopped. Nothing of it is left behind.');
    expect(leftovers(sandbox)).toEqual([]);
  },
  demoCeilingMs,
);

it(
  'a demo whose reader has gone ends early and leaves nothing behind',
  async () => {
    demo = startDemo(sandbox);
    await demo.until('it has begun', '1. spawn_workers');
    demo.stopReading();
    expect(await demo.ended(), demo.said()).toBe(130);
    expect(leftovers(sandbox)).toEqual([]);
  },
  demoCeilingMs,
);

it('without tmux and git a demo says in one line how to get them, and leaves nothing behind', async () => {
  demo = startDemo({ env: { ...sandbox.env, PATH: sandbox.dir('empty') } });
  await demo.until('it says what to install', 'install');
  expect(await demo.ended()).toBe(1);
  expect(demo.said()).toMatch(
    /^crewmux needs tmux 3.0 or newer and git 2.39 or newer, not installed here; get it with: .+ install .*tmux git\n$/,
  );
  expect(leftovers(sandbox)).toEqual([]);
});
