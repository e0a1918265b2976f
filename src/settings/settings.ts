// Configuration files and environment become settings.
import { readFileSync } from 'node:fs';
import { codeOf, isMissing } from '../model/errors.ts';
import { fieldsOf } from '../model/json.ts';
import { agreedTo, readAgreements } from './agreements.ts';
import { countedLayer } from './counting.ts';
import {
  type Agreement,
  broken,
  environmentLayer,
  fileLayer,
  type Layer,
  type LoadedSettings,
  overlay,
} from './layers.ts';
import { stateHome, userConfigPath } from './paths.ts';
import { type ProjectFile, readProjectFile } from './project-file.ts';
import { type Settings, settingsSchema } from './schema.ts';

export type { AgentSettings } from './agents.ts';
export { knownAgents, type LoadedSettings, type Problem } from './layers.ts';
export { logPath, projectConfigPath, resolveProject, stateHome, userConfigPath } from './paths.ts';
export { commandOf, type LogLevel, type NoticeKind, type Settings } from './schema.ts';

export interface SettingsSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** The folder whose `.crewmux/config.json` counts. */
  readonly projectPath: string;
}

/** Reads every source now. Never throws: what cannot be used is a problem, and the rest or the default counts. */
export const loadSettings = (sources: SettingsSources): LoadedSettings => counted(sources, found(sources));

/** As `loadSettings` for one process; what it has read before is not judged again. */
export function settingsReader(own: OwnSources): (projectPath: string) => LoadedSettings {
  const known = new Map<string, { readonly key: string; readonly loaded: LoadedSettings }>();
  return (projectPath) => {
    const sources = { ...own, projectPath };
    const read = found(sources);
    const key = JSON.stringify(read);
    const before = known.get(projectPath);
    if (before?.key === key) return before.loaded;
    const loaded = counted(sources, read);
    known.set(projectPath, { key, loaded });
    return loaded;
  };
}

/** What the files say, as it is read. */
interface Found {
  readonly user: OwnFile;
  readonly project: ProjectFile;
  readonly is: Agreement['is'];
}

function found(sources: SettingsSources): Found {
  const project = readProjectFile(sources.projectPath);
  const is = project.held.is === 'read' ? agreedTo(readAgreements(stateHome(sources)), project) : 'not-needed';
  return { user: readOwn(sources), project, is };
}

function counted({ env, projectPath }: SettingsSources, { user: own, project, is }: Found): LoadedSettings {
  const [user, environment] = [ownLayer(own), environmentLayer(env)];
  const { file } = project;
  const whole = projectLayer(project);
  if (Object.keys(whole.values).length === 0) {
    return { ...overlay([user, whole, environment]), agreement: { file, is: 'not-needed', keys: [] } };
  }
  const below = overlay([user, environment]).settings;
  const { layer, agreement } = countedLayer(whole, { file, project: projectPath, below, is });
  return { ...overlay([user, layer, environment]), agreement };
}

/** The settings that have another value than their default, with the file or variable that says so. */
export function changedSettings({
  settings,
  origins,
}: Pick<LoadedSettings, 'settings' | 'origins'>): readonly { readonly key: string; readonly file: string }[] {
  const defaults = settingsSchema.parse({});
  return Object.entries(origins)
    .filter(([key]) => JSON.stringify(valueAt(settings, key)) !== JSON.stringify(valueAt(defaults, key)))
    .map(([key, file]) => ({ key, file }));
}

const valueAt = (settings: object, key: string): unknown =>
  key.split('.').reduce<unknown>((held, name) => fieldsOf(held)[name], settings);

type OwnSources = Pick<SettingsSources, 'env' | 'userHome'>;

/** What holds where no project says anything. */
export function ownSettings(sources: OwnSources): Settings {
  return overlay([ownLayer(readOwn(sources)), environmentLayer(sources.env)]).settings;
}

/** All that a project's file says, whether it counts or not. */
export function projectLayer({ file, held }: ProjectFile): Layer {
  if (held.is === 'read') return fileLayer(file, held.text);
  return held.is === 'refused' ? broken(file, held.message) : { values: {}, problems: [], origins: {} };
}

/** The user's file. */
type OwnFile = { readonly file: string } & (
  | { readonly text: string }
  /** Why it cannot be read; undefined where it is missing and may be. */
  | { readonly trouble: string | undefined }
);

function readOwn(sources: OwnSources): OwnFile {
  const file = userConfigPath(sources);
  try {
    return { file, text: readFileSync(file, 'utf8') };
  } catch (thrown) {
    const mayMiss = (sources.env.CREWMUX_CONFIG ?? '') === '';
    return { file, trouble: isMissing(thrown) && mayMiss ? undefined : String(codeOf(thrown) ?? thrown) };
  }
}

function ownLayer(own: OwnFile): Layer {
  if ('text' in own) return fileLayer(own.file, own.text);
  if (own.trouble === undefined) return { values: {}, problems: [], origins: {} };
  return broken(own.file, `${own.file} cannot be read (${own.trouble}); it is left aside.`);
}
