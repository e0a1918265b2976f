// Where roles lie, the first that counts of each name, and what is left aside.
import { basename, join } from 'node:path';
import { readAgreements } from '../agreements.ts';
import {
  agreedFile,
  type KeptFile,
  type LeftAside,
  projectFiles,
  type UncountedFile,
  usersFile,
  usersFiles,
} from '../kept-files.ts';
import { stateHome, userFolder } from '../paths.ts';
import { type ProjectFile, sha256Of } from '../project-file.ts';
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

export interface FoundRoles {
  readonly roles: readonly FoundRole[];
  readonly aside: readonly LeftAside[];
}

/** Reads every place anew, the strongest first; the first role that has a name counts whole. Never throws. */
export function findRoles(places: RolePlaces): FoundRoles {
  const agreements = readAgreements(stateHome(places));
  const ofProjects = places.folders.flatMap((folder) =>
    [...roleFilesIn(folder), ...filesBelow(folder, agentsBelow)].map((file) =>
      readOne(agreedFile(file, { project: folder, agreements, noun: 'role' })),
    ),
  );
  const ofUser = usersFolders(places)
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

export const builtInSource = 'built in';

const builtIn: readonly FoundRole[] = builtInRoles.map((role) => ({
  role,
  source: builtInSource,
  sha256: sha256Of(JSON.stringify(role)),
}));

/** The files of a project's own folder of roles, which a person has to agree to. Never throws. */
export const roleFilesIn = (project: string): readonly ProjectFile[] => filesBelow(project, rolesBelow);

/** Where roles may lie, in folders below as well; none of them need be there. */
export const roleFoldersOf = (places: RolePlaces): readonly string[] => [
  ...places.folders.flatMap((folder) => [rolesBelow, agentsBelow].map((path) => join(folder, path))),
  ...usersFolders(places),
];

const rolesBelow = join('.crewmux', 'roles');
const agentsBelow = join('.claude', 'agents');
const usersFolders = (places: Pick<RolePlaces, 'env' | 'userHome'>): readonly string[] => [
  join(userFolder(places), 'roles'),
  join(places.env.CLAUDE_CONFIG_DIR || join(places.userHome, '.claude'), 'agents'),
];

const filesBelow = (project: string, folder: string): readonly ProjectFile[] =>
  projectFiles(project, folder, (path) => path.endsWith('.md'));

/** Whether a role's file, or the built-in role, still is what it was. Never throws. */
export function isAsItWas({ source, sha256 }: Pick<FoundRole, 'source' | 'sha256'>, name: string): boolean {
  if (source === builtInSource) return builtIn.find(({ role }) => role.name === name)?.sha256 === sha256;
  const one = usersFile(source);
  return !('why' in one) && sha256Of(one.text) === sha256;
}

function readOne(one: KeptFile | UncountedFile): FoundRole | LeftAside {
  const { file } = one;
  if ('why' in one) return { file, name: nameIn(one) ?? nameOf(file), why: one.why };
  const read = readRole(one.text);
  if ('role' in read) return { role: read.role, source: file, sha256: sha256Of(one.text) };
  return { file, name: read.name ?? nameOf(file), why: `${file} is left aside as a whole: ${read.fault}.` };
}

const nameOf = (file: string): string => basename(file, '.md');

function nameIn({ text }: UncountedFile): string | undefined {
  if (text === undefined) return undefined;
  const read = readRole(text);
  return 'role' in read ? read.role.name : read.name;
}
