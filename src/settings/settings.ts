// Configuration files and environment become settings.
import { readFileSync } from 'node:fs';
import { codeOf, isMissing } from '../model/errors.ts';
import { fieldsOf } from '../model/json.ts';
import { agreedTo, readAgreements } from './agreements.ts';
import { countedLayer } from './counting.ts';
import { broken, environmentLayer, fileLayer, type Layer, type LoadedSettings, overlay } from './layers.ts';
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
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const { user, environment } = ownLayers(sources);
  const found = readProjectFile(sources.projectPath);
  const { file } = found;
  const whole = projectLayer(found);
  if (Object.keys(whole.values).length === 0) {
    return { ...overlay([user, whole, environment]), agreement: { file, is: 'not-needed', keys: [] } };
  }
  const below = overlay([user, environment]).settings;
  const is = agreedTo(readAgreements(stateHome(sources)), found);
  const { layer, agreement } = countedLayer(whole, { file, project: sources.projectPath, below, is });
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
  const { user, environment } = ownLayers(sources);
  return overlay([user, environment]).settings;
}

function ownLayers(sources: OwnSources): { readonly user: Layer; readonly environment: Layer } {
  const named = (sources.env.CREWMUX_CONFIG ?? '') !== '';
  const user = readLayer(userConfigPath(sources), { mustExist: named });
  return { user, environment: environmentLayer(sources.env) };
}

/** All that a project's file says, whether it counts or not. */
export function projectLayer({ file, held }: ProjectFile): Layer {
  if (held.is === 'read') return fileLayer(file, held.text);
  return held.is === 'refused' ? broken(file, held.message) : { values: {}, problems: [], origins: {} };
}

function readLayer(file: string, { mustExist }: { readonly mustExist: boolean }): Layer {
  try {
    return fileLayer(file, readFileSync(file, 'utf8'));
  } catch (thrown) {
    if (isMissing(thrown) && !mustExist) return { values: {}, problems: [], origins: {} };
    return broken(file, `${file} cannot be read (${String(codeOf(thrown) ?? thrown)}); it is left aside.`);
  }
}
