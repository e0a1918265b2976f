// The project's own agent files at the start of a sandboxed worker: they load, or the agent is started without them.
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Agent, LeftOut, SandboxHole } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { mapRules, type Rules } from '../../model/rule.ts';
import { beginningOf, isBuiltIn, type WorkerRecord } from '../../model/worker.ts';
import { agentFilesAbove, agentFilesIn, namesOf, waitingFiles } from '../../settings/agent-files.ts';
import { readAgreements } from '../../settings/agreements.ts';
import { type ProjectFile, readPlainFile } from '../../settings/project-file.ts';
import type { Settings } from '../../settings/settings.ts';
import { below, exists } from '../../system/disk.ts';
import { tryReadGit } from '../../worktree/git/repo.ts';
import type { CrewContext } from '../workers/crew-context.ts';

export interface ProjectStand {
  readonly leftOut?: LeftOut;
  readonly holes: readonly SandboxHole[];
  /** For a person, without the worker's name. */
  readonly warning?: string;
}

export interface ProjectLook {
  readonly mode: Settings['defaults']['project_hooks'];
  /** Where a person agrees. */
  readonly project: string;
  readonly files: readonly ProjectFile[];
  readonly waiting: readonly ProjectFile[];
  /** Settings that are this user's by their name, and the repository's since git tracks them. */
  readonly tracked: readonly ProjectFile[];
  /** Where the agent has it, it can be started without these files. */
  readonly strictRulesIn: ((text: string) => Rules) | undefined;
}

/** Pure. */
export function standOf({ mode, project, files, waiting, tracked, strictRulesIn }: ProjectLook): ProjectStand {
  const all = [...files, ...tracked];
  if (all.length === 0) return { holes: [] };
  const names = namesOf(all, project);
  const hole = (words: string, isWished: boolean): SandboxHole => ({ words, isWished });
  if (mode === 'agent')
    return { holes: [hole(`defaults.project_hooks lets ${names} run programs outside of it`, true)] };
  const isAgreed = mode === 'trusted' && waiting.length === 0;
  if (strictRulesIn === undefined) {
    if (isAgreed) return { holes: [agreedHole(names)] };
    const why = mode === 'off' ? '' : `, and nobody has agreed to that. ${remedy(project)}`;
    return {
      holes: [hole(`its agent cannot be started without ${names}, which may run programs outside of it${why}`, false)],
    };
  }
  const out = { project: isAgreed ? [] : files, local: tracked };
  const sources = (['project', 'local'] as const).filter((source) => out[source].length > 0);
  const texts = sources.flatMap((source) => out[source]).flatMap(({ held }) => (held.is === 'read' ? [held.text] : []));
  const found = texts.map(strictRulesIn);
  const rules = mapRules((list) => found.flatMap((one) => one[list]));
  return {
    holes: isAgreed && files.length > 0 ? [agreedHole(namesOf(files, project))] : [],
    ...(sources.length === 0 ? {} : { leftOut: { sources, rules } }),
    ...defined({ warning: mode === 'off' ? undefined : warningOf({ project, waiting, tracked }) }),
  };
}

function warningOf({ project, waiting, tracked }: Pick<ProjectLook, 'project' | 'waiting' | 'tracked'>) {
  const [unread, own] = [waiting, tracked].map((files) => namesOf(files, project));
  const said = [
    ...(unread
      ? [`Sandboxed workers start without ${unread}, since nobody has agreed to that. ${remedy(project)}`]
      : []),
    ...(own ? [`Sandboxed workers start without ${own}, since git tracks it.`] : []),
  ];
  return said.length === 0 ? undefined : said.join(' ');
}

const agreedHole = (names: string): SandboxHole => ({
  words: `you agreed to ${names}, and what it names runs outside of it`,
  isWished: true,
});

const remedy = (project: string): string => `A person reads it, then runs \`crewmux trust\` in ${project}.`;

type Looking = Pick<CrewContext, 'settingsFor'> & {
  readonly home: Pick<CrewContext['home'], 'root'>;
  readonly environment: Pick<CrewContext['environment'], 'git'>;
};

type Placed = Pick<WorkerRecord, 'projectPath' | 'worktreePath' | 'mainRepoPath' | 'base' | 'begunAt'>;

/** What holds for the next start of this worker; reads every file anew. */
export async function projectStand(context: Looking, record: Placed, agent: Agent): Promise<ProjectStand> {
  const { type, rules, localFiles, sandbox } = agent;
  if (!isBuiltIn(type)) return { holes: [] };
  const project = record.mainRepoPath ?? record.projectPath;
  const places = await placesOf(record);
  const tracked = async (place: Place, path: string): Promise<readonly string[]> =>
    record.mainRepoPath !== undefined && (await tracks(context, place, path)) ? [path] : [];
  const files = places.map(async (place) => {
    const all = place.isAbove ? agentFilesAbove(place.folder, type) : agentFilesIn(place.folder, type);
    const ours = all.filter(({ file }) => below(place.folder, file) === rules.file?.path);
    const theirs = rules.file === undefined || ours.length === 0 ? [] : await tracked(place, rules.file.path);
    return all.filter((one) => !ours.includes(one) || theirs.length > 0).map((one) => asOf(place, one));
  });
  const locals = places.map(async (place) => {
    const paths = await Promise.all(localFiles.map((path) => tracked(place, path)));
    return paths.flat().map((path) => asOf(place, readPlainFile(place.folder, path)));
  });
  const found = (await Promise.all(files)).flat();
  return standOf({
    ...{ project, files: found, tracked: (await Promise.all(locals)).flat(), strictRulesIn: sandbox?.strictRulesIn },
    mode: context.settingsFor(project).settings.defaults.project_hooks,
    waiting: waitingFiles(found, readAgreements(context.home.root)),
  });
}

/** A folder in which the agent looks for the project's files. */
interface Place {
  readonly folder: string;
  readonly real: string;
  /** The same folder of the main checkout, whose files have the agreements; and its real path. */
  readonly main: string;
  readonly realMain: string;
  readonly isAbove: boolean;
  /** That of the worktree's beginning. */
  readonly commit: string | undefined;
}

/** From the worker's folder up to the top of its worktree, and the main checkout. */
async function placesOf(record: Placed): Promise<readonly Place[]> {
  const { projectPath, worktreePath, mainRepoPath } = record;
  const isInside = mainRepoPath !== undefined && below(mainRepoPath, projectPath) !== undefined;
  const top = worktreePath ?? (isInside ? mainRepoPath : projectPath);
  const checkout = mainRepoPath ?? top;
  const place = async (folder: string, isAbove: boolean): Promise<Place> => {
    const isOwn = worktreePath !== undefined && !isAbove;
    const main = isOwn ? join(checkout, below(top, folder) ?? '') : folder;
    const [real, realMain] = await Promise.all([realOf(folder), realOf(main)]);
    return { folder, real, main, realMain, isAbove, commit: isOwn ? beginningOf(record)?.sha : undefined };
  };
  const own = upTo(top, projectPath).map((folder) => place(folder, false));
  return Promise.all(top === checkout ? own : [...own, place(checkout, true)]);
}

const upTo = (top: string, folder: string): readonly string[] =>
  below(top, folder) === undefined ? [top] : [folder, ...upTo(top, dirname(folder))];

const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);

/** The file of a worktree counts as that of the main checkout. */
const asOf = (at: Place, { file, place, held }: ProjectFile): ProjectFile => ({
  file: join(at.main, below(at.folder, file) ?? ''),
  held,
  ...defined({ place: place === undefined ? undefined : join(at.realMain, below(at.real, place) ?? '') }),
});

/** In the commit that a worktree began with: what its index says, its worker can change. */
async function tracks(
  { environment: { git: env } }: Pick<Looking, 'environment'>,
  { folder, commit }: Place,
  path: string,
): Promise<boolean> {
  if (!(await exists(join(folder, path)))) return false;
  const args =
    commit === undefined
      ? ['ls-files', '-z', '--', `:(literal)${path}`]
      : ['ls-tree', '-z', '--name-only', commit, '--', path];
  const { exitCode, stdout } = await tryReadGit({ path: folder, env }, args);
  return exitCode !== 0 || stdout !== '';
}

const notes = new WeakMap<CrewContext, { readonly found: Map<string, string>; readonly told: Set<string> }>();

function notesOf(context: CrewContext) {
  const known = notes.get(context) ?? { found: new Map<string, string>(), told: new Set<string>() };
  notes.set(context, known);
  return known;
}

/** What holds for this launch; its warning is kept for `projectFilesNamed`. */
export async function launchStand(context: CrewContext, record: WorkerRecord, agent: Agent): Promise<ProjectStand> {
  const stand = await projectStand(context, record, agent);
  const { found } = notesOf(context);
  if (stand.warning === undefined) found.delete(record.id);
  else found.set(record.id, stand.warning);
  return stand;
}

/** Says once in the life of this server which files its sandboxed workers start without. */
export function projectFilesNamed(context: CrewContext, { id }: WorkerRecord): readonly string[] {
  const { found, told } = notesOf(context);
  const warning = found.get(id);
  found.delete(id);
  if (warning === undefined || told.has(warning)) return [];
  told.add(warning);
  return [warning];
}
