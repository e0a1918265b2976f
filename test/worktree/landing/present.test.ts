import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { Clashes } from '../../../src/worktree/landing/clash.ts';
import { presentWork } from '../../../src/worktree/landing/present.ts';
import { addWorktree } from '../../../src/worktree/making/add.ts';
import { changedFiles } from '../../../src/worktree/state/diff.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let repo: string;
let folder: FolderFacts;
let ada: string;
const text = (name: string) => Array.from({ length: 20 }, (_, n) => `${name} ${n}\n`).join('');
let back: () => void;
beforeAll(async () => {
  box = makeSandbox();
  repo = box.repo('app');
  mkdirSync(join(repo, 'dir/deep'), { recursive: true });
  for (const name of ['one.txt', 'two.txt', 'dir/a', 'dir/deep/b']) writeFileSync(join(repo, name), text(name));
  symlinkSync('dir', join(repo, 'link'));
  box.git(repo, 'add', '.');
  box.git(repo, 'commit', '-q', '-m', 'Files');
  ({ folder, path: ada } = await added('ada'));
  back = box.keep();
});
afterEach(() => back());
afterAll(() => box.dispose());

async function added(workerName: string) {
  const found = await inspectFolder({ path: repo, env: box.env });
  if (found === undefined) throw new Error('no repository');
  return {
    folder: found,
    ...(await addWorktree({ folder: found, root: '.worktrees', name: { workerName, workerId: 'x' } })),
  };
}

const at = (name: string) => join(ada, name);
const status = () => box.git(ada, 'status', '--porcelain', '-z', '--untracked-files=all');
/** What the worktree changes since its commit, as `letter path`; the worktree must be as it was. */
async function changes(): Promise<readonly string[]> {
  const before = status();
  const present = await presentWork(ada, folder);
  expect(status()).toBe(before);
  const to = present?.commit ?? '';
  const files = await changedFiles({ repo: folder, from: box.git(ada, 'rev-parse', 'HEAD'), to, paths: [] });
  return files
    .map(({ path, oldPath, status: word }) => `${word} ${oldPath === undefined ? '' : `${oldPath} -> `}${path}`)
    .sort();
}
const commitAll = (where: string) => {
  box.git(where, 'add', '-A');
  box.git(where, 'commit', '-q', '-m', 'Work');
};

describe('a worktree as it stands', () => {
  it('has a folder that became a symlink', async () => {
    rmSync(at('dir'), { recursive: true });
    symlinkSync('/somewhere', at('dir'));
    expect(await changes()).toEqual(['added dir', 'deleted dir/a', 'deleted dir/deep/b']);
  });

  it('has a folder that became a symlink to one with the same files', async () => {
    renameSync(at('dir'), join(box.root, 'elsewhere'));
    symlinkSync(join(box.root, 'elsewhere'), at('dir'));
    expect(await changes()).toEqual(['added dir', 'deleted dir/a', 'deleted dir/deep/b']);
  });

  it('has a symlink that became a folder', async () => {
    rmSync(at('link'));
    mkdirSync(at('link'));
    writeFileSync(at('link/new'), 'new\n');
    expect(await changes()).toEqual(['added link/new', 'deleted link']);
  });

  it('has a file that became a folder and a folder that became a file', async () => {
    rmSync(at('one.txt'));
    mkdirSync(at('one.txt'));
    writeFileSync(at('one.txt/x'), 'x\n');
    rmSync(at('dir'), { recursive: true });
    writeFileSync(at('dir'), 'file\n');
    expect(await changes()).toEqual([
      'added dir',
      'added one.txt/x',
      'deleted dir/a',
      'deleted dir/deep/b',
      'deleted one.txt',
    ]);
  });

  it('has every odd name as it is', async () => {
    const odd = [
      ' lead',
      'trail ',
      'new\nline',
      'tab\t',
      '"quoted"',
      "it's",
      '-dash',
      ':(top)magic',
      '*',
      'ü',
      '日本',
      '#',
      '\\',
    ];
    for (const name of odd) writeFileSync(at(name), `${name}\n`);
    expect(await changes()).toEqual(odd.map((name) => `added ${name}`).sort());
  });

  it('has a mode that changed, a staged file that is gone, and one that git was told to expect', async () => {
    chmodSync(at('two.txt'), 0o755);
    writeFileSync(at('staged'), 'x');
    box.git(ada, 'add', 'staged');
    rmSync(at('staged'));
    writeFileSync(at('expected'), 'x');
    box.git(ada, 'add', '-N', 'expected');
    expect(await changes()).toEqual(['added expected', 'modified two.txt']);
  });

  it('has an unfinished merge with its conflict marks', async () => {
    writeFileSync(join(repo, 'one.txt'), 'theirs\n');
    commitAll(repo);
    writeFileSync(at('one.txt'), 'mine\n');
    commitAll(ada);
    expect(() => box.git(ada, 'merge', 'main')).toThrow();
    expect(await changes()).toEqual(['modified one.txt']);
  });

  it('has a submodule at another commit', async () => {
    const library = box.repo('library');
    box.git(repo, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'lib');
    commitAll(repo);
    box.git(ada, 'merge', '-q', 'main');
    box.git(ada, '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init');
    expect(await changes()).toEqual([]);
    box.git(at('lib'), 'commit', '-q', '--allow-empty', '-m', 'Further');
    writeFileSync(at('lib/loose'), 'x');
    expect(await changes()).toEqual(['modified lib']);
  });

  it('leaves a repository inside it out and says so', async () => {
    box.git(ada, 'init', '-q', 'nested');
    writeFileSync(at('nested/file'), 'x');
    expect(await presentWork(ada, folder)).toMatchObject({ uncommitted: [], leftOut: ['nested/'] });
  });

  it('leaves a huge file out, unread, and says so', async () => {
    const handle = openSync(at('huge.bin'), 'w');
    ftruncateSync(handle, 100 * 1024 * 1024);
    closeSync(handle);
    writeFileSync(at('small'), 'x');
    expect(await presentWork(ada, folder)).toMatchObject({
      uncommitted: ['huge.bin', 'small'],
      tooLarge: ['huge.bin'],
    });
    expect(await changes()).toEqual(['added small']);
    const kib = execFileSync('du', ['-sk', join(repo, '.git/objects')], { encoding: 'utf8' });
    expect(Number(/^\d+/.exec(kib)?.[0])).toBeLessThan(10_000);
  });

  it('is told even when its branch was deleted under it', async () => {
    const head = box.git(ada, 'rev-parse', 'HEAD');
    box.git(repo, 'update-ref', '-d', 'refs/heads/ada-x/work');
    writeFileSync(at('one.txt'), 'changed\n');
    const present = await presentWork(ada, folder, { start: head });
    const files = await changedFiles({ repo: folder, from: head, to: present?.commit ?? '', paths: [] });
    expect(files).toMatchObject([{ path: 'one.txt', status: 'modified' }]);
  });
});

describe('two worktrees clash', () => {
  const clash = async (ben: string) => {
    const [a, b] = [await presentWork(ada, folder), await presentWork(ben, folder)];
    const pair = { repo: folder, ours: a?.commit ?? '', theirs: b?.commit ?? '' };
    const [{ conflicts, bothEdited } = {}] = await new Clashes().among([pair]);
    return { conflicts, bothEdited };
  };

  it('where both renamed one file, each in another way', async () => {
    const { path: ben } = await added('ben');
    renameSync(at('one.txt'), at('ada.txt'));
    renameSync(join(ben, 'one.txt'), join(ben, 'ben.txt'));
    const { conflicts, bothEdited } = await clash(ben);
    expect([...(conflicts ?? [])].sort()).toEqual(['ada.txt', 'ben.txt', 'one.txt']);
    expect(bothEdited).toEqual(['one.txt']);
  });

  it('not where one renamed what the other edited, though both touched it', async () => {
    const { path: ben } = await added('ben');
    renameSync(at('one.txt'), at('ada.txt'));
    writeFileSync(join(ben, 'one.txt'), `${text('one.txt')}more\n`);
    expect(await clash(ben)).toEqual({ conflicts: [], bothEdited: ['one.txt'] });
  });

  it('where one made a folder of what the other edited', async () => {
    const { path: ben } = await added('ben');
    rmSync(at('one.txt'));
    mkdirSync(at('one.txt'));
    writeFileSync(at('one.txt/x'), 'x\n');
    writeFileSync(join(ben, 'one.txt'), 'edited\n');
    expect((await clash(ben)).conflicts).not.toEqual([]);
  });

  it('where both made a mode or a link of their own', async () => {
    const { path: ben } = await added('ben');
    rmSync(at('two.txt'));
    symlinkSync('/ada', at('two.txt'));
    rmSync(join(ben, 'two.txt'));
    symlinkSync('/ben', join(ben, 'two.txt'));
    chmodSync(at('one.txt'), 0o755);
    chmodSync(join(ben, 'one.txt'), 0o755);
    expect((await clash(ben)).conflicts).toEqual(['two.txt']);
  });

  it('where both made a file of one odd name', async () => {
    const { path: ben } = await added('ben');
    writeFileSync(at('new\n"ü"'), 'ada\n');
    writeFileSync(join(ben, 'new\n"ü"'), 'ben\n');
    expect(await clash(ben)).toEqual({ conflicts: ['new\n"ü"'], bothEdited: ['new\n"ü"'] });
  });
});
