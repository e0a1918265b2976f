// Counts the files that each verb of the crew loads: its act's file, and what that imports by value, and so on.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Each verb, and the function that performs it. */
const acts = {
  spawn: 'startWorkers',
  restart: 'restartWorkers',
  close: 'closeWorkers',
  adopt: 'adoptWorker',
  send: 'sendMessage',
  interrupt: 'interruptTurn',
  answer: 'answerWorker',
  list: 'listWorkers',
  examine: 'examineWorker',
  wait: 'waitIdle',
  land: 'landWorker',
  sync: 'syncWorker',
  'pull request': 'openPullRequest',
  clean: 'cleanupWorktrees',
};

const [root = resolve(import.meta.dirname, '..')] = process.argv.slice(2);

/** The files that node loads with this one; an import that only a call makes is not among them. */
function loadedBy(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const { staticImports, staticExports } = parseSync(path, text).module;
  const taken = [
    ...staticImports.map(({ moduleRequest, entries }) => ({ moduleRequest, entries })),
    ...staticExports.flatMap(({ entries }) =>
      entries.map((entry) => ({ moduleRequest: entry.moduleRequest, entries: [entry] })),
    ),
  ];
  return taken
    .filter(({ moduleRequest }) => moduleRequest?.value.startsWith('.'))
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => posix.join(dirname(path), moduleRequest.value))
    .filter((target) => target.endsWith('.ts') && existsSync(join(root, target)));
}

function reachOf(from) {
  const reached = new Set([from]);
  // A set hands out what is added while it is read.
  for (const path of reached) for (const target of loadedBy(path)) reached.add(target);
  return reached.size;
}

const sources = readdirSync(join(root, 'src/crew'), { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => posix.join('src/crew', name.split('\\').join('/')));

function fileOf(act) {
  const declares = new RegExp(`^(export )?(async )?(function|const) ${act}\\b`, 'm');
  const path = sources.find((source) => declares.test(readFileSync(join(root, source), 'utf8')));
  if (path === undefined)
    throw new Error(`No file in src/crew has ${act}: name the new function in scripts/reach.mjs.`);
  return path;
}

const rows = Object.entries(acts).map(([verb, act]) => ({ verb, path: fileOf(act) }));
const counts = rows.map(({ path }) => reachOf(path));
const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
const line = (verb, count, path) => `${verb.padEnd(14)}${count.padStart(5)}  ${path}`.trimEnd();
console.log(line('verb', 'files', 'from'));
for (const [at, { verb, path }] of rows.entries()) console.log(line(verb, String(counts[at]), path));
console.log(line('average', average.toFixed(1), ''));
