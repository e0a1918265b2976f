// Writes the plugin's slash commands and hooks into the bundle, so that they are there wherever the program is.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const plugin = join(dirname(fileURLToPath(import.meta.url)), '../plugin');
const folder = join(plugin, 'skills');

export const skills = {
  name: 'skills',
  setup({ onLoad }) {
    // Before `lean`, which reads every source file.
    onLoad({ filter: /\/src\/model\/skill-texts\.ts$/ }, () => {
      const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name, 'SKILL.md'), 'utf8')]);
      return { contents: `export const skillTexts = ${JSON.stringify(Object.fromEntries(texts))};` };
    });
    onLoad({ filter: /\/src\/bin\/plugin-hooks\.ts$/ }, () => {
      const text = readFileSync(join(plugin, 'hooks/hooks.json'), 'utf8');
      return { contents: `export const pluginHooks = ${JSON.stringify(text)};` };
    });
  },
};
