// Follows folders with all that lies below them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FollowDirOptions, followDir } from './folder.ts';

const mostFolders = 200;

/** Tells that something below the folders came, changed or went, which may be nothing. They may not exist yet. */
export function followTrees(
  roots: readonly string[],
  { onChange, ...options }: Pick<FollowDirOptions, 'clock' | 'onTrouble'> & { readonly onChange: () => void },
): { close(): void } {
  const followed = new Map<string, { close(): void }>();
  let isClosed = false;
  const follow = () => {
    const now = new Set(roots.flatMap(withFoldersBelow).slice(0, mostFolders));
    for (const [path, one] of followed) {
      if (now.has(path)) continue;
      followed.delete(path);
      one.close();
    }
    for (const path of now)
      if (!followed.has(path)) followed.set(path, followDir(path, { ...options, onChange: look }));
  };
  const look = () => {
    if (isClosed) return;
    follow();
    onChange();
  };
  follow();
  return {
    close() {
      isClosed = true;
      for (const one of followed.values()) one.close();
    },
  };
}

/** A link leads to no folder of them. */
function withFoldersBelow(folder: string): readonly string[] {
  try {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...folders.flatMap(({ name }) => withFoldersBelow(join(folder, name)))];
  } catch {
    return [folder];
  }
}
