// Whether a configuration may say which tools there are, told without the cost of reading all settings.
import { existsSync, readFileSync } from 'node:fs';
import { projectConfigPath, userConfigPath } from './paths.ts';
import type { SettingsSources } from './settings.ts';

/** False only where `loadSettings` would find no `tools` either. Never throws. */
export const mayChooseTools = (sources: SettingsSources): boolean =>
  existsSync(projectConfigPath(sources.projectPath)) || /tools|\\u/.test(textAt(userConfigPath(sources)));

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
