// Makes a fresh clone ready to run: packages, build, and the programs crewmux drives. Quiet when all is there.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (path) => join(root, path);
const age = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`crewmux needs Node 20.19 or newer; this is ${process.versions.node}.`);
}
need('tmux', ['-V'], { atLeast: 3.0 });
need('git', ['--version'], {});
if (age(at('node_modules/.package-lock.json')) < age(at('package-lock.json'))) install();
if (age(at('dist/crewmux.mjs')) < newest(['src', 'package.json', 'scripts'])) {
  run(process.execPath, [at('scripts/build.mjs')], 'Building crewmux');
}

function install() {
  run(
    'npm',
    [existsSync(at('package-lock.json')) ? 'ci' : 'install', '--no-audit', '--no-fund'],
    'Installing packages',
  );
}

function run(file, args, what) {
  process.stderr.write(`${what} ...\n`);
  try {
    execFileSync(file, args, { cwd: root, stdio: ['ignore', 2, 2] });
  } catch (error) {
    stop(`${what} failed (${error.message}); what it printed stands above.`);
  }
}

function newest(paths) {
  return Math.max(...paths.map((path) => newestIn(at(path))));
}

function newestIn(path) {
  if (!statSync(path).isDirectory()) return age(path);
  return Math.max(0, ...readdirSync(path).map((entry) => newestIn(join(path, entry))));
}

function need(program, args, { atLeast }) {
  const how = process.platform === 'darwin' ? `brew install ${program}` : `sudo apt-get install -y ${program}`;
  const said = ask(program, args);
  if (said === undefined) stop(`crewmux needs ${program}, which is not installed; get it with: ${how}`);
  const version = Number.parseFloat(/\d+(\.\d+)?/.exec(said)?.[0] ?? '999');
  if (atLeast !== undefined && version < atLeast) {
    stop(`crewmux needs ${program} ${atLeast.toFixed(1)} or newer, and this is ${said}; get a newer one with: ${how}`);
  }
}

function ask(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
