// Where roles lie, the first that counts of each name, and what is left aside.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf, isMissing } from '../../model/errors.ts';
import { pathsBelow } from '../agent-files.ts';
import { type Agreements, agreedTo, readAgreements } from '../agreements.ts';
import { stateHome, userFolder } from '../paths.ts';
import { type ProjectFile, readPlainFile } from '../project-file.ts';
import { builtInRoles } from './built-in.ts';
import { type Role, readRole } from './role-file.ts';

export interface RolePlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** The project, and the main repository where that is another folder. */
  readonly folders: readonly string[];
}

export interface FoundRole {
  readonly role: Role;
  /** `built in`, or its file. */
  readonly source: string;
  readonly sha256: string;
}

/** A file that does not count. */
export interface LeftAside {
  readonly file: string;
  /** Of the role that it would be, as far as it can be told. */
  readonly name: string;
  /** A sentence with the way out. */
  readonly why: string;
}

export interface FoundRoles {
  readonly roles: readonly FoundRole[];
  readonly aside: readonly LeftAside[];
}

const mostFiles = 500;
const mostBytes = 256 * 1024;

/** Reads every place anew, the strongest first; the first role that has a name counts whole. Never throws. */
export function findRoles(places: RolePlaces): FoundRoles {
  const agreements = readAgreements(stateHome(places));
  const ofProjects = places.folders.flatMap((folder) =>
    [...roleFilesIn(folder), ...filesBelow(folder, join('.claude', 'agents'))].map((file) =>
      counted(file, folder, agreements),
    ),
  );
  const claudeHome = places.env.CLAUDE_CONFIG_DIR || join(places.userHome, '.claude');
  const ofUser = [join(userFolder(places), 'roles'), join(claudeHome, 'agents')]
    .flatMap((folder) => usersFiles(folder, '.md'))
    .map(readOne);
  const all = [...ofProjects, ...ofUser];
  const found = [...all.flatMap((one) => ('role' in one ? [one] : [])), ...builtIn];
  const names = [...new Set(found.map(({ role }) => role.name))];
  return {
    roles: names.flatMap((name) => found.find(({ role }) => role.name === name) ?? []),
    aside: all.flatMap((one) => ('why' in one ? [one] : [])),
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export const builtInSource = 'built in';

const builtIn: readonly FoundRole[] = builtInRoles.map((role) => ({
  role,
  source: builtInSource,
  sha256: digestOf(JSON.stringify(role)),
}));

/** The files of a project's own folder of roles, which a person has to agree to. Never throws. */
export const roleFilesIn = (project: string): readonly ProjectFile[] => filesBelow(project, join('.crewmux', 'roles'));

const filesBelow = (project: string, folder: string): readonly ProjectFile[] =>
  pathsBelow(project, folder)
    .filter((path) => path.endsWith('.md'))
    .slice(0, mostFiles)
    .map((path) => readPlainFile(project, path))
    .filter(({ held }) => held.is !== 'missing');

type Read = FoundRole | LeftAside;

function counted(found: ProjectFile, project: string, agreements: Agreements): Read {
  const { file, held } = found;
  if (held.is !== 'read') return aside(file, held.is === 'refused' ? held.message : `${file} is gone.`);
  const is = agreedTo(agreements, found);
  if (is === 'agreed') return readOne({ file, text: held.text });
  const why = is === 'changed' ? `${file} has changed since a person agreed to it` : `Nobody has agreed to ${file}`;
  const todo = `A person reads the file, then runs \`crewmux trust\` in ${project}.`;
  return aside(file, `${why}, so crewmux leaves this role aside. ${todo}`, nameIn(held.text));
}

/** Whether a role's file, or the built-in role, still is what it was. Never throws. */
export function isAsItWas({ source, sha256 }: Pick<FoundRole, 'source' | 'sha256'>, name: string): boolean {
  if (source === builtInSource) return builtIn.find(({ role }) => role.name === name)?.sha256 === sha256;
  const { text } = usersFile(source);
  return typeof text === 'string' && digestOf(text) === sha256;
}

export interface UsersFile {
  readonly file: string;
  readonly text: string | Error;
}

function readOne({ file, text }: UsersFile): Read {
  if (typeof text !== 'string') return aside(file, `${file} cannot be read (${String(codeOf(text) ?? text.message)}).`);
  const read = readRole(text);
  if ('role' in read) return { role: read.role, source: file, sha256: digestOf(text) };
  return aside(file, `${file} is left aside as a whole: ${read.fault}.`, read.name);
}

const aside = (file: string, why: string, name = basename(file, '.md')): LeftAside => ({ file, name, why });

function nameIn(text: string): string | undefined {
  const read = readRole(text);
  return 'role' in read ? read.role.name : read.name;
}

/** Those of the user's own folder, where a link may lead anywhere. */
export function usersFiles(folder: string, ending: string): readonly UsersFile[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
    return names
      .toSorted()
      .slice(0, mostFiles)
      .map((name) => join(folder, name))
      .map(usersFile);
  } catch (thrown) {
    return isMissing(thrown) ? [] : [{ file: folder, text: asError(thrown) }];
  }
}

function usersFile(file: string): UsersFile {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) throw new Error('it is no plain file');
    if (facts.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return { file, text: readFileSync(file, 'utf8') };
  } catch (thrown) {
    return { file, text: asError(thrown) };
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
