import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

function report(name: string, outcomes: readonly [title: string, status: 'passed' | 'failed'][]): void {
  const assertionResults = outcomes.map(([fullName, status]) => ({
    fullName,
    status,
    failureMessages: status === 'failed' ? ['Error: one is not two\n    at line 3'] : [],
  }));
  const tested = { name: join(process.cwd(), 'test/some.test.ts'), assertionResults };
  writeFileSync(join(box.dir('reports'), name), JSON.stringify({ testResults: [tested] }));
}

function count(failedSteps: number) {
  const script = join(import.meta.dirname, '../../scripts/count.mjs');
  const env = { ...box.env, FAILED_STEPS: String(failedSteps) };
  const { stdout, status } = spawnSync(process.execPath, [script, box.dir('reports')], { env });
  return { said: String(stdout), status };
}

test('every test of every suite is counted, those that share a title too, and a failure is said again at the end', () => {
  report('test.json', [
    ['one', 'passed'],
    ['one', 'passed'],
  ]);
  report('drills.json', [['one', 'passed']]);
  expect(count(0)).toEqual({ said: '3 passed, 0 failed\n', status: 0 });
  report('test-real.json', [
    ['one', 'failed'],
    ['two', 'passed'],
  ]);
  expect(count(1)).toEqual({
    said: 'Failed: test/some.test.ts > one\n  Error: one is not two\n      at line 3\n4 passed, 1 failed\n',
    status: 1,
  });
});

test('a step that failed without a failing test, or before it could report, counts as a failure', () => {
  expect(count(1)).toEqual({ said: '0 passed, 1 failed\n', status: 1 });
  report('test.json', [['one', 'passed']]);
  expect(count(2)).toEqual({ said: '1 passed, 2 failed\n', status: 1 });
});
