// Names the test files that failed in a JSON report of vitest, one a line; none where there is no report.
import { existsSync, readFileSync } from 'node:fs';

const [path] = process.argv.slice(2);
const { testResults } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [] };
for (const { name, status } of testResults) if (status === 'failed') console.log(name);
