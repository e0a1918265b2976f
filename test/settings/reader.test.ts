// A reader judges settings once, and what is written in its files counts with the next look all the same.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type LoadedSettings,
  loadSettings,
  projectConfigPath,
  settingsReader,
  userConfigPath,
} from '../../src/settings/settings.ts';
import { agreeTo } from '../support/agree.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let project: string;
let other: string;
let own: { readonly env: Readonly<Record<string, string>>; readonly userHome: string };
let read: (projectPath: string) => LoadedSettings;
beforeEach(() => {
  sandbox = makeSandbox();
  [project, other] = [sandbox.dir('project'), sandbox.dir('other')];
  own = { env: { CREWMUX_HOME: sandbox.dir('crewmux') }, userHome: sandbox.home };
  read = settingsReader(own);
});
afterEach(() => sandbox.dispose());

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}
/** Shows too that a new look says the same. */
function settings(of: string): LoadedSettings['settings'] {
  const loaded = read(of);
  expect(loaded).toEqual(loadSettings({ ...own, projectPath: of }));
  return loaded.settings;
}

it('judges anew what has changed, and each project by itself', () => {
  const first = read(project);
  settings(other);
  expect(read(project)).toBe(first);
  write(projectConfigPath(project), { merge: { strategy: 'merge' } });
  expect([project, other].map((of) => settings(of).merge.strategy)).toEqual(['merge', 'squash']);
  write(userConfigPath(own), { limits: { max_workers: 3 } });
  expect([project, other].map((of) => settings(of).limits.max_workers)).toEqual([3, 3]);
  write(userConfigPath(own), '{');
  expect(settings(other)).toEqual(first.settings);
  expect(read(other).problems).toMatchObject([{ key: '' }]);
});

it('knows at once that somebody agreed, and that the file has changed since', () => {
  const setup = { worktrees: { setup_commands: ['npm ci'] } };
  const commands = () => settings(project).worktrees.setup_commands;
  write(projectConfigPath(project), setup);
  expect(commands()).toEqual([]);
  agreeTo(project, sandbox.dir('crewmux'));
  expect(commands()).toEqual(['npm ci']);
  write(projectConfigPath(project), `${JSON.stringify(setup)} `);
  expect(commands()).toEqual([]);
  write(projectConfigPath(project), setup);
  expect(commands()).toEqual(['npm ci']);
});
