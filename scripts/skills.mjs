// Writes the plugin's slash commands into the bundle, so that they are there wherever the program is.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../plugin/skills');

export const skills = {
  name: 'skills',
  setup({ onLoad }) {
    // Before `lean`, which reads every source file.
    onLoad({ filter: /\/src\/model\/skill-texts\.ts$/ }, () => {
      const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name, 'SKILL.md'), 'utf8')]);
      return { contents: `export const skillTexts = ${JSON.stringify(Object.fromEntries(texts))};` };
    });
  },
};
