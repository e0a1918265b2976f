// The permission mode in which the user's own settings start Claude Code.
import { join } from 'node:path';
import { fieldsIn, fieldsOf, wordOf } from '../../model/json.ts';
import type { Agent } from '../agent.ts';
import { bypass, currentMode } from '../permission-mode.ts';
import { modes } from './launch.ts';
import { configDir } from './traces.ts';

export const usersMode: NonNullable<Agent['usersMode']> = {
  fileFor: (env) => join(configDir(env), 'settings.json'),
  modeIn(text) {
    const mode = currentMode(wordOf(fieldsOf(fieldsIn(text).permissions).defaultMode) ?? '');
    // Without prompts a worker works only where it is asked to by `skip_permissions`.
    return modes.includes(mode) && mode !== bypass ? mode : undefined;
  },
};
