// What opens no sandbox of Claude Code: a rule that allows a command, and a worker without permission prompts.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { answer, eventsOf, needOf, resultsOf } from './asking.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
/** Out of the worktree; the model may read nothing of it by a file tool, and write nothing. */
let outside: string;
beforeAll(async () => {
  crew = await openRealCrew();
  const { sandbox } = crew.home;
  outside = sandbox.dir('outside');
  mkdirSync(join(outside, 'deep'));
  mkdirSync(join(crew.repo, 'inner'));
  for (const name of ['file', 'deep/file']) writeFileSync(join(outside, name), secret);
  writeFileSync(join(crew.repo, 'inner/file'), 'mine\n');
  symlinkSync(outside, join(crew.repo, 'committed'));
  const scripts = { test: `touch ${outside}/by-rule` };
  writeFileSync(join(crew.repo, 'package.json'), JSON.stringify({ name: 'x', scripts }));
  sandbox.git(crew.repo, 'add', '-A');
  sandbox.git(crew.repo, 'commit', '-q', '-m', 'A link out');
});
afterAll(() => crew.dispose());

const secret = 'a secret key\n';
const plants = () => [
  `BASH ln -s ${outside} folder; ln -s ${outside}/file file; ln -s ${outside}/new new`,
  `BASH mkdir sub; ln -s ${outside}/deep sub/deep; ln -s inner swap; ln -s inner within`,
];
const reads = () => ['folder/file', 'file', 'sub/deep/file', 'committed/file', `${outside}/file`];
const writes = () => ['folder/x', 'file', 'new', 'sub/deep/x', 'committed/x', 'sub/../folder/y', `${outside}/x`];
/** It has read what it edits: a file of its own, until a command makes the folder a link. */
const edits = () => ['READ swap/file', `BASH rm swap; ln -s ${outside} swap`, 'EDIT swap/file a => HACKED'];

const users = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../agents/codex/lab/echo-server.mjs')],
  alwaysLoad: true,
};

async function unaskedWorker(): Promise<Worker> {
  const worker = await crew.one({ sandbox: true, skip_permissions: true, mcp_config: { users } });
  expect(worker).toMatchObject({ sandbox: 'partial', permission_mode: 'bypassPermissions' });
  return worker;
}

test('file tools of a worker without prompts stay in its worktree, and all else that Claude Code asks is allowed', async () => {
  const worker = await unaskedWorker();
  const since = Date.now();
  const url = crew.home.model.url;
  const lines = [
    ...plants(),
    ...reads().map((path) => `READ ${path}`),
    ...writes().map((path) => `WRITE ${path} HACKED`),
    ...edits(),
    'WRITE within/made yes',
    'BASH for i in 1 2; do echo looped $i; done',
    `TOOL Bash {"command":"touch ${outside}/by-command || echo kept in","dangerouslyDisableSandbox":true}`,
    'BASH curl -s -m 9 -o /dev/null -w "host %{http_code}" http://some.invalid/',
    `BASH curl -s -m 9 --noproxy "" -o /dev/null -w "local %{http_code}" ${url}/`,
    'TOOL mcp__users__echo {"text":"heard by the server"}',
    'ASK Which?|Alpha|Beta',
    'SAY done',
  ];
  await crew.message(worker, lines.join('\n'));
  const need = await needOf(crew, worker);
  expect(need).toMatchObject({ waiting_for: 'question' });
  await answer(crew, need, { decision: 'choose', option: 'Beta' });
  await crew.idle(worker);
  const results = resultsOf(crew, worker);
  expect(results).not.toContain(secret.trim());
  for (const path of ['file', 'deep/file']) expect(readFileSync(join(outside, path), 'utf8')).toBe(secret);
  for (const path of ['x', 'y', 'new', 'deep/x', 'by-command']) expect(existsSync(join(outside, path))).toBe(false);
  expect(results).toContain(`the user may name ${outside}/deep in the setting sandbox.allow_write`);
  expect(existsSync(join(worker.project_path, 'inner/made'))).toBe(true);
  for (const words of ['looped 2', 'kept in', 'host 502', 'local 200', 'heard by the server'])
    expect(results).toContain(words);
  const asked = (await eventsOf(crew, worker, since)).filter(({ type }) => type === 'worker_waiting');
  expect(asked.map(({ data }) => data)).toEqual([expect.objectContaining({ waiting_for: 'question' })]);
});

test('no rule lets a command out of the sandbox, whatever the model asks for', async () => {
  const permitted = z.looseObject({ changed: z.boolean() });
  await crew.call('set_permissions', permitted, { scope: 'role:ruled', preset: 'full', allow: ['Bash(npm test *)'] });
  const worker = await crew.one({ sandbox: true, role: 'ruled' });
  expect(worker.sandbox).toBe('on');
  const call = { command: 'npm test', description: 'Out', dangerouslyDisableSandbox: true };
  await crew.message(worker, `TOOL Bash ${JSON.stringify(call)}\nSAY done`);
  await crew.idle(worker);
  expect(resultsOf(crew, worker)).toContain('Read-only file system');
  expect(existsSync(join(outside, 'by-rule'))).toBe(false);
});
