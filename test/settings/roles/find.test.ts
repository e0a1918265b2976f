import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtInRoles } from '../../../src/settings/roles/built-in.ts';
import { findRoles } from '../../../src/settings/roles/find.ts';
import { type } from '../../cli/typed-line.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let project: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.dir('project');
});
afterEach(() => sandbox.dispose());

const roleText = (name: string, body: string, more = '') => `---\nname: ${name}\n${more}---\n${body}\n`;

/** A path below the project, or below the home folder where it begins with `~`. */
function put(path: string, text: string): string {
  const at = path.startsWith('~/') ? join(sandbox.home, path.slice(2)) : join(project, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, text);
  return at;
}

const world = (env: Readonly<Record<string, string>> = {}) => ({
  env: { CREWMUX_HOME: join(sandbox.root, 'state'), ...env },
  userHome: sandbox.home,
});
const trust = (...words: string[]) =>
  type(['trust', ...words], { ...world(), cwd: project, projectFolders: async () => [project] });
const found = (env?: Readonly<Record<string, string>>) => findRoles({ ...world(env), folders: [project] });
const scout = (env?: Readonly<Record<string, string>>) => found(env).roles.find(({ role }) => role.name === 'scout');

it('without any file the built-in roles are there', () => {
  expect(found().roles.map(({ role, source }) => [role.name, source])).toEqual(
    builtInRoles.map(({ name }) => [name, 'built in']),
  );
});

it('the first place that has a name counts, and its file whole', async () => {
  const places = [
    '.crewmux/roles/a.md',
    '.claude/agents/deep/b.md',
    '~/.config/crewmux/roles/c.md',
    '~/.claude/agents/d.md',
  ];
  for (const [index, path] of places.entries())
    put(path, roleText('scout', `From ${path}.`, `description: d${index}\n`));
  expect(scout()).toMatchObject({ role: { text: 'From ~/.config/crewmux/roles/c.md.' } });
  await trust('--yes');
  expect(scout()).toMatchObject({ role: { text: 'From .crewmux/roles/a.md.', description: 'd0' } });
  put('.crewmux/roles/a.md', roleText('scout', 'Other.'));
  expect(scout()).toMatchObject({ role: { text: 'From .claude/agents/deep/b.md.', description: 'd1' } });
  expect(found().aside).toMatchObject([{ name: 'scout', why: expect.stringContaining('has changed since a person') }]);
  await trust('--revoke');
  expect(scout({ XDG_CONFIG_HOME: '/nowhere' })).toMatchObject({ role: { text: 'From ~/.claude/agents/d.md.' } });
  const other = put('~/other/agents/e.md', roleText('scout', 'From elsewhere.'));
  const env = { XDG_CONFIG_HOME: '/nowhere', CLAUDE_CONFIG_DIR: join(sandbox.home, 'other') };
  expect(scout(env)).toMatchObject({ source: other, role: { text: 'From elsewhere.' } });
});

it('a file takes the place of the built-in role of its name, and one with a fault does not', () => {
  const at = put('~/.claude/agents/tester.md', roleText('tester', 'Mine.'));
  expect(found().roles.filter(({ role }) => role.name === 'tester')).toMatchObject([{ source: at }]);
  put('~/.claude/agents/tester.md', roleText('tester', 'Mine.', 'crewmux: {presett: test}\n'));
  expect(found().roles.filter(({ role }) => role.name === 'tester')).toMatchObject([{ source: 'built in' }]);
  expect(found().aside).toEqual([
    {
      file: at,
      name: 'tester',
      why: `${at} is left aside as a whole: "crewmux" cannot be so: there is no key "presett"; nearest: "preset".`,
    },
  ]);
});

it("a link is followed in the user's own folder and not in a project", () => {
  const elsewhere = put('~/dotfiles/scout.md', roleText('scout', 'Linked.'));
  for (const folder of [join(project, '.crewmux/roles'), join(sandbox.home, '.claude/agents')]) {
    mkdirSync(folder, { recursive: true });
    symlinkSync(elsewhere, join(folder, 'scout.md'));
  }
  expect(scout()).toMatchObject({ role: { text: 'Linked.' } });
  expect(found().aside).toMatchObject([{ why: expect.stringContaining('is a symbolic link') }]);
});

it('crewmux trust shows a role whole before anybody agrees', async () => {
  const at = put('.crewmux/roles/scout.md', roleText('scout', 'Look around.\u001b[2J'));
  const { out } = await trust();
  expect(out).toContain(`${at} (sha256 `);
  expect(out).toContain(') says what workers of a role are told, may do and start:\n  ---\n  name: scout\n');
  expect(out).toContain('  Look around.\\u{1b}[2J');
  expect(scout()).toBeUndefined();
  expect(found().aside[0]?.why).toBe(
    `Nobody has agreed to ${at}, so crewmux leaves this role aside. A person reads the file, then runs \`crewmux trust\` in ${project}.`,
  );
});

it('crewmux roles lists each with its source, what of it is not carried over, and what is left aside', async () => {
  const mine = put(
    '~/.claude/agents/scout.md',
    roleText('scout', 'Look.', 'description: Looks.\nmodel: opus\nhooks: {}\ncrewmux: {max_parallel: 2}\n'),
  );
  const bad = put('.crewmux/roles/bad.md', 'no role');
  const { out } = await type(['roles'], { ...world(), cwd: project });
  expect(out).toContain(`scout        ${mine}\n  Looks.\n  model opus, max_parallel 2\n  not carried over: hooks\n`);
  expect(out).toContain('\nreviewer     built in\n  reads work and judges it, without changing it\n  preset review\n');
  expect(out).toMatch(new RegExp(`\\nLeft aside:\\n  bad: Nobody has agreed to ${bad}, .*\\n$`));
  const { out: json } = await type(['roles', '--json'], { ...world(), cwd: project });
  expect(JSON.parse(json)).toMatchObject({
    roles: expect.arrayContaining([
      expect.objectContaining({ name: 'scout', source: mine, not_carried_over: ['hooks'] }),
    ]),
    left_aside: [{ file: bad, name: 'bad' }],
  });
});
