// The ground of a file of tests on worktrees: a repository with its first commit, as crewmux sees it.
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../src/worktree/git/inspect.ts';
import { type AddedWorktree, addWorktree } from '../../src/worktree/making/add.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';

export interface Ground {
  readonly box: Sandbox;
  /** The path of its main checkout. */
  readonly repo: string;
  readonly folder: FolderFacts;
}

export async function folderAt(path: string, env: Sandbox['env']): Promise<FolderFacts> {
  const folder = await inspectFolder({ path, env });
  if (folder === undefined) throw new Error(`no repository at ${path}`);
  return folder;
}

export const workerTree = (folder: FolderFacts, workerName = 'ada'): Promise<AddedWorktree> =>
  addWorktree({ folder, root: '.worktrees', name: { workerName, workerId: 'x' } });

/** Each test finds all files as they are once the file of tests is loaded. */
export async function layGround(name = 'app'): Promise<Ground> {
  const box = makeSandbox();
  const repo = box.repo(name);
  let back: () => void;
  beforeAll(() => {
    back = box.keep();
  });
  afterEach(() => back());
  afterAll(() => box.dispose());
  return { box, repo, folder: await folderAt(repo, box.env) };
}
