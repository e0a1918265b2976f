import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { closeWorkers } from '../../../src/tools/close-workers.ts';
import { restoreWork } from '../../../src/tools/restore-work.ts';
import { type Caller, openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { unhurriedMs } from '../../support/unhurried.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

const saved = z.looseObject({
  salvages: z.array(
    z.looseObject({
      salvage_id: z.string(),
      ref: z.string(),
      ours: z.boolean(),
      name: z.string().optional(),
      path: z.string(),
    }),
  ),
  restored: z
    .looseObject({
      path: z.string(),
      at_original_path: z.boolean(),
      branch: z.string().nullable(),
      exact: z.boolean(),
      next: z.string(),
    })
    .optional(),
});
const restore = (args = {}, by: Caller = crew) => by.call(restoreWork, saved, args);

/** Closed by force with a file that nobody has committed. */
async function closedWith(file: string, prepare: (path: string) => void = () => undefined): Promise<Resting> {
  const worker = await crew.worker();
  writeFileSync(join(worker.worktreePath, file), 'precious\n');
  prepare(worker.worktreePath);
  const shape = z.looseObject({ success_count: z.literal(1) });
  await crew.call(closeWorkers, shape, { session_ids: [worker.id], force: true });
  expect(existsSync(worker.worktreePath)).toBe(false);
  return worker;
}
const salvagesHere = async () => (await restore({ repo_path: crew.repo })).salvages;
const idOf = async ({ worktreePath }: Resting, by: Caller = crew) =>
  (await restore({ repo_path: crew.repo }, by)).salvages.find(({ path }) => path === worktreePath)?.salvage_id;

/** The call as it stands. */
const startThere = (path: string | undefined): string =>
  `spawn_workers {"workers":[{"project_path":${JSON.stringify(path)},"use_worktree":false}]} starts a worker there.`;

it(
  'what a worker left when it was closed by force comes back as it was, and the worker can go on there',
  async () => {
    const worker = await closedWith('unsaved.txt', (path) => {
      writeFileSync(join(path, 'README.md'), 'changed\r\n');
      crew.git(path, 'add', 'README.md');
    });
    const { salvages } = await restore();
    expect(salvages).toEqual([
      expect.objectContaining({
        ref: expect.stringContaining('refs/'),
        ours: true,
        name: worker.name,
        session_id: worker.id,
        path: worker.worktreePath,
        branch: worker.branch,
        files_untracked: 1,
        reason: `${worker.name} was closed by force`,
      }),
    ]);
    const { restored } = await restore({ salvage_id: salvages[0]?.salvage_id });
    expect(restored).toMatchObject({
      path: worker.worktreePath,
      at_original_path: true,
      branch: worker.branch,
      exact: true,
      notes: [],
    });
    expect(restored?.next).toContain('restart_workers');
    expect(readFileSync(join(worker.worktreePath, 'unsaved.txt'), 'utf8')).toBe('precious\n');
    expect(readFileSync(join(worker.worktreePath, 'README.md'), 'utf8')).toBe('changed\r\n');
    expect(crew.git(worker.worktreePath, 'status', '--porcelain')).toBe('M  README.md\n?? unsaved.txt');
    const told = (await crew.events(worker)).filter(({ type }) => type === 'salvaged' || type === 'restored');
    expect(told.map(({ type, data }) => [type, data.ref])).toEqual([
      ['salvaged', salvages[0]?.ref],
      ['restored', salvages[0]?.ref],
    ]);
  },
  unhurriedMs,
);

it(
  'a second restore makes another worktree, and the worker is led to the one it can have',
  async () => {
    const worker = await closedWith('twice.txt');
    const salvage_id = await idOf(worker);
    expect((await restore({ salvage_id })).restored).toMatchObject({ at_original_path: true });
    const { restored } = await restore({ salvage_id });
    expect(restored).toMatchObject({ at_original_path: false, branch: `${worker.branch}-2`, exact: true });
    expect(restored?.next).toBe(startThere(restored?.path));
    expect(existsSync(join(restored?.path ?? '', 'twice.txt'))).toBe(true);
    expect(existsSync(join(worker.worktreePath, 'twice.txt'))).toBe(true);
  },
  unhurriedMs,
);

it('an id that nobody saved anything under is answered with those there are', async () => {
  await expect(restore({ salvage_id: 'none' })).rejects.toMatchObject({
    code: 'unknown_salvage',
    message: expect.stringContaining('The newest: '),
  });
});

it(
  'a server that knows no worker restores by the repository, and two at once make two worktrees',
  async () => {
    const worker = await closedWith('both.txt');
    const other = await crew.open({ CREWMUX_HOME: crew.sandbox.dir('another home') });
    const salvage_id = await idOf(worker, other);
    const wish = { repo_path: crew.repo, salvage_id };
    const both = await Promise.all([restore(wish, other), restore(wish, other)]);
    expect(both[0]?.salvages.every(({ name, ours }) => name === undefined && !ours)).toBe(true);
    expect(both.map(({ restored }) => restored?.exact)).toEqual([true, true]);
    expect(new Set(both.map(({ restored }) => restored?.path)).size).toBe(2);
    expect(both[0]?.restored?.next).toContain('spawn_workers');
    for (const { restored } of both) expect(existsSync(join(restored?.path ?? '', 'both.txt'))).toBe(true);
  },
  unhurriedMs,
);

it(
  'a ref that somebody else has made, or has moved, is not ours and goes nowhere that it says',
  async () => {
    const worker = await closedWith('real.txt');
    const { ref = '' } = (await salvagesHere()).find(({ path }) => path === worker.worktreePath) ?? {};
    const ssh = crew.sandbox.dir('home/.ssh');
    const says = crew.git(crew.repo, 'log', '-1', '--format=%B', ref);
    const parents = crew
      .git(crew.repo, 'log', '-1', '--format=%P', ref)
      .split(' ')
      .flatMap((sha) => ['-p', sha]);
    const message = says.replaceAll(worker.worktreePath, join(ssh, 'agent'));
    const forged = crew.git(crew.repo, 'commit-tree', `${ref}^{tree}`, ...parents, '-m', message);
    for (const name of ['refs/crewmux/salvage/forged', ref]) {
      crew.git(crew.repo, 'update-ref', name, forged);
      const listed = (await salvagesHere()).find((one) => one.ref === name);
      expect(listed).toMatchObject({ ours: false, path: join(ssh, 'agent') });
      expect(listed).not.toHaveProperty('name');
      expect(listed).not.toHaveProperty('session_id');
      const { restored } = await restore({ repo_path: crew.repo, salvage_id: name });
      expect(restored?.path).toMatch(/\/project\/\.worktrees\/restored-[^/]+$/);
      expect(restored).toMatchObject({ at_original_path: false, branch: null, exact: true });
      expect(restored?.next).toBe(startThere(restored?.path));
    }
    expect(readdirSync(ssh)).toEqual([]);
    expect(existsSync(worker.worktreePath)).toBe(false);
  },
  unhurriedMs,
);

it(
  'one is ours as long as it is there, also when the event log has forgotten it',
  async () => {
    const worker = await closedWith('kept.txt');
    for (const name of ['events.jsonl', 'events.1.jsonl'])
      rmSync(join(crew.sandbox.dir('crewmux'), name), { force: true });
    const later = await crew.open();
    const { salvages } = await restore({ repo_path: crew.repo }, later);
    expect(salvages.find(({ path }) => path === worker.worktreePath)).toMatchObject({ ours: true });
  },
  unhurriedMs,
);
