// git that takes and writes files byte for byte, whatever conversion the repository or the user has set.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withPrivateFolder } from '../../system/private-folder.ts';
import type { Env } from '../git/repo.ts';

export interface ByteForByte {
  readonly gitDir: string;
  readonly gitCommonDir: string;
  /** Any name of an object, from which the repository's hash is known. */
  readonly sha: string;
}

// `unset` would be no encoding at all to git, so that one is made to be not given.
const asItIs = '* -text !eol -crlf -ident -filter !working-tree-encoding\n';

/** `use` gets the environment for git, which has the repository's objects and none of its settings, and a folder of ours. */
export async function byteForByte<T>(
  { gitDir, gitCommonDir, sha }: ByteForByte,
  use: (env: Env, scratch: string) => Promise<T>,
): Promise<T> {
  const format = sha.length === 64 ? '[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n' : '';
  return withPrivateFolder(async (scratch) => {
    await mkdir(join(scratch, 'refs'));
    await mkdir(join(scratch, 'info'));
    await writeFile(join(scratch, 'config'), format);
    // Attributes of this file go before all others.
    await writeFile(join(scratch, 'info', 'attributes'), asItIs);
    const objects = join(gitCommonDir, 'objects');
    return use({ GIT_DIR: gitDir, GIT_COMMON_DIR: scratch, GIT_OBJECT_DIRECTORY: objects }, scratch);
  });
}
