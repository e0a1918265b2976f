// A file of a role with a fault: left aside whole, named by the answer that asks for the role and by the doctor.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writtenFindings } from '../../../src/crew/queries/doctor/project.ts';
import { roleResolver } from '../../../src/crew/workers/roles.ts';
import { findRoles } from '../../../src/settings/roles/find.ts';
import { longestText } from '../../../src/settings/roles/role-file.ts';
import { loadSettings } from '../../../src/settings/settings.ts';
import { homeAt } from '../../../src/store/home.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let path: string;
beforeAll(() => {
  sandbox = makeSandbox();
  const folder = join(sandbox.home, '.config/crewmux/roles');
  mkdirSync(folder, { recursive: true });
  path = join(folder, 'scout.md');
});
afterAll(() => sandbox.dispose());

const project = () => sandbox.root;
const env = () => ({ HOME: sandbox.home, CREWMUX_HOME: join(sandbox.root, 'state') });
const resolve = () => {
  const { settings } = loadSettings({ env: env(), userHome: sandbox.home, projectPath: project() });
  const environment = { server: env(), git: {}, remote: {} };
  const context = { environment, home: homeAt(env().CREWMUX_HOME), settingsFor: () => ({ settings, problems: [] }) };
  return roleResolver(context)('scout', [project()]);
};
const findings = () => {
  const { roles, aside } = findRoles({ env: env(), userHome: sandbox.home, folders: [project()] });
  return writtenFindings('role', { known: roles.map(({ role: { name }, source }) => ({ name, source })), aside });
};
const file = (head: string, body = 'Look.') => `---\n${head}\n---\n${body}\n`;
const own = (fields: string) => file(`name: scout\ncrewmux: {${fields}}`);

it.each<[string, string, string]>([
  ['no front matter', 'Look.', 'it does not begin with front matter between two lines ---'],
  [
    'front matter without an end',
    '---\nname: scout\nLook.',
    'it does not begin with front matter between two lines ---',
  ],
  [
    'bad YAML',
    file('name: scout\ntools: [Read'),
    'its front matter is no YAML (Flow sequence in block collection must be sufficiently indented and end with a ])',
  ],
  ['a key twice', file('name: scout\nname: scout'), 'its front matter is no YAML (Map keys must be unique)'],
  ['words for fields', file('scout'), 'its front matter names no fields'],
  ['no name', file('description: Looks.'), 'it has no name'],
  ['a number for a name', file('name: 7'), '"name" cannot be so: expected the name of the role'],
  ['a name that is an option', file('name: --scout'), '"name" cannot be so: expected a name of letters and digits'],
  ['no text', file('name: scout', ' \n'), 'it has no text below its front matter'],
  ['too long a text', file('name: scout', 'x'.repeat(longestText + 1)), 'its text has more than 20000 characters'],
  [
    'an unknown key of ours',
    own('presett: review'),
    '"crewmux" cannot be so: there is no key "presett"; nearest: "preset"',
  ],
  [
    'a key of ours that is near to none',
    own('zzzzzz: 1'),
    '"crewmux" cannot be so: there is no key "zzzzzz"; known: agent, preset, sandbox, max_parallel, max_turns, max_cost_usd',
  ],
  [
    'words for our keys',
    file('name: scout\ncrewmux: review'),
    '"crewmux" cannot be so: Invalid input: expected object, received string',
  ],
  [
    'an unknown preset',
    own('preset: reveiw'),
    '"crewmux.preset" cannot be so: there is no preset "reveiw"; nearest: "review"',
  ],
  [
    'a number for a preset',
    own('preset: 3'),
    '"crewmux.preset" cannot be so: there is no preset "3"; known: full, implement, fix, test, review, explore',
  ],
  ['a path for an agent', own('agent: /bin/sh'), '"crewmux.agent" cannot be so: expected the name of an agent'],
  [
    'a word for a sandbox',
    own('sandbox: maybe'),
    '"crewmux.sandbox" cannot be so: Invalid input: expected boolean, received string',
  ],
  [
    'nobody at once',
    own('max_parallel: 0'),
    '"crewmux.max_parallel" cannot be so: Too small: expected number to be >=1',
  ],
  [
    'half a turn',
    own('max_turns: 1.5'),
    '"crewmux.max_turns" cannot be so: Invalid input: expected int, received number',
  ],
  [
    'a cost below nothing',
    own('max_cost_usd: -1'),
    '"crewmux.max_cost_usd" cannot be so: Too small: expected number to be >0',
  ],
  [
    'a list for a description',
    file('name: scout\ndescription: [a]'),
    '"description" cannot be so: Invalid input: expected string, received array',
  ],
  [
    'a number for tools',
    file('name: scout\ntools: 3'),
    '"tools" cannot be so: expected names, in a list or behind commas',
  ],
  [
    'an unknown mode',
    file('name: scout\npermissionMode: plna'),
    '"permissionMode" cannot be so: there is no permission mode "plna"; nearest: "plan"',
  ],
  [
    'a list for a model',
    file('name: scout\nmodel: [opus]'),
    '"model" cannot be so: Invalid input: expected string, received array',
  ],
  [
    'an option for a model',
    file('name: scout\nmodel: --print'),
    '"model" cannot be so: a program would take it for an option, so it must not begin with "-"',
  ],
  [
    'a number for servers',
    file('name: scout\nmcpServers: 3'),
    '"mcpServers" cannot be so: expected servers by their names',
  ],
  [
    'a server with our name',
    file('name: scout\nmcpServers: {crew: {command: x}}'),
    '"mcpServers" cannot be so: "crew" is the name of the worker\'s own tools',
  ],
  [
    'no rule for a denial',
    file('name: scout\ndisallowedTools: bash'),
    '"disallowedTools" cannot be so: "bash" is no rule: there is no tool "bash"; it is spelt Bash',
  ],
])('%s leaves the whole file aside', async (_, text, fault) => {
  writeFileSync(path, text);
  const why = `${path} is left aside as a whole: ${fault}.`;
  const refused = resolve();
  await expect(refused).rejects.toThrow(/^There is no role "scout"\. Known: architect, .*\. \//);
  await expect(refused).rejects.toThrow(` ${why}`);
  expect(findings()).toMatchObject([{ check: 'roles', status: 'warn', detail: why }]);
});

it.each([
  ['hooks', 'hooks: {PreToolUse: []}'],
  ['skills', 'skills: [review]'],
  ['hooks, skills', 'hooks: {}\nskills: review'],
])('%s of a role do not count, and the answer says so', async (keys, head) => {
  writeFileSync(path, file(`name: scout\n${head}`));
  const { found, warnings } = await resolve();
  expect(found).toMatchObject({ source: path, role: { text: 'Look.' } });
  expect(warnings).toEqual([`crewmux does not carry over from ${path}: ${keys}.`]);
  expect(findings()).toMatchObject([{ check: 'roles', status: 'ok', detail: expect.stringContaining('scout') }]);
});
