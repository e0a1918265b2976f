// Adds up vitest's JSON reports in a folder; a step that failed without a failing test counts as one. Of a test that
// was run again, in `<suite>.again.json`, the second run counts, and what only then passed is named: each is a bug.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [folder] = process.argv.slice(2);
const again = '.again.json';

/** Status by file and title; several tests may share one. */
function outcomes(path) {
  const { testResults } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [] };
  const found = new Map();
  for (const { name, assertionResults } of testResults)
    for (const { fullName, status } of assertionResults) {
      let test = `${name} > ${fullName}`;
      while (found.has(test)) test += ' (and another)';
      found.set(test, status);
    }
  return found;
}

const suites = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith(again));
const results = suites.map((name) => {
  const first = outcomes(join(folder, name));
  const second = outcomes(join(folder, basename(name, '.json') + again));
  return {
    last: new Map([...first, ...second]),
    unsteady: [...second].filter(([test]) => first.get(test) === 'failed'),
  };
});
const count = (wanted) => results.flatMap(({ last }) => [...last.values()]).filter((one) => one === wanted).length;

for (const [test, status] of results.flatMap(({ unsteady }) => unsteady))
  if (status === 'passed') console.log(`Unsteady, passed when it was run again: ${test}`);
const failed = Math.max(count('failed'), Number(process.env.FAILED_STEPS ?? 0));
console.log(`${count('passed')} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
