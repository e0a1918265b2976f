import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { escaped } from '../../src/wire/events.ts';
import { list } from '../../src/wire/parts.ts';
import { eventually } from '../support/sandbox.ts';
import { unhurriedMs } from '../support/unhurried.ts';
import { openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let workers: readonly Worker[];
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  const { sessions } = await server.spawn(
    { name: 'ada', prompt: 'WRITE README.md by ada\nSAY done', skip_permissions: true },
    { name: 'ben', prompt: 'WRITE README.md by ben\nSAY done', skip_permissions: true },
    { name: 'cleo', prompt: 'WRITE unsaved.txt precious\nSAY done', skip_permissions: true },
  );
  await server.wait(sessions, { timeout: 60 });
  workers = sessions;
}, unhurriedMs);
afterAll(() => stand.dispose());

function workerNamed(name: string): Worker & { readonly worktree_path: string } {
  const found = workers.find((one) => one.name === name);
  const { worktree_path } = found ?? {};
  if (found === undefined || worktree_path === undefined) throw new Error(`${name} has no worktree`);
  return { ...found, worktree_path };
}

const eventsOf = async (...types: string[]) => (await server.events()).filter(({ type }) => types.includes(type));

it(
  'a conflict of two workers is foreseen, told once, and told again when it is gone',
  async () => {
    const clash = { conflicts: list(z.string()), both_edited: list(z.string()) };
    const foretold = z.object({
      pairs: list(z.object({ a: z.string(), b: z.string(), ...clash })),
      against_base: list(z.object({ name: z.string(), base: z.string(), ...clash })),
    });
    const told = await server.call('check_conflicts', foretold, {});
    const clashing = told.pairs.filter(({ both_edited }) => both_edited.length > 0);
    expect(clashing).toEqual([{ a: 'ada', b: 'ben', conflicts: ['README.md'], both_edited: ['README.md'] }]);
    expect(told.against_base).toEqual([]);
    const status = z.object({
      conflicts: list(z.object({ name: z.string(), with: z.string(), files: list(z.string()) })),
    });
    const conflicts = async () => (await server.call('crew_status', status, {})).conflicts;
    const seen = await eventually('it is in the status', async () => (await conflicts()).length > 0 && conflicts());
    expect(seen).toEqual([{ name: 'ada', with: 'ben', files: ['README.md'] }]);
    const { worktree_path: folder } = workerNamed('ben');
    stand.sandbox.git(folder, 'checkout', '-q', '--', 'README.md');
    writeFileSync(join(folder, 'other.txt'), 'elsewhere\n');
    stand.sandbox.git(folder, 'add', '.');
    stand.sandbox.git(folder, 'commit', '-q', '-m', 'Go elsewhere');
    await eventually('the commit is noticed', async () => (await conflicts()).length === 0);
    expect((await eventsOf('conflict')).map(({ data }) => data)).toEqual([
      { with: 'ben', files: ['README.md'], gone: false },
      { with: 'ben', files: [], gone: true },
    ]);
  },
  unhurriedMs,
);

const saved = z.looseObject({
  salvages: list(z.looseObject({ salvage_id: z.string(), name: z.string().optional() })),
  restored: z.looseObject({ next: z.string() }).optional(),
});

it(
  'a worktree is shown, saved, brought back and gone on in, and cleaned up when its work has landed',
  async () => {
    const cleo = workerNamed('cleo');
    const { worktree_path: folder, session_id } = cleo;
    const named = { session_id: cleo.name };
    const diff = await server.call('diff_worker', z.looseObject({ diff: z.string() }), named);
    expect(diff).toMatchObject({ file_count: 1, files: [{ path: 'unsaved.txt' }], uncommitted_files: 1 });
    const examined = await server.call('examine_worker', z.looseObject({ git: z.looseObject({}) }), named);
    expect(examined.git).toMatchObject({ branch: cleo.branch, untracked_files: 1, merged: expect.any(Boolean) });
    const listed = z.object({ worktrees: list(z.looseObject({ path: z.string() })) });
    const { worktrees } = await server.call('list_worktrees', listed, { repo_path: stand.repo });
    expect(worktrees.find(({ path }) => path === folder)).toMatchObject({
      in_use_by: [`cleo (${session_id})`],
      foreign: false,
      dirty: true,
    });

    const closed = await server.close(cleo, true);
    expect([closed.worktree, existsSync(folder)]).toEqual(['removed', false]);
    const { salvages } = await server.call('restore_work', saved, {});
    expect(salvages).toMatchObject([{ name: 'cleo', path: folder, reason: 'cleo was closed by force' }]);
    const { restored } = await server.call('restore_work', saved, { salvage_id: salvages[0]?.salvage_id });
    expect(restored).toMatchObject({ path: folder, exact: true, next: expect.stringContaining('restart_workers') });
    expect(readFileSync(join(folder, 'unsaved.txt'), 'utf8').trim()).toBe('precious');
    expect((await eventsOf('salvaged', 'restored')).map(({ type, worker_id }) => [type, worker_id])).toEqual([
      ['salvaged', session_id],
      ['restored', session_id],
    ]);
    expect(cleo.branch).toBe(`cleo-${session_id}/work`);
    const kept = ['refs', 'logs/refs'].map((root) => join(stand.repo, '.git', root, 'heads', `cleo-${session_id}`));
    for (const path of kept) rmSync(join(path, '.crewmux'), { recursive: true });
    stand.sandbox.git(stand.repo, 'pack-refs', '--all');
    const again = await server.connection.call('restart_workers', { session_ids: [session_id] });
    expect(again).toMatchObject({ count: 1, failed: [] });
    expect(kept.map((path) => existsSync(join(path, '.crewmux')))).toEqual([true, true]);
    const idle = await server.until(session_id, 'idle');

    const landing = z.looseObject({ outcome: z.string() });
    expect(await server.call('merge_worker', landing, named)).toMatchObject({
      outcome: 'landed',
      leftovers_committed: 1,
    });
    const cleaned = z.looseObject({ worktrees: list(z.looseObject({ path: z.string(), action: z.string() })) });
    const clean = async () => {
      const told = await server.call('cleanup_worktrees', cleaned, { repo_path: stand.repo, dry_run: false });
      return told.worktrees.find(({ path }) => path === folder);
    };
    expect(await clean()).toMatchObject({ action: 'keep', reason: expect.stringContaining('cleo works in it') });
    stand.sandbox.tmux('kill-pane', '-t', paneOf(idle));
    await server.until(session_id, 'dead');
    const processes = expect.stringMatching(/^processes work in it: [^;]+$/);
    const removed = await eventually('the agent that lost its pane has run its last hook', async () => {
      const told = await clean();
      if (told?.action === 'remove') return told;
      expect(told).toMatchObject({ action: 'keep', reason: processes });
      return undefined;
    });
    expect(removed.reason).toBe('its work is merged into main');
    expect(existsSync(folder)).toBe(false);
  },
  unhurriedMs,
);

it(
  'a file that changes in the main checkout in a worker’s turn is told once, and listed for as long as it is changed',
  async () => {
    const ada = workerNamed('ada');
    const path = join(stand.repo, 'stray.txt');
    const status = z.object({ escapes: list(escaped) });
    const escapes = async () => (await server.call('crew_status', status)).escapes;
    await server.message(ada, `BASH echo x > ${path}\nSAY done`);
    await server.wait([ada], { timeout: 60 });
    const [first] = await eventually('an escape is told', async () => {
      const seen = await escapes();
      return seen.length > 0 && seen;
    });
    expect(first).toMatchObject({
      ...{ checkout: stand.repo, workers: ['ada'], files: ['stray.txt'], file_count: 1 },
    });
    expect(first?.detail).toContain('who changed them is not known');
    await server.message(ada, 'SAY again');
    await server.wait([ada], { timeout: 60 });
    expect(await escapes()).toEqual([first]);
    rmSync(path);
    expect(await escapes()).toEqual([]);
    expect((await eventsOf('escaped')).map(({ data }) => data)).toEqual([
      { in: stand.repo, files: ['stray.txt'], file_count: 1, workers: ['ada'] },
    ]);
  },
  unhurriedMs,
);

it(
  'a change that is gone a moment later, as the files of a landing are, is not told',
  async () => {
    const ben = workerNamed('ben');
    const passing = join(stand.repo, 'passing.txt');
    const told = async () => (await eventsOf('escaped')).map(({ data }) => data.files);
    const bin = stand.sandbox.dir('bin');
    const goes = `case "$PWD $*" in '${stand.repo} '*' status '*) rm -f '${passing}';; esac`;
    writeFileSync(join(bin, 'git'), `#!/bin/sh\nPATH=\${PATH#*:}\ngit "$@"\ncode=$?\n${goes}\nexit $code\n`, {
      mode: 0o755,
    });
    await server.connection.close();
    server = await stand.serve({ PATH: `${bin}:${stand.sandbox.env.PATH}` });
    for (const file of [passing, join(stand.repo, 'stays.txt')])
      await server.message(ben, `BASH echo x > ${file}\nSAY done`, { wait_mode: 'all', timeout: 60 });
    await eventually('the one that stays is told', async () => (await told()).length > 1);
    expect(await told()).toEqual([['stray.txt'], ['stays.txt']]);
    rmSync(join(stand.repo, 'stays.txt'));
  },
  unhurriedMs,
);
