// Makes a fresh clone ready to run: packages, build, and the programs crewmux drives. Quiet when all is there.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (path) => join(root, path);
const age = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`crewmux needs Node 20.19 or newer; this is ${process.versions.node}.`);
}
const oldest = JSON.parse(readFileSync(at('src/model/needs.json'), 'utf8'));
need('tmux', ['-V']);
need('git', ['--version']);
if (age(at('node_modules/.package-lock.json')) < age(at('package-lock.json'))) install();
if (age(at('dist/crewmux.mjs')) < newest(['src', 'plugin', 'package.json', 'scripts'])) {
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

function need(program, args) {
  const how = process.platform === 'darwin' ? `brew install ${program}` : `sudo apt-get install -y ${program}`;
  const said = ask(program, args);
  const needed = `crewmux needs ${program} ${oldest[program]} or newer`;
  if (said === undefined) stop(`${needed}, not installed here; get it with: ${how}`);
  if (isOlder(said, oldest[program])) stop(`${needed}, and this is ${said}; get a newer one with: ${how}`);
}

/** Says no where no release is told. */
function isOlder(said, than) {
  const [[major = Number.POSITIVE_INFINITY, minor = 0], [oldestMajor, oldestMinor]] = [said, than].map((text) =>
    (/\d+(\.\d+)?/.exec(text)?.[0] ?? '').split('.').filter(Boolean).map(Number),
  );
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
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
