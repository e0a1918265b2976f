// Configuration files and environment become settings.
import { readFileSync } from 'node:fs';
import { broken, environmentLayer, fileLayer, type Layer, type LoadedSettings, overlay } from './settings/layers.ts';
import { projectConfigPath, userConfigPath } from './settings/paths.ts';

export type { AgentSettings } from './settings/agents.ts';
export { knownAgents, type LoadedSettings, type Problem } from './settings/layers.ts';
export { logPath, projectConfigPath, resolveProject, stateHome, userConfigPath } from './settings/paths.ts';
export { commandOf, type LogLevel, type NoticeKind, type Settings } from './settings/schema.ts';

export interface SettingsSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** The folder whose `.crewmux/config.json` counts. */
  readonly projectPath: string;
}

/** Reads every source now. Never throws: what cannot be used is a problem, and the rest or the default counts. */
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const named = (sources.env.CREWMUX_CONFIG ?? '') !== '';
  return overlay([
    readLayer(userConfigPath(sources), { mustExist: named }),
    readLayer(projectConfigPath(sources.projectPath), { mustExist: false }),
    environmentLayer(sources.env),
  ]);
}

function readLayer(file: string, { mustExist }: { readonly mustExist: boolean }): Layer {
  try {
    return fileLayer(file, readFileSync(file, 'utf8'));
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !mustExist) return { values: {}, problems: [], origins: {} };
    return broken(file, `${file} cannot be read (${String(code ?? thrown)}); it is left aside.`);
  }
}
