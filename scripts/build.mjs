// Bundles src/index.ts, or the entry named, and everything it needs into one file.
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [entry = 'src/index.ts', outfile = join(root, 'dist/crewmux.mjs')] = process.argv.slice(2);

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [withoutSchemaCompiler(), withoutTranslations()],
  banner: {
    js: "#!/usr/bin/env node\nimport{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});
await chmod(outfile, 0o755);
await writeFile(join(dirname(outfile), 'THIRD_PARTY_LICENSES'), await licences(metafile));

/** The SDK's server imports a JSON schema compiler that ours never uses; it would cost every start. */
function withoutSchemaCompiler() {
  return {
    name: 'without-schema-compiler',
    setup(build) {
      build.onLoad({ filter: /sdk\/dist\/esm\/validation\/ajv-provider\.js$/ }, () => ({
        contents: 'export class AjvJsonSchemaValidator {}',
      }));
    },
  };
}

/** zod brings its messages in forty languages, a fifth of the bundle; what is not there is not parsed at every start. */
function withoutTranslations() {
  return {
    name: 'without-translations',
    setup(build) {
      build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
        contents: "export { default as en } from './en.js';",
        resolveDir: join(root, 'node_modules/zod/v4/locales'),
      }));
    },
  };
}

/** The licence of every package that has code in the bundle. */
async function licences({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  const texts = await Promise.all([...packages].sort().map(licence));
  return texts.join(`\n${'-'.repeat(78)}\n\n`);
}

async function licence(folder) {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
  const file = (await readdir(path)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : await readFile(join(path, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
