// Writes a tree into a folder byte for byte, whatever the repository or the user would have git convert.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import type { Repo } from '../inspect.ts';
import { type Env, git } from '../repo.ts';

export interface RawCheckout {
  readonly repo: Repo;
  readonly tree: string;
  /** Exists. What is in it already stays as it is, and makes this reject when the tree has something of that name. */
  readonly into: string;
  /** Exists and is ours: for what git needs meanwhile. */
  readonly scratch: string;
}

// `unset` would be no encoding at all to git, so that one is made to be not given.
const asItIs = '* -text !eol -crlf -ident -filter !working-tree-encoding\n';

/** Symlinks and executable bits too. */
export async function checkOutRaw({ repo, tree, into, scratch }: RawCheckout): Promise<void> {
  const dir = join(scratch, `crewmux-raw-${newNonce()}`);
  try {
    const gitEnv = await emptyRepository(repo, { dir, shaLength: tree.length });
    const place = { path: into, env: repo.env };
    const asked = { gitEnv: { ...gitEnv, GIT_WORK_TREE: into }, timeoutMs: 600_000 };
    // Where a file system takes other names for git's own folder, git knows that by itself, and refuses them.
    const config = ['-c', 'core.protectNTFS=false', '-c', 'core.sparseCheckout=false'];
    await git(place, [...config, 'read-tree', tree], asked);
    await git(place, [...config, 'checkout-index', '--all'], asked);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Has the objects of the real one, and attributes that go before all others. */
async function emptyRepository(repo: Repo, { dir, shaLength }: { dir: string; shaLength: number }): Promise<Env> {
  await mkdir(join(dir, 'refs'), { recursive: true });
  await mkdir(join(dir, 'info'));
  const format = shaLength === 64 ? '[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n' : '';
  await Promise.all([
    writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n'),
    writeFile(join(dir, 'config'), format),
    writeFile(join(dir, 'info', 'attributes'), asItIs),
  ]);
  return {
    GIT_DIR: dir,
    GIT_INDEX_FILE: join(dir, 'index'),
    GIT_OBJECT_DIRECTORY: join(repo.gitCommonDir, 'objects'),
  };
}
