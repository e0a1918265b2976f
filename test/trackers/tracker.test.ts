import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beadWorkflow, detectTracker, trackerHelp } from '../../src/trackers/tracker.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
let repo: string;
let worktree: string;
beforeEach(() => {
  box = makeSandbox();
  repo = box.repo('app');
  worktree = join(repo, '.worktrees/ada');
  box.git(repo, 'worktree', 'add', '-q', '-b', 'ada', worktree);
});
afterEach(() => box.dispose());

const make = (...paths: string[]) => {
  for (const path of paths) mkdirSync(path, { recursive: true });
};
const fromWorktree = (projectPath = worktree) => detectTracker({ projectPath, mainRepoPath: repo });

describe('the tracker in use', () => {
  test('is none where there is no folder of one', async () => {
    expect(await fromWorktree()).toBeUndefined();
  });

  test('is found in the main repository from inside a worktree that lacks it', async () => {
    make(join(repo, '.beads'));
    expect(await fromWorktree()).toEqual({ tracker: 'beads', dir: join(repo, '.beads'), shared: true });
  });

  test('is the copy in the worktree where there is one, also from a subfolder', async () => {
    make(join(repo, '.pebbles'), join(worktree, '.pebbles'), join(worktree, 'src/deep'));
    expect(await fromWorktree(join(worktree, 'src/deep'))).toEqual({
      tracker: 'pebbles',
      dir: join(worktree, '.pebbles'),
      shared: false,
    });
  });

  test('is Pebbles where both are', async () => {
    make(join(repo, '.beads'), join(repo, '.pebbles'));
    expect((await detectTracker({ projectPath: repo }))?.tracker).toBe('pebbles');
  });

  test('is what the configuration says, whatever is there', async () => {
    make(join(repo, '.pebbles'));
    expect(await detectTracker({ projectPath: worktree, mainRepoPath: repo, override: 'beads' })).toEqual({
      tracker: 'beads',
      dir: join(repo, '.beads'),
      shared: true,
    });
  });

  test('is not looked for above a folder that is in no repository', async () => {
    make(join(box.root, '.beads'), join(box.root, 'plain/sub'));
    expect(await detectTracker({ projectPath: join(box.root, 'plain/sub') })).toBeUndefined();
  });

  test('is not a file that happens to have the name', async () => {
    writeFileSync(join(repo, '.beads'), '');
    expect(await fromWorktree()).toBeUndefined();
  });
});

describe('the help', () => {
  test('names the commands of Beads', () => {
    expect(trackerHelp({ tracker: 'beads', dir: '/r/.beads', shared: false })).toMatchInlineSnapshot(`
      {
        "cli": "bd --no-db",
        "help": "Beads keeps this project's issues in /r/.beads. Run \`bd --no-db ready\` for issues nothing blocks, and \`bd --no-db show <id>\` to read one.",
        "quick_commands": {
          "close": "bd --no-db close <id>",
          "create": "bd --no-db create "<title>"",
          "list": "bd --no-db list",
          "ready": "bd --no-db ready",
          "show": "bd --no-db show <id>",
          "start": "bd --no-db update <id> --status in_progress",
        },
        "tracker": "beads",
        "worker_tip": "Pass an issue id as \`bead\` to spawn_workers: the worker reads the issue, marks it in progress, does it, commits with the id, and closes it. In a worktree it runs the tracker as \`(cd /r && bd --no-db <command>)\`.",
      }
    `);
  });
  test('names the commands of Pebbles', () => {
    expect(trackerHelp({ tracker: 'pebbles', dir: '/r/.pebbles', shared: true }).quick_commands).toMatchInlineSnapshot(`
      {
        "close": "pb close <id>",
        "create": "pb create --title="<title>"",
        "list": "pb list",
        "ready": "pb ready",
        "show": "pb show <id>",
        "start": "pb update <id> --status in_progress",
      }
    `);
  });
  test('says what a bead is without a tracker', () => {
    expect(trackerHelp(undefined)).toMatchInlineSnapshot(`
      {
        "cli": null,
        "help": "No issue tracker was found: there is neither a .pebbles nor a .beads folder. Set issue_tracker.override if one is used all the same.",
        "quick_commands": {},
        "tracker": null,
        "worker_tip": "A \`bead\` is only a label here: it names branch and worktree. Say in \`prompt\` what is to be done.",
      }
    `);
  });
});

describe('what a worker is told', () => {
  const beads = { tracker: 'beads', dir: '/my repo/.beads', shared: true } as const;
  test('for a bead alone: the way from reading to closing, run where the tracker lies', () => {
    expect(beadWorkflow({ bead: 'cic-3dg', tracker: beads, annotation: 'login' })).toMatchInlineSnapshot(`
      "Work on cic-3dg (login), an issue in Beads.

      1. Read it: \`(cd '/my repo' && bd --no-db show cic-3dg)\`
      2. Mark it in progress: \`(cd '/my repo' && bd --no-db update cic-3dg --status in_progress)\`
      3. Do what it asks, and check that it works.
      4. Commit your work with cic-3dg in the message.
      5. Close it: \`(cd '/my repo' && bd --no-db close cic-3dg)\`"
    `);
  });
  test('for a bead with a prompt: the prompt comes last, in its own words', () => {
    const tracker = { tracker: 'pebbles', dir: '/r/.worktrees/a/.pebbles', shared: false } as const;
    expect(beadWorkflow({ bead: 'pb-1', tracker, prompt: 'Only the parser.\nNo tests.' })).toMatchInlineSnapshot(`
      "Work on pb-1, an issue in Pebbles.

      1. Read it: \`(cd /r/.worktrees/a && pb show pb-1)\`
      2. Mark it in progress: \`(cd /r/.worktrees/a && pb update pb-1 --status in_progress)\`
      3. Do the task below, and check that it works.
      4. Close it: \`(cd /r/.worktrees/a && pb close pb-1)\`
      5. Commit your work with pb-1 in the message, and with it what changed in /r/.worktrees/a/.pebbles.

      Only the parser.
      No tests."
    `);
  });
  test('without a tracker: that the bead is a label', () => {
    expect(beadWorkflow({ bead: 'X-1', prompt: 'Do it.' })).toMatchInlineSnapshot(`
      "Your work is labelled X-1. No issue tracker was found here, so the label is all there is.

      Do it."
    `);
    expect(beadWorkflow({ bead: 'X-1' })).toMatchInlineSnapshot(`
      "Your work is labelled X-1. No issue tracker was found here, so the label is all there is.

      Wait for a message that says what to do."
    `);
  });

  test('a bead that means something to a shell stays one word of it', () => {
    const bead = `-x'; touch "$HOME/pwned" #`;
    const text = beadWorkflow({ bead, tracker: { tracker: 'pebbles', dir: join(repo, '.pebbles'), shared: true } });
    const bin = box.dir('bin');
    writeFileSync(join(bin, 'pb'), '#!/bin/sh\nprintf "%s|" "$@"\n', { mode: 0o755 });
    const command = /Read it: `(.*)`/.exec(text)?.[1] ?? '';
    const env = { ...box.env, PATH: `${bin}:${box.env.PATH}` };
    expect(execFileSync('sh', ['-c', command], { env, encoding: 'utf8' })).toBe(`show|${bead}|`);
  });
});
