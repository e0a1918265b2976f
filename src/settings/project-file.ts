// Files of a project that wait for a person, read as something that a stranger may have written.
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, isMissing } from '../model/errors.ts';
import { configPath } from './paths.ts';

const mostBytes = 256 * 1024;

export interface ProjectFile {
  /** As it was asked for, for people to read. */
  readonly file: string;
  /** Its real path; undefined where the project is no folder. */
  readonly place?: string;
  readonly held:
    | { readonly is: 'missing' }
    /** Nothing of it can be used, and why. */
    | { readonly is: 'refused'; readonly message: string }
    | { readonly is: 'read'; readonly text: string; readonly sha256: string };
}

/** The project's configuration file. */
export const readProjectFile = (project: string): ProjectFile => readPlainFile(project, configPath);

/** Never throws, never waits, and follows no link below the project. */
export function readPlainFile(project: string, path: string): ProjectFile {
  const file = join(project, path);
  const at = placeOf(project, path);
  if (at === undefined) return { file, held: { is: 'missing' } };
  try {
    return { file, place: at, held: heldAt(at, file) };
  } catch (thrown) {
    if (isMissing(thrown)) return { file, place: at, held: { is: 'missing' } };
    const message = `${file} cannot be read (${String(codeOf(thrown) ?? thrown)}); it is left aside.`;
    return { file, place: at, held: { is: 'refused', message } };
  }
}

/** Where the file of a project really lies; a link at its end or before it would lie elsewhere. */
function placeOf(project: string, path: string): string | undefined {
  try {
    return join(realpathSync(project), path);
  } catch {
    return undefined;
  }
}

function heldAt(place: string, file: string): ProjectFile['held'] {
  if (realpathSync(place) !== place) {
    const message = `${file} is a symbolic link, or lies behind one; none of it is used. Put a file of its own there.`;
    return { is: 'refused', message };
  }
  // Somebody may put a link or a pipe there in between: neither is followed, nor waited for.
  const handle = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(handle);
    if (!found.isFile()) return { is: 'refused', message: `${file} is no plain file; none of it is used.` };
    const bytes = firstBytes(handle);
    if (bytes.length > mostBytes) {
      const message = `${file} has more than ${mostBytes} bytes; none of it is used.`;
      return { is: 'refused', message };
    }
    return { is: 'read', text: bytes.toString('utf8'), sha256: sha256Of(bytes) };
  } finally {
    closeSync(handle);
  }
}

/** At most one byte more than a file may have. */
function firstBytes(handle: number): Buffer {
  const bytes = Buffer.alloc(mostBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(handle, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
}

export const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
