// Adds up vitest's JSON reports in a folder and says last what failed; a step that failed without a failing test
// counts as one.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** How much of an error is said again here: what was expected, and where. */
const LINES = 12;

const [folder] = process.argv.slice(2);
const tests = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).testResults)
  .flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ ...test, path: name })));
const having = (wanted) => tests.filter(({ status }) => status === wanted);

for (const { path, fullName, failureMessages } of having('failed')) {
  const error = failureMessages.join('\n').split('\n').slice(0, LINES);
  console.log([`Failed: ${relative('.', path)} > ${fullName}`, ...error.map((line) => `  ${line}`)].join('\n'));
}
const failed = Math.max(having('failed').length, Number(process.env.FAILED_STEPS ?? 0));
console.log(`${having('passed').length} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
