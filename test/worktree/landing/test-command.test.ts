import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { couldHaveTests, findTestCommand } from '../../../src/worktree/landing/test-command.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = makeSandbox();
});
afterAll(() => box.dispose());

it.each([
  ['package.json', '{"scripts":{"test":"node --test"}}', 'npm test'],
  ['Cargo.toml', '', 'cargo test'],
  ['go.mod', '', 'go test ./...'],
  ['pytest.ini', '', 'python3 -m pytest'],
  ['pyproject.toml', '[tool.pytest.ini_options]\n', 'python3 -m pytest'],
  ['setup.cfg', '[tool:pytest]\n', 'python3 -m pytest'],
  ['Makefile', 'test: all\n', 'make test'],
  ['notes.txt', 'test: all\n', undefined],
])('a project with %s is not taken for one without tests', async (file, text, command) => {
  const path = box.repo(`with ${file}`);
  writeFileSync(join(path, file), text);
  box.git(path, 'add', '.');
  box.git(path, 'commit', '-q', '-m', 'Say how to test');
  const repo = await inspectFolder({ path, env: box.env });
  if (repo === undefined) throw new Error(`${path} is no repository`);
  expect(await findTestCommand(path)).toBe(command);
  expect(await couldHaveTests(repo, 'HEAD')).toBe(command !== undefined);
});
