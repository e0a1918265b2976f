import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { argvOf, environmentOf, openFilesOf } from '../../src/state/process-sight.ts';

const gone = 2 ** 22 + 1;

it('a process shows its words, its environment and the files it has open', async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'crewmux-test-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, 'held open');
  writeFileSync(path, '');
  const script = `require('fs').openSync(${JSON.stringify(path)}, 'r'); console.log('up'); process.stdin.resume()`;
  const child = spawn(process.execPath, ['-e', script, '--', 'two words'], {
    env: { PATH: process.env.PATH, GREETING: 'a=b c' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  expect((await argvOf(pid)).at(-1)).toBe('two words');
  expect(await environmentOf(pid)).toMatchObject({ GREETING: 'a=b c' });
  expect((await openFilesOf(pid))?.map((file) => file.path)).toContain(path);
});

it('a process that is not there shows nothing', async () => {
  expect(await argvOf(gone)).toEqual([]);
  expect(await environmentOf(gone)).toBeUndefined();
  expect(await openFilesOf(gone)).toBeUndefined();
});
