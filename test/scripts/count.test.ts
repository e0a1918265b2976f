import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

type Outcome = readonly [title: string, status: 'passed' | 'failed'];

function report(name: string, files: Readonly<Record<string, readonly Outcome[]>>): void {
  const testResults = Object.entries(files).map(([file, tests]) => ({
    name: file,
    status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
    assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
  }));
  writeFileSync(join(box.dir('reports'), name), JSON.stringify({ testResults }));
}

const two = (status: Outcome[1]): Outcome => ['two', status];

const script = (name: string) => join(import.meta.dirname, '../../scripts', name);
function count(failedSteps: number) {
  const env = { ...box.env, FAILED_STEPS: String(failedSteps) };
  const { stdout, status } = spawnSync(process.execPath, [script('count.mjs'), box.dir('reports')], { env });
  return { lines: String(stdout).trimEnd().split('\n'), status };
}

test('every failure is counted, and the files it lies in are named', () => {
  const twins: readonly Outcome[] = [
    ['one', 'passed'],
    ['one', 'passed'],
  ];
  report('test.json', { '/x.test.ts': [['one', 'passed'], two('failed')], '/y.test.ts': twins });
  expect(count(1)).toEqual({ lines: ['3 passed, 1 failed'], status: 1 });
  const failed = execFileSync(process.execPath, [script('failed.mjs'), join(box.dir('reports'), 'test.json')]);
  expect(String(failed)).toBe('/x.test.ts\n');
});

test('what passes when it is run again is named; what fails twice, or a step without a failing test, fails', () => {
  report('test.json', { '/x.test.ts': [['one', 'passed'], two('failed')] });
  report('test-real.json', { '/x.test.ts': [two('failed')] });
  report('test.again.json', { '/x.test.ts': [['one', 'passed'], two('passed')] });
  const unsteady = 'Unsteady, passed when it was run again: /x.test.ts > two';
  expect(count(1)).toEqual({ lines: [unsteady, '2 passed, 1 failed'], status: 1 });
  report('test-real.again.json', { '/x.test.ts': [two('passed')] });
  expect(count(0)).toEqual({ lines: [unsteady, unsteady, '3 passed, 0 failed'], status: 0 });
  expect(count(1)).toMatchObject({ status: 1 });
});
