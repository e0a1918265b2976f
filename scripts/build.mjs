// Bundles src/bin/crewmux.ts, or the entry named, and everything it needs into one file.
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { described } from './described.mjs';
import { lean } from './lean.mjs';
import { oneFile } from './one-file.mjs';
import { skills } from './skills.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [entry = 'src/bin/crewmux.ts', outfile = join(root, 'dist/crewmux.mjs')] = process.argv.slice(2);
const target = 'node20.19';

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outdir: 'chunks',
  write: false,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target,
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [described, skills, lean],
});
const chunks = outputFiles.map(({ path, text }) => ({ name: `./${basename(path)}`, text }));
await mkdir(dirname(outfile), { recursive: true });
// Whoever starts the program meanwhile gets the old one or the new one, and never a half.
const fresh = `${outfile}.${process.pid}`;
await writeFile(fresh, await oneFile(chunks, { first: `./${basename(entry, '.ts')}.js`, target }));
await chmod(fresh, 0o755);
await rename(fresh, outfile);
// The plugin is copied to where its client keeps plugins, and starts this build from there.
if (dirname(outfile) === join(root, 'dist')) await writeFile(join(root, 'plugin/build-at'), `${outfile}\n`);
await writeFile(join(dirname(outfile), 'THIRD_PARTY_LICENSES'), await licences(metafile));

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
