// Repositories as they are met in the wild, each made by real git.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { MergeStrategy } from '../../src/model/train.ts';
import type { Sandbox } from './sandbox.ts';

export interface Odd {
  /** Where a worker is spawned from. */
  readonly path: string;
  /** For a bare one, a checkout of its main branch. */
  readonly checkout?: string;
}

type Builder = (box: Sandbox, name: string) => Odd;

/** An ordinary repository that is then made odd. */
const plain =
  (...changes: Change[]): Builder =>
  (box, name) => {
    const path = box.repo(name);
    for (const change of changes) change((...args) => box.git(path, ...args), path, box);
    return { path };
  };

function hook(path: string, name: string, words = `${name} says no`): void {
  mkdirSync(dirname(join(path, name)), { recursive: true });
  writeFileSync(join(path, name), `#!/bin/sh\necho "${words}" >&2\nexit 1\n`);
  chmodSync(join(path, name), 0o755);
}

/** Returns what takes it away again. */
export function failingHook(path: string, name: string): () => void {
  hook(join(path, '.git/hooks'), name);
  return () => rmSync(join(path, '.git/hooks', name));
}

export const oddNames = [
  'with space.txt',
  'ünï ☃.txt',
  'line\nbreak.txt',
  'tab\t"quote".txt',
  '-dash.txt',
  '*star?.txt',
  ':(top)x',
  ' lead',
];

type Change = (git: (...args: string[]) => string, path: string, box: Sandbox) => void;

const addSubmodule: Change = (git, path, box) => {
  const library = box.repo(`${basename(path)}-lib`);
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
  git('commit', '-q', '-m', 'Use lib');
};

export const withSubmodule: Builder = plain(addSubmodule);

/** Pointers in the repository, and a filter that must run and is not installed. */
export const withoutLfs: Builder = plain((git, path) => {
  const oid = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';
  writeFileSync(join(path, 'big.bin'), `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`);
  writeFileSync(join(path, '.gitattributes'), '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Big');
  git('config', '--global', 'filter.lfs.clean', 'no-such-git-lfs clean -- %f');
  git('config', '--global', 'filter.lfs.smudge', 'no-such-git-lfs smudge -- %f');
  git('config', '--global', 'filter.lfs.process', 'no-such-git-lfs filter-process');
  git('config', '--global', 'filter.lfs.required', 'true');
});

const bareOf =
  (build: Builder): Builder =>
  (box, name) => {
    const from = build(box, `${name}-from`).path;
    const path = join(box.root, `${name}.git`);
    box.git(box.root, 'clone', '-q', '--bare', from, path);
    const checkout = join(box.root, `${name}-main`);
    box.git(path, 'worktree', 'add', '-q', checkout, 'main');
    return { path, checkout };
  };

const bare = bareOf(plain());

const shallow: Builder = (box, name) => {
  const from = box.repo(`${name}-from`);
  for (const n of [1, 2, 3]) box.git(from, 'commit', '-q', '--allow-empty', '-m', `Old ${n}`);
  const path = join(box.root, name);
  box.git(box.root, 'clone', '-q', '--depth', '1', `file://${from}`, path);
  return { path };
};

const sha256: Builder = (box, name) => {
  const path = box.dir(name);
  box.git(path, 'init', '-q', '-b', 'main', '--object-format=sha256');
  writeFileSync(join(path, 'README.md'), '# odd\n');
  box.git(path, 'add', '.');
  box.git(path, 'commit', '-q', '-m', 'Start');
  return { path };
};

export const manyFiles: Builder = (box, name) => {
  const { path } = bare(box, name);
  const blob = box.git(path, 'rev-parse', 'main:README.md');
  const index = { ...box.env, GIT_INDEX_FILE: join(path, 'many.index') };
  const lines = Array.from({ length: 10_000 }, (_, n) => `100644 ${blob}\td${n % 100}/${n}.txt\n`).join('');
  execFileSync('git', ['update-index', '--add', '--index-info'], { cwd: path, env: index, input: lines });
  const tree = execFileSync('git', ['write-tree'], { cwd: path, env: index, encoding: 'utf8' }).trim();
  box.git(path, 'branch', 'many', box.git(path, 'commit-tree', tree, '-p', 'main', '-m', 'Many'));
  return { path };
};

const inFolder =
  (folder: string, ...changes: Change[]): Builder =>
  (box) =>
    plain(...changes)(box, folder);

const oddFolder = "an odd 'folder' ünï";

/** What people set for their own git, and what must not change ours. */
const selfWilled = [
  ['extensions.worktreeConfig', 'true'],
  ['commit.gpgSign', 'true'],
  ['tag.gpgSign', 'true'],
  ['gpg.program', '/bin/false'],
  ['merge.ff', 'only'],
  ['pull.rebase', 'true'],
  ['rerere.enabled', 'true'],
  ['rerere.autoUpdate', 'true'],
  ['merge.conflictStyle', 'diff3'],
  ['branch.autoSetupMerge', 'always'],
  ['rebase.autoSquash', 'true'],
  ['rebase.autoStash', 'true'],
  ['rebase.updateRefs', 'true'],
  ['rebase.backend', 'apply'],
  ['rebase.forkPoint', 'true'],
  ['rebase.rebaseMerges', 'true'],
  ['rebase.instructionFormat', '%H'],
  ['status.showUntrackedFiles', 'no'],
  ['diff.ignoreSubmodules', 'all'],
  ['diff.renames', 'copies'],
  ['diff.mnemonicPrefix', 'true'],
  ['core.quotePath', 'false'],
  ['color.ui', 'always'],
  ['log.showSignature', 'true'],
] as const;

const withWill: Change = (git, path) => {
  const will = selfWilled.map(([key, value]) => {
    const [section = '', name = ''] = key.split('.');
    return `[${section}]\n\t${name} = ${value}\n`;
  });
  appendFileSync(join(path, '.git/config'), will.join(''));
  git('config', 'core.hooksPath', join(path, 'tools/hooks'));
};

const turningLineEnds: Change = (git, path) => {
  git('config', 'core.autocrlf', 'true');
  writeFileSync(join(path, 'dos.txt'), 'a\r\nb\r\n');
  git('add', '.');
  git('-c', 'commit.gpgSign=false', 'commit', '-q', '-m', 'Dos');
};

const recursing: Change = (git) => void git('config', 'submodule.recurse', 'true');

/** Fails after each checkout of a scratch worktree. */
function scratchHook(hooks: string): void {
  mkdirSync(hooks, { recursive: true });
  const words = 'case $PWD in *crewmux-scratch-*) exit 1;; esac';
  writeFileSync(join(hooks, 'post-checkout'), `#!/bin/sh\n${words}\n`, { mode: 0o755 });
}

const landingHooks = ['pre-rebase', 'pre-merge-commit', 'post-commit', 'post-merge', 'post-rewrite'];

const gitElsewhere: Change = (git, path, box) =>
  void git('init', '-q', '--separate-git-dir', join(box.root, `${basename(path)}-git`));

/** Those in which everything works as in any other. */
export const harmless: Readonly<Record<string, Builder>> = {
  'one in a folder with quotes, blanks and umlauts': inFolder(oddFolder),
  'one with a submodule': withSubmodule,
  'a bare one with worktrees': bare,
  'a shallow clone': shallow,
  'one with sha256 names': sha256,
  'one with a will of its own': plain(withWill),
  'one that turns line ends': plain(turningLineEnds),
  'one that recurses into submodules': plain(addSubmodule, recursing),
  'one with a hook that fails after each checkout of a scratch worktree': plain((_, path) =>
    scratchHook(join(path, '.git/hooks')),
  ),
  'one whose pre-rebase and pre-merge-commit hooks fail': plain((_, path) => {
    for (const name of landingHooks) hook(join(path, '.git/hooks'), name);
  }),
  'one whose git folder lies elsewhere': plain(gitElsewhere),
};

interface Together {
  readonly title: string;
  readonly build: Builder;
  readonly strategies: readonly MergeStrategy[];
  readonly oddName: string;
}

/** All that is harmless, in as few repositories as can have it. */
export const together: readonly Together[] = [
  {
    title: 'one in an odd folder that turns line ends, with a will and failing hooks of its own',
    build: inFolder(oddFolder, turningLineEnds, withWill, (_, path) => {
      // Where core.hooksPath leads. What a commit or merge of a person runs must not fail for the test's own.
      for (const name of landingHooks) hook(join(path, '.git/crewmux-hooks'), name);
      scratchHook(join(path, '.git/crewmux-hooks'));
      appendFileSync(join(path, '.git/config'), `[core]\n\thooksPath = ${join(path, '.git/crewmux-hooks')}\n`);
    }),
    strategies: ['merge', 'ff-only'],
    oddName: 'line\nbreak.txt',
  },
  {
    title: 'one that recurses into its submodule, whose git folder lies elsewhere',
    build: plain(gitElsewhere, addSubmodule, recursing),
    strategies: ['squash'],
    oddName: ':(top)x',
  },
  { title: 'a bare one with sha256 names', build: bareOf(sha256), strategies: ['ff-only'], oddName: '-dash.txt' },
  { title: 'a shallow clone', build: shallow, strategies: ['squash'], oddName: 'tab\t"*star?.txt' },
];
