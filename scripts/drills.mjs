// Plays the drills: npm run drills -- [--seed N] [--rounds N] [--minutes M] [--starts N] [what vitest takes, such as -t or a file]
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values, tokens } = parseArgs({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    starts: { type: 'string' },
  },
  allowPositionals: true,
  strict: false,
  tokens: true,
});
const ours = new Set(['seed', 'rounds', 'minutes', 'starts']);
const rest = process.argv.slice(2).filter((_, at) => !isOurs(at));

// A seed of the day at the desk; CI names the ones it plays.
const seed = numberOf('seed', 1 + (Date.now() % 1_000_000));
const rounds = numberOf('rounds', Number.MAX_SAFE_INTEGER);
const minutes = numberOf('minutes', 5);
const files = readdirSync(join(root, 'test/drills')).filter((name) => name.endsWith('.drill.ts'));
const seconds = (minutes * 60 * Math.min(2, availableParallelism())) / files.length;

console.log(`Drills from seed ${seed} on, ${minutes} min; the same again: npm run drills -- --seed ${seed}`);
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/drills/vitest.config.ts', ...rest],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      CREWMUX_DRILL_SEED: String(seed),
      CREWMUX_DRILL_ROUNDS: String(rounds),
      CREWMUX_DRILL_SECONDS: String(seconds),
      ...(values.starts === undefined ? {} : { CREWMUX_DRILL_STARTS: String(numberOf('starts', 1)) }),
    },
  },
);
process.exitCode = status ?? 1;

function isOurs(at) {
  return tokens.some(
    ({ kind, name, index, inlineValue }) =>
      kind === 'option' && ours.has(name) && (index === at || (inlineValue === false && index + 1 === at)),
  );
}

function numberOf(name, otherwise) {
  const said = values[name];
  if (said === undefined) return otherwise;
  const number = Number(said);
  if (Number.isFinite(number) && number > 0) return number;
  console.error(`--${name} takes a number above 0, and this is "${said}".`);
  process.exit(2);
}
