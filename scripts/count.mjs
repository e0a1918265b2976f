// Adds up vitest's JSON reports in a folder; a step that failed without a failing test counts as one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const statuses = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).testResults)
  .flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
const count = (wanted) => statuses.filter((status) => status === wanted).length;

const failed = Math.max(count('failed'), Number(process.env.FAILED_STEPS ?? 0));
console.log(`${count('passed')} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
