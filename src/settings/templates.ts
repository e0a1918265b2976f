// Where templates of plans lie, the strongest first, and what of them is left aside.
import { basename, dirname, join } from 'node:path';
import { readAgreements } from './agreements.ts';
import {
  agreedFile,
  type KeptFile,
  type LeftAside,
  projectFiles,
  type UncountedFile,
  usersFiles,
} from './kept-files.ts';
import { stateHome, userFolder } from './paths.ts';
import { type ProjectFile, sha256Of } from './project-file.ts';
import type { RolePlaces } from './roles/find.ts';
import { readYaml } from './yaml.ts';

export interface TemplateFile {
  /** That of the file, without its ending. */
  readonly name: string;
  readonly file: string;
  readonly sha256: string;
  /** What it holds; whether that is a template is for others to say. */
  readonly value: unknown;
}

export interface TemplateFiles {
  readonly files: readonly TemplateFile[];
  readonly aside: readonly LeftAside[];
}

export const templateEnding = '.yaml';

/** Below a project. */
export const templateFolder = join('.crewmux', 'plans');
export const usersTemplateFolder = (places: Pick<RolePlaces, 'env' | 'userHome'>): string =>
  join(userFolder(places), 'plans');

/** Where templates may lie; none of them need be there. */
export const templateFoldersOf = (places: RolePlaces): readonly string[] => [
  ...places.folders.map((folder) => join(folder, templateFolder)),
  usersTemplateFolder(places),
];

/** Reads every place anew. Never throws. */
export function findTemplateFiles(places: RolePlaces): TemplateFiles {
  const agreements = readAgreements(stateHome(places));
  const ofProjects = places.folders.flatMap((folder) =>
    templateFilesIn(folder).map((file) => readOne(agreedFile(file, { project: folder, agreements, noun: 'template' }))),
  );
  const folder = usersTemplateFolder(places);
  const ofUser = usersFiles(folder, templateEnding)
    .filter(({ file }) => dirname(file) === folder)
    .map(readOne);
  const all = [...ofProjects, ...ofUser];
  return {
    files: all.flatMap((one) => ('value' in one ? [one] : [])),
    aside: all.flatMap((one) => ('why' in one ? [one] : [])),
  };
}

/** The files of a project's own templates, which a person has to agree to. Never throws. */
export const templateFilesIn = (project: string): readonly ProjectFile[] =>
  projectFiles(project, templateFolder, (path) => dirname(path) === templateFolder && path.endsWith(templateEnding));

function readOne(one: KeptFile | UncountedFile): TemplateFile | LeftAside {
  const { file } = one;
  const name = basename(file, templateEnding);
  if ('why' in one) return { file, name, why: one.why };
  const read = readYaml(one.text);
  if ('error' in read) return { file, name, why: `${file} is left aside as a whole: it is no YAML (${read.error}).` };
  return { name, file, sha256: sha256Of(one.text), value: read.value };
}
