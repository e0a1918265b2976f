import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { argvOf, environmentOf, openFilesOf, parseLsof, processesIn } from '../../src/system/process-traces.ts';

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

it('who works in a folder or below it is told by pid and name, and who works beside it is not', async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'crewmux-test-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [inside, beside] = ['tree/deep', 'tree-2'].map((name) => {
    mkdirSync(join(dir, name), { recursive: true });
    const child = spawn('sleep', ['1000'], { cwd: join(dir, name) });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child.pid;
  });
  expect(await processesIn(join(dir, 'tree'))).toEqual([{ pid: inside, name: 'sleep' }]);
  expect((await processesIn(dir))?.map(({ pid }) => pid).sort()).toEqual([inside, beside].sort());
});

it('what lsof prints is read process by process', () => {
  expect(parseLsof('p12\ncsh\nfcwd\nn/a b\np13\nczsh\nfcwd\nn/c\n')).toEqual([
    { pid: 12, name: 'sh', cwd: '/a b' },
    { pid: 13, name: 'zsh', cwd: '/c' },
  ]);
});
