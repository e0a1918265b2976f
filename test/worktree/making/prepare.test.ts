import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addWorktree } from '../../../src/worktree/making/add.ts';
import { type PrepareRequest, prepareWorktree } from '../../../src/worktree/making/prepare.ts';
import { workState } from '../../../src/worktree/state/work-state.ts';
import { layGround, workerTree } from '../../support/ground.ts';
import { eventually } from '../../support/sandbox.ts';

const { box, repo, folder } = await layGround();
const tree = await workerTree(folder);

const prepare = (request: Partial<PrepareRequest>) =>
  prepareWorktree({
    repo: folder,
    worktreePath: tree.path,
    copyFiles: [],
    symlinkDirs: [],
    setupCommands: [],
    ...request,
  });
const inTree = (path: string) => join(tree.path, path);
const status = (at: string) => box.git(at, 'status', '--porcelain', '-uall');

function main(path: string, text: string) {
  mkdirSync(join(repo, path, '..'), { recursive: true });
  writeFileSync(join(repo, path), text);
}

describe('files', () => {
  test('are copied by name, by folder and by pattern', async () => {
    for (const path of ['.env', 'config/a.local', 'config/b.json', 'deep/x/.env', 'node_modules/p/.env'])
      main(path, path);
    const prepared = await prepare({ copyFiles: ['.env', 'config', '**/.env', 'not-there'] });
    expect(prepared).toEqual({
      copied: ['.env', 'config/a.local', 'config/b.json', 'deep/x/.env'],
      linked: [],
      present: [],
      missing: ['not-there'],
    });
    expect(readFileSync(inTree('deep/x/.env'), 'utf8')).toBe('deep/x/.env');
  });

  test('that the worktree has already stay as they are', async () => {
    main('README.md', 'changed in the main checkout');
    expect(await prepare({ copyFiles: ['README.md'] })).toMatchObject({ copied: [], present: ['README.md'] });
    expect(readFileSync(inTree('README.md'), 'utf8')).toBe('# app\n');
  });

  test('do not make the worktree count as work until somebody changes them', async () => {
    main('notes.local', 'n');
    await prepare({ copyFiles: ['notes.local'] });
    const untracked = async () => (await workState({ worktreePath: tree.path, env: box.env })).untrackedFiles;
    expect(await untracked()).toBe(0);
    writeFileSync(inTree('notes.local'), 'work');
    expect(await untracked()).toBe(1);
  });

  test('of other worktrees are no match for a pattern', async () => {
    const other = await addWorktree({ folder, root: '.worktrees', name: { workerName: 'bob', workerId: 'y' } });
    writeFileSync(join(other.path, 'x.local'), 'x');
    expect((await prepare({ copyFiles: ['**/*.local'] })).copied).toEqual([]);
  });
});

describe('folders', () => {
  test('are linked, and what the main checkout ignores is no dirt', async () => {
    main('.gitignore', 'node_modules/\n');
    box.git(repo, 'add', '.gitignore');
    box.git(repo, 'commit', '-q', '-m', 'Ignore');
    box.git(tree.path, 'merge', '-q', '--ff-only', 'main');
    main('node_modules/p/index.js', 'p');
    const prepared = await prepare({ symlinkDirs: ['node_modules'] });
    expect(prepared.linked).toEqual(['node_modules']);
    expect(realpathSync(inTree('node_modules'))).toBe(join(repo, 'node_modules'));
    expect([status(tree.path), status(repo)]).toEqual(['', '']);
    expect(readFileSync(join(repo, '.git/info/exclude'), 'utf8')).toContain('\n/node_modules\n');
  });

  test('that nobody ignores stay visible in the main checkout and are still no work', async () => {
    main('shared/file', 's');
    await prepare({ symlinkDirs: ['shared'] });
    expect(status(repo)).toBe('?? shared/file');
    expect((await workState({ worktreePath: tree.path, env: box.env })).untrackedFiles).toBe(0);
  });
});

describe('a path that leads out is refused before anything is touched', () => {
  beforeEach(() => {
    main('.env', 'e');
    writeFileSync(join(box.dir('secret'), 'key'), 'k');
    symlinkSync(box.dir('secret'), join(repo, 'out'));
  });
  afterEach(() => expect(existsSync(inTree('.env'))).toBe(false));

  test.each<Partial<PrepareRequest>>([
    { copyFiles: ['.env', '../secret/key'] },
    { copyFiles: ['.env', '/etc/passwd'] },
    { copyFiles: ['.env', 'out/key'] },
    { copyFiles: ['.env', 'ou*'] },
    { copyFiles: ['.env'], symlinkDirs: ['out'] },
    { copyFiles: ['.env'], symlinkDirs: ['*'] },
    { copyFiles: ['.env'], symlinkDirs: ['.git'] },
  ])('%j', async (request) => {
    await expect(prepare(request)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('also where the branch has a symlink in its place', async () => {
    main('conf/x.local', 'x');
    symlinkSync(box.dir('secret'), inTree('conf'));
    await expect(prepare({ copyFiles: ['.env', 'conf/x.local'] })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(existsSync(join(box.root, 'secret/x.local'))).toBe(false);
  });
});

test('a symlink inside the repository is copied as a symlink', async () => {
  main('real.local', 'r');
  symlinkSync('real.local', join(repo, 'link.local'));
  await prepare({ copyFiles: ['*.local'] });
  expect(lstatSync(inTree('link.local')).isSymbolicLink()).toBe(true);
  expect(readlinkSync(inTree('link.local'))).toBe('real.local');
});

describe('set-up commands', () => {
  test('run in order at the top of the worktree, with the given environment', async () => {
    const env = { ...box.env, GREETING: 'hello there' };
    await prepare({ setupCommands: ['printf %s "$GREETING" > one', 'cp one two && pwd > where'], env });
    expect(readFileSync(inTree('two'), 'utf8')).toBe('hello there');
    expect(readFileSync(inTree('where'), 'utf8')).toBe(`${tree.path}\n`);
  });

  test('that fail are quoted with their last five lines, and the next one does not run', async () => {
    const setupCommands = ['for i in 1 2 3 4 5 6 7; do echo line $i; done; echo oops >&2; exit 4', 'touch ran'];
    await expect(prepare({ setupCommands })).rejects.toMatchObject({
      code: 'setup_failed',
      message: expect.stringMatching(/exit 4.*: line 4\nline 5\nline 6\nline 7\noops$/s),
    });
    expect(existsSync(inTree('ran'))).toBe(false);
  });

  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  const pidOf = (file: string) => (existsSync(inTree(file)) ? Number(readFileSync(inTree(file), 'utf8')) : 0);
  const isGone = (file: string) => pidOf(file) === 0 || !isAlive(pidOf(file));
  // The inner shell ignores the polite signal, as a build tool's children may.
  const stubborn = `sh -c 'trap "" TERM; sleep 60 & echo $! > child; wait' & sh -c 'echo $$ > self; exec sleep 60'; true`;

  test('that take too long end with everything they started', async () => {
    await expect(prepare({ setupCommands: [stubborn], timeoutMs: 400 })).rejects.toMatchObject({
      code: 'setup_failed',
      message: expect.stringContaining('did not end within 400 ms'),
    });
    await eventually('the whole tree to be gone', () => isGone('child') && isGone('self'));
  });

  test('that are called off end with everything they started', async () => {
    const abort = new AbortController();
    const running = prepare({ setupCommands: [stubborn], signal: abort.signal });
    await eventually('the command to run', () => pidOf('child') > 0 && pidOf('self') > 0);
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: 'setup_failed' });
    await eventually('the whole tree to be gone', () => isGone('child') && isGone('self'));
  });
});
