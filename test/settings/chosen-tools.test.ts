import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mayChooseTools } from '../../src/settings/chosen-tools.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

it('the settings are left unread only where none of the files chooses tools', () => {
  const project = join(sandbox.root, 'project');
  const user = join(sandbox.root, 'user.json');
  const ofProject = join(project, '.crewmux/config.json');
  mkdirSync(join(project, '.crewmux'), { recursive: true });
  const sources = { env: { CREWMUX_CONFIG: user }, userHome: sandbox.root, projectPath: project };
  const seen = (file: string, text: string) => {
    writeFileSync(user, '{}');
    writeFileSync(file, text);
    return [mayChooseTools(sources), loadSettings(sources).settings.tools.sets.length];
  };
  expect(mayChooseTools(sources)).toBe(false);
  expect(seen(user, '{"log_level": "debug"}')).toEqual([false, 4]);
  expect(seen(user, '{"tools": {"sets": ["core"]}}')).toEqual([true, 1]);
  expect(seen(user, '{"\\u0074ools": {"sets": ["core", "git"]}}')).toEqual([true, 2]);
  expect(seen(user, '{"tools": {"sets": []}}')).toEqual([true, 4]);
  expect(seen(ofProject, '{"tools": {"sets": ["core"]}}')).toEqual([true, 4]);
});
