// Where templates of plans lie, the strongest first, and what of them is left aside.
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../model/errors.ts';
import { pathsBelow } from './agent-files.ts';
import { type Agreements, agreedTo, readAgreements } from './agreements.ts';
import { stateHome, userFolder } from './paths.ts';
import { type ProjectFile, readPlainFile } from './project-file.ts';
import { type LeftAside, type RolePlaces, type UsersFile, usersFiles } from './roles/find.ts';
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
const mostFiles = 500;

/** Below a project. */
export const templateFolder = join('.crewmux', 'plans');
export const usersTemplateFolder = (places: Pick<RolePlaces, 'env' | 'userHome'>): string =>
  join(userFolder(places), 'plans');

/** Reads every place anew. Never throws. */
export function findTemplateFiles(places: RolePlaces): TemplateFiles {
  const agreements = readAgreements(stateHome(places));
  const ofProjects = places.folders.flatMap((folder) =>
    templateFilesIn(folder).map((file) => counted(file, folder, agreements)),
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
  pathsBelow(project, templateFolder)
    .filter((path) => dirname(path) === templateFolder && path.endsWith(templateEnding))
    .slice(0, mostFiles)
    .map((path) => readPlainFile(project, path))
    .filter(({ held }) => held.is !== 'missing');

type Read = TemplateFile | LeftAside;

function counted(found: ProjectFile, project: string, agreements: Agreements): Read {
  const { file, held } = found;
  if (held.is !== 'read') return aside(file, held.is === 'refused' ? held.message : `${file} is gone.`);
  const is = agreedTo(agreements, found);
  if (is === 'agreed') return readOne({ file, text: held.text });
  const why = is === 'changed' ? `${file} has changed since a person agreed to it` : `Nobody has agreed to ${file}`;
  const todo = `A person reads the file, then runs \`crewmux trust\` in ${project}.`;
  return aside(file, `${why}, so crewmux leaves this template aside. ${todo}`);
}

function readOne({ file, text }: UsersFile): Read {
  if (typeof text !== 'string') return aside(file, `${file} cannot be read (${String(codeOf(text) ?? text.message)}).`);
  const read = readYaml(text);
  if ('error' in read) return aside(file, `${file} is left aside as a whole: it is no YAML (${read.error}).`);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { name: nameOf(file), file, sha256, value: read.value };
}

const nameOf = (file: string): string => basename(file, templateEnding);
const aside = (file: string, why: string): LeftAside => ({ file, name: nameOf(file), why });
