// The files in which somebody keeps roles or templates: those of a project wait for a person, the user's own do not.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, isMissing, messageOf } from '../model/errors.ts';
import { pathsBelow } from './agent-files.ts';
import { type Agreements, agreedTo } from './agreements.ts';
import { type ProjectFile, readPlainFile } from './project-file.ts';

/** A file that does not count. */
export interface LeftAside {
  readonly file: string;
  /** Of what it would be, as far as it can be told. */
  readonly name: string;
  /** A sentence with the way out. */
  readonly why: string;
}

export interface KeptFile {
  readonly file: string;
  readonly text: string;
}

/** Its text is there where it could be read all the same. */
export interface UncountedFile {
  readonly file: string;
  readonly why: string;
  readonly text?: string;
}

const mostFiles = 500;
const mostBytes = 256 * 1024;

/** Of those below the folder of a project, which a person has to agree to. Never throws. */
export const projectFiles = (
  project: string,
  folder: string,
  isOne: (path: string) => boolean,
): readonly ProjectFile[] =>
  pathsBelow(project, folder)
    .filter(isOne)
    .slice(0, mostFiles)
    .map((path) => readPlainFile(project, path))
    .filter(({ held }) => held.is !== 'missing');

export interface Counting {
  readonly project: string;
  readonly agreements: Agreements;
  /** What such a file holds. */
  readonly noun: string;
}

export function agreedFile(found: ProjectFile, { project, agreements, noun }: Counting): KeptFile | UncountedFile {
  const { file, held } = found;
  if (held.is !== 'read') return { file, why: held.is === 'refused' ? held.message : `${file} is gone.` };
  const { text } = held;
  const is = agreedTo(agreements, found);
  if (is === 'agreed') return { file, text };
  const why = is === 'changed' ? `${file} has changed since a person agreed to it` : `Nobody has agreed to ${file}`;
  const todo = `A person reads the file, then runs \`crewmux trust\` in ${project}.`;
  return { file, why: `${why}, so crewmux leaves this ${noun} aside. ${todo}`, text };
}

/** Those of a folder of the user's own, where a link may lead anywhere. */
export function usersFiles(folder: string, ending: string): readonly (KeptFile | UncountedFile)[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
    return names
      .toSorted()
      .slice(0, mostFiles)
      .map((name) => usersFile(join(folder, name)));
  } catch (thrown) {
    return isMissing(thrown) ? [] : [unread(folder, thrown)];
  }
}

export function usersFile(file: string): KeptFile | UncountedFile {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) throw new Error('it is no plain file');
    if (facts.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return { file, text: readFileSync(file, 'utf8') };
  } catch (thrown) {
    return unread(file, thrown);
  }
}

const unread = (file: string, thrown: unknown): UncountedFile => ({
  file,
  why: `${file} cannot be read (${String(codeOf(thrown) ?? messageOf(thrown))}).`,
});
