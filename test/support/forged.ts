// Loose objects whose content is not what their ids say, as whoever can write git's object folder makes them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

export const loosePath = (gitDir: string, id: string): string => join(gitDir, 'objects', id.slice(0, 2), id.slice(2));

export type ObjectType = 'blob' | 'tree' | 'commit';

/** Puts content under the id of something else. */
export function forge(
  gitDir: string,
  id: string,
  { type, content }: { readonly type: ObjectType; readonly content: string | Buffer },
): void {
  const path = loosePath(gitDir, id);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const bytes = Buffer.from(content);
  writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])));
}
