import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSettings, projectConfigPath, stateHome, userConfigPath } from '../../src/settings/settings.ts';
import { agreeTo } from '../support/agree.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let project: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.dir('project');
});
afterEach(() => sandbox.dispose());

const sources = () => ({ env: {}, userHome: sandbox.home, projectPath: project });
const write = (path: string, permissions: unknown) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ permissions }));
};
function load(user: unknown, ofProject?: unknown) {
  write(userConfigPath(sources()), user);
  if (ofProject !== undefined) {
    write(projectConfigPath(project), ofProject);
    agreeTo(project, stateHome(sources()));
  }
  const { settings, problems } = loadSettings(sources());
  return { ...settings.permissions, problems: problems.map(({ message }) => message) };
}

it('rules of a project are added to those of the user and take none away', () => {
  const loaded = load(
    { default: { deny: ['Read(.env)'], allow: ['Bash(ls *)'] }, roles: { tester: { confirm: ['Edit'] } } },
    {
      default: { deny: [], allow: ['Bash(npm test *)'], preset: 'implement' },
      roles: { tester: { preset: 'test' }, b: {} },
    },
  );
  expect(loaded).toEqual({
    default: { deny: ['Read(.env)'], allow: ['Bash(ls *)', 'Bash(npm test *)'], preset: 'implement' },
    roles: { tester: { ask: ['Edit'], preset: 'test' }, b: {} },
    problems: [],
  });
});

it.each([
  [{ default: { alow: ['Edit'] } }, /unknown key "alow"; nearest known key: "allow"/],
  [{ roles: { tester: { denny: [] } } }, /unknown key "denny"; nearest known key: "deny"/],
  [{ default: { allow: ['bash(x)'] } }, /"bash\(x\)" is no rule: .*Bash/],
  [{ default: { deny: ['Edit(/etc/**)'] } }, /counts from the worktree/],
  [{ default: { allow: 'Edit' } }, /array/],
  [{ default: { preset: 'reveiw' } }, /review/],
  [{ roles: { '': {} } }, /permissions\.roles/],
  [{ defaults: {} }, /"permissions\.default"/],
])('%j is named as a problem, and those rules are left aside', (permissions, message) => {
  const { problems, default: always } = load(permissions);
  expect(problems.join('\n')).toMatch(message);
  expect(always).toEqual({});
});
