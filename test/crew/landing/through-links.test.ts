// What a worker puts in the place of its own files of git: nothing that crewmux does writes through it.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { closeWorkers } from '../../../src/tools/close-workers.ts';
import { syncWorker } from '../../../src/tools/sync-worker.ts';
import { gitDirOf } from '../../../src/worktree/git/git-link.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

const home = (name: string) => join(crew.sandbox.root, 'home', name);
const files = ['.bashrc', '.profile'];
beforeEach(() => {
  for (const name of files) writeFileSync(home(name), '# mine\n');
  rmSync(home('.bash_profile'), { force: true });
});
const untouched = () => {
  for (const name of files) expect(readFileSync(home(name), 'utf8')).toBe('# mine\n');
  expect(existsSync(home('.bash_profile'))).toBe(false);
};

async function gitDir(worker: Resting): Promise<string> {
  const found = await gitDirOf(join(crew.repo, '.git'), worker.worktreePath);
  if (found === undefined) throw new Error('no git folder');
  return found;
}

/** A worker with a commit of its own and a file that is in none. */
async function leaver(): Promise<Resting> {
  tried += 1;
  const worker = await crew.author(`own-${tried}.txt`, 'own\n');
  writeFileSync(join(worker.worktreePath, `left-${tried}.txt`), 'left\n');
  return worker;
}
let tried = 0;

async function linked(worker: Resting, name: string, to: string): Promise<void> {
  const path = join(await gitDir(worker), name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  symlinkSync(home(to), path);
}

/** A link to a copy of the index, so that git would find all as it was. */
async function linkedIndex(worker: Resting): Promise<void> {
  const path = join(await gitDir(worker), 'index');
  renameSync(path, home('.profile'));
  writeFileSync(home('.index'), readFileSync(home('.profile')));
  symlinkSync(home('.profile'), path);
}

const told = z.looseObject({ outcome: z.string() });
const closed = z.looseObject({ success_count: z.number() });
const sync = (of: Resting) => crew.call(syncWorker, told, { session_id: of.id });
const close = (of: Resting) => crew.call(closeWorkers, closed, { session_ids: [of.id], force: true });

const places: readonly (readonly [name: string, to: string])[] = [
  ['logs/HEAD', '.bashrc'],
  ['logs', '.'],
  ['COMMIT_EDITMSG', '.bash_profile'],
  ['ORIG_HEAD', '.profile'],
  ['index.lock', '.bash_profile'],
  ['rebase-merge', '.'],
  ['MERGE_MSG', '.bash_profile'],
];

describe.each(places)('where %s is a link to ~/%s', (name, to) => {
  it('a landing refuses by name, and writes nothing there', async () => {
    const worker = await leaver();
    await linked(worker, name, to);
    const main = crew.git(crew.repo, 'rev-parse', 'main');
    const path = join(await gitDir(worker), name);
    await expect(land(crew, worker, { test_command: '' })).rejects.toMatchObject({
      code: 'worktree_failed',
      message: expect.stringContaining(path),
    });
    expect(crew.git(crew.repo, 'rev-parse', 'main')).toBe(main);
    untouched();
  });

  it('a sync refuses by name, and writes nothing there', async () => {
    const worker = await crew.author(`synced-${name.replace('/', '-')}.txt`, 'own\n');
    crew.commit(crew.repo, `gained-${name.replace('/', '-')}.txt`, 'gained\n');
    await linked(worker, name, to);
    const path = join(await gitDir(worker), name);
    await expect(sync(worker)).rejects.toMatchObject({ message: expect.stringContaining(path) });
    untouched();
  });

  it('a close by force saves the work, and writes nothing there', async () => {
    const worker = await leaver();
    await linked(worker, name, to);
    expect(await close(worker)).toMatchObject({ success_count: 1 });
    const refs = crew.git(crew.repo, 'for-each-ref', '--format=%(refname)', 'refs/crewmux/salvage').split('\n');
    const ref = refs.find((one) => crew.git(crew.repo, 'log', '-1', '--format=%b', one).includes(worker.id));
    expect(crew.git(crew.repo, 'show', `${ref}:left-${tried}.txt`)).toBe('left');
    expect(existsSync(worker.worktreePath)).toBe(false);
    untouched();
  });
});

it('an index that is a link to a file at home is neither read nor replaced', async () => {
  const worker = await leaver();
  await linkedIndex(worker);
  await expect(land(crew, worker, { test_command: '' })).rejects.toMatchObject({ code: 'worktree_failed' });
  await expect(sync(worker)).rejects.toThrow('index is a symbolic link');
  expect(readFileSync(home('.profile'))).toEqual(readFileSync(home('.index')));
  expect(await close(worker)).toMatchObject({ success_count: 1 });
  expect(readFileSync(home('.profile'))).toEqual(readFileSync(home('.index')));
});

describe('a branch whose file names another', () => {
  const own = (worker: Resting) => join(crew.repo, '.git/refs/heads', worker.branch);
  it.each<[string, (worker: Resting) => void]>([
    ['by its text', (worker) => writeFileSync(own(worker), 'ref: refs/heads/main\n')],
    [
      'by a link',
      (worker) => {
        rmSync(own(worker));
        symlinkSync('main', own(worker));
      },
    ],
    [
      'by a link that git takes for one',
      (worker) => {
        rmSync(own(worker));
        symlinkSync('refs/heads/main', own(worker));
      },
    ],
  ])('%s is refused by name, and main does not move', async (_, plant) => {
    const worker = await crew.worker();
    const other = await leaver();
    writeFileSync(join(worker.worktreePath, 'left.txt'), 'left\n');
    plant(worker);
    const main = crew.git(crew.repo, 'rev-parse', 'main');
    await expect(land(crew, worker, { test_command: '', into: 'main' })).rejects.toThrow(worker.branch);
    // A git that was slow may have had it moved aside by now, where it is named as well.
    await expect(sync(worker)).rejects.toThrow(worker.branch);
    await expect(land(crew, other, { test_command: '', into: worker.branch })).rejects.toThrow(worker.branch);
    expect(crew.git(crew.repo, 'rev-parse', 'main')).toBe(main);
  });

  it('as HEAD does, is not landed, and main does not move', async () => {
    const worker = await leaver();
    writeFileSync(join(await gitDir(worker), 'HEAD'), 'ref: refs/heads/main\n');
    const main = crew.git(crew.repo, 'rev-parse', 'main');
    await expect(land(crew, worker, { test_command: '' })).rejects.toThrow('it is on main');
    await expect(sync(worker)).rejects.toThrow('it is on main');
    expect(crew.git(crew.repo, 'rev-parse', 'main')).toBe(main);
  });
});

it('after a landing with leftovers the worktree is clean, and the next commit takes nothing back', async () => {
  const worker = await leaver();
  const own = `left-${tried}.txt`;
  appendFileSync(join(worker.worktreePath, 'README.md'), 'more\n');
  const index = join(await gitDir(worker), 'index');
  const before = execFileSync('stat', ['-c', '%i', index], { encoding: 'utf8' });
  expect(await land(crew, worker, { test_command: '', strategy: 'merge' })).toMatchObject({ outcome: 'landed' });
  expect(crew.git(worker.worktreePath, 'status', '--porcelain')).toBe('');
  expect(execFileSync('stat', ['-c', '%i', index], { encoding: 'utf8' })).not.toBe(before);
  crew.commit(worker.worktreePath, 'next.txt', 'next\n');
  const changed = crew.git(worker.worktreePath, 'show', '--name-status', '--format=', 'HEAD');
  expect(changed).toBe('A\tnext.txt');
  expect(crew.git(worker.worktreePath, 'show', `HEAD:${own}`)).toBe('left');
});

it('what is staged and not landed stays staged', async () => {
  const worker = await crew.worker();
  writeFileSync(join(worker.worktreePath, 'one.txt'), 'one\n');
  crew.git(worker.worktreePath, 'add', 'one.txt');
  expect(await land(crew, worker, { test_command: '' })).toMatchObject({ outcome: 'landed' });
  expect(crew.git(worker.worktreePath, 'status', '--porcelain')).toBe('');
});
