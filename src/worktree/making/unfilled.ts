// What git leaves out of a fresh worktree: submodules, and large files without their filter.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlain, plainText } from '../../system/plain-file.ts';
import { nulEnded } from '../git/porcelain.ts';
import { type GitPlace, tryReadGit } from '../git/repo.ts';

const pointer = 'version https://git-lfs.github.com/spec/';
const named = (paths: readonly string[]) =>
  `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`;

/** A sentence for each kind of thing that is missing, with the way to get it. */
export async function unfilled(worktree: GitPlace): Promise<readonly string[]> {
  const [modules, large] = await Promise.all([emptySubmodules(worktree), pointersLeft(worktree)]);
  return [
    ...(modules.length === 0
      ? []
      : [
          `its submodules are empty (${named(modules)}); set worktrees.submodules to true, or run git submodule update --init --recursive there.`,
        ]),
    ...(large.length === 0
      ? []
      : [
          `it has Git LFS pointers in place of files (${named(large)}); run git lfs install once, and git lfs pull there.`,
        ]),
  ];
}

/** Paths that `.gitmodules` names and that hold nothing. */
async function emptySubmodules({ path }: GitPlace): Promise<readonly string[]> {
  const text = await plainText(join(path, '.gitmodules'));
  const paths = [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gmu)].map(([, found = '']) => found);
  const held = await Promise.all(paths.map((one) => readdir(join(path, one)).catch(() => undefined)));
  return paths.filter((_, index) => held[index]?.length === 0);
}

const mostLooked = 50;

/** Files of the filter `lfs` that hold what git keeps of them. */
async function pointersLeft(worktree: GitPlace): Promise<readonly string[]> {
  const attributes = await plainText(join(worktree.path, '.gitattributes'));
  if (!/\bfilter=lfs\b/u.test(attributes)) return [];
  const { stdout } = await tryReadGit(worktree, ['ls-files', '-z', '--', ':(attr:filter=lfs)']);
  const paths = nulEnded(stdout).slice(0, mostLooked);
  const starts = await Promise.all(paths.map((path) => startOf(join(worktree.path, path))));
  return paths.filter((_, index) => starts[index] === pointer);
}

async function startOf(path: string): Promise<string> {
  const file = await openPlain(path, Number.POSITIVE_INFINITY).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(pointer.length), 0, pointer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
