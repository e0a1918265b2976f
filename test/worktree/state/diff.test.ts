import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { presentWork } from '../../../src/worktree/landing/present.ts';
import { changedFiles, diffText } from '../../../src/worktree/state/diff.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let repo: string;
beforeAll(() => {
  sandbox = makeSandbox();
  repo = sandbox.repo('project');
  const text = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join('');
  for (const name of ['kept.txt', 'gone.txt', 'moved.txt', 'run.sh', 'tab\tand\nline.txt'])
    writeFileSync(join(repo, name), `${name}\n${text}`);
  writeFileSync(join(repo, '.gitignore'), 'ignored/\n');
  sandbox.git(repo, 'add', '.');
  sandbox.git(repo, 'commit', '-q', '-m', 'Files');
});
afterAll(() => sandbox.dispose());

const at = (name: string) => join(repo, name);
const facts = async () => {
  const found = await inspectFolder({ path: repo, env: sandbox.env });
  if (found === undefined) throw new Error('no repository');
  return found;
};

it('every kind of change is told, staged or not, tracked or not, and the worktree is as it was', async () => {
  rmSync(at('gone.txt'));
  mkdirSync(at('ordner ü'));
  renameSync(at('moved.txt'), at('ordner ü/moved here.txt'));
  chmodSync(at('run.sh'), 0o755);
  writeFileSync(at('picture.bin'), Buffer.from([0, 1, 2, 0]));
  symlinkSync('kept.txt', at('link'));
  writeFileSync(at('tab\tand\nline.txt'), 'other\n');
  mkdirSync(at('ignored'));
  writeFileSync(at('ignored/secret'), 'x');
  writeFileSync(at('staged.txt'), 'staged\n');
  sandbox.git(repo, 'add', 'staged.txt');
  const before = sandbox.git(repo, 'status', '--porcelain', '-z');
  const from = sandbox.git(repo, 'rev-parse', 'HEAD');
  const present = await presentWork(repo, await facts());
  const files = await changedFiles({ repo: await facts(), from, to: present?.commit ?? '', paths: [] });
  expect(new Map(files.map(({ path, ...rest }) => [path, rest]))).toEqual(
    new Map([
      ['gone.txt', { status: 'deleted', additions: 0, deletions: 21 }],
      ['link', { status: 'added', additions: 1, deletions: 0 }],
      ['ordner ü/moved here.txt', { status: 'renamed', oldPath: 'moved.txt', additions: 0, deletions: 0 }],
      ['picture.bin', { status: 'added' }],
      ['run.sh', { status: 'modified', mode: '100644 -> 100755', additions: 0, deletions: 0 }],
      ['staged.txt', { status: 'added', additions: 1, deletions: 0 }],
      ['tab\tand\nline.txt', { status: 'modified', additions: 1, deletions: 22 }],
    ]),
  );
  expect(sandbox.git(repo, 'status', '--porcelain', '-z')).toBe(before);
  const again = await presentWork(repo, await facts());
  expect(again).toEqual(present);
});

it('the text names a binary file, spells names as they are, and keeps to the paths asked for', async () => {
  const from = sandbox.git(repo, 'rev-parse', 'HEAD');
  const to = (await presentWork(repo, await facts()))?.commit ?? '';
  const whole = await diffText({ repo: await facts(), from, to, paths: [] });
  expect(whole).toContain('Binary files /dev/null and b/picture.bin differ');
  expect(whole).toContain('ordner ü/moved here.txt');
  expect(await diffText({ repo: await facts(), from, to, paths: ['staged.txt'] })).not.toContain('gone.txt');
  expect(await diffText({ repo: await facts(), from, to, paths: ['*.txt'] })).toBe('');
});

it("no program of the user's own is run for a diff", async () => {
  const trace = join(sandbox.root, 'ran');
  sandbox.git(repo, 'config', 'diff.external', `touch ${trace}; true`);
  sandbox.git(repo, 'config', 'diff.loud.textconv', `touch ${trace}; cat`);
  writeFileSync(at('.gitattributes'), '*.txt diff=loud\n');
  const from = sandbox.git(repo, 'rev-parse', 'HEAD');
  const to = (await presentWork(repo, await facts()))?.commit ?? '';
  expect(await diffText({ repo: await facts(), from, to, paths: ['staged.txt'] })).toContain('+staged');
  expect(existsSync(trace)).toBe(false);
});

it('an edit of the same length in the second of the checkout is seen', async () => {
  const other = sandbox.repo('quick');
  const [file, index] = [join(other, 'README.md'), join(other, '.git', 'index')];
  const now = 1_700_000_000;
  sandbox.git(other, 'config', 'core.trustctime', 'false');
  utimesSync(file, now, now);
  sandbox.git(other, 'update-index', '--refresh');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.toUpperCase());
  utimesSync(file, now, now);
  utimesSync(index, now, now);
  const folder = await inspectFolder({ path: other, env: sandbox.env });
  if (folder === undefined) throw new Error('no repository');
  const present = await presentWork(other, folder);
  expect(sandbox.git(other, 'show', `${present?.commit}:README.md`)).toBe(before.toUpperCase().trimEnd());
});
