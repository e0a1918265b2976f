// Adds up vitest's JSON reports in a folder; a step that failed without a failing test counts as one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
const sum = (field) => reports.reduce((total, report) => total + report[field], 0);

const failedSteps = Number(process.env.FAILED_STEPS ?? 0);
const failed = Math.max(sum('numFailedTests'), failedSteps);
console.log(`${sum('numPassedTests')} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
