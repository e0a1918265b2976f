import { chmodSync, existsSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommandWorld } from '../../src/cli/world.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type } from './typed-line.ts';

let sandbox: Sandbox;
let project: string;
let mcpJson: string;
let configToml: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.dir('project');
  mcpJson = join(project, '.mcp.json');
  configToml = join(sandbox.home, '.codex/config.toml');
});
afterEach(() => sandbox.dispose());

const texts = {
  crew: '---\nname: crew\ndescription: One word.\narguments: [action]\n---\nThe words: $ARGUMENTS\n',
  'merge-worker': '---\nname: merge-worker\ndescription: Lands.\n---\nLand $ARGUMENTS.\n',
};

const run = (line = '', world: Partial<CommandWorld> = {}) =>
  type(['init', ...line.split(' ').filter(Boolean)], {
    userHome: sandbox.home,
    cwd: project,
    workerVariables: async () => ['HOME', 'SSH_AUTH_SOCK', 'AWS_PROFILE'],
    commandTexts: async () => texts,
    ...world,
  });

const read = (file: string) => readFileSync(file, 'utf8');

it('a project without .mcp.json gets one, and Codex its entry on the screen only', async () => {
  expect(await run()).toMatchObject({ code: 0, err: '', out: expect.stringContaining('[mcp_servers.crewmux]') });
  expect(JSON.parse(read(mcpJson))).toEqual({
    mcpServers: { crewmux: { type: 'stdio', command: 'npx', args: ['-y', 'crewmux'], timeout: 3_600_000 } },
  });
  expect(existsSync(configToml)).toBe(false);
});

it('the second time nothing changes', async () => {
  await run('--codex');
  const before = [read(mcpJson), read(configToml)];
  const again = await run('--codex');
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out.match(/left as it is/g)).toHaveLength(2);
  expect([read(mcpJson), read(configToml)]).toEqual(before);
});

it('a checkout is named by its path, since no registry has it', async () => {
  await run('--codex', { program: '/place/crewmux/dist/crewmux.mjs' });
  expect(JSON.parse(read(mcpJson))).toMatchObject({
    mcpServers: { crewmux: { command: 'node', args: ['/place/crewmux/dist/crewmux.mjs'] } },
  });
  expect(read(configToml)).toContain('args = ["/place/crewmux/dist/crewmux.mjs"]');
});

it('servers that are there stay, and a crewmux of the user’s own too', async () => {
  writeFileSync(mcpJson, '{"mcpServers":{"other":{"command":"x"}},"more":1}');
  await run();
  expect(JSON.parse(read(mcpJson))).toMatchObject({ mcpServers: { other: { command: 'x' }, crewmux: {} }, more: 1 });
  const own = '{"mcpServers": {"crewmux": {"command": "mine"}}}';
  writeFileSync(mcpJson, own);
  expect((await run()).out).toContain('names crewmux already');
  expect(read(mcpJson)).toBe(own);
});

it.each(['{"mcpServers": {', '// mine\n{}', '[]', '{"mcpServers": []}'])(
  '%s is refused with the reason, and nothing is touched',
  async (text) => {
    writeFileSync(mcpJson, text);
    expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining(`${mcpJson} was left as it is: it`) });
    expect(read(mcpJson)).toBe(text);
  },
);

it('the entry for Codex is appended, with the mode of the file kept and its link followed', async () => {
  const real = join(sandbox.dir('dotfiles'), 'codex.toml');
  writeFileSync(real, 'model = "m"\n[mcp_servers.other]\ncommand = "x"');
  chmodSync(real, 0o664);
  symlinkSync(real, configToml);
  expect(await run('--codex')).toMatchObject({ code: 0, out: expect.stringContaining(`Added crewmux to ${real}`) });
  expect(realpathSync(configToml)).toBe(real);
  expect(statSync(real).mode & 0o777).toBe(0o664);
  expect(read(real)).toMatch(/^model = "m"\n\[mcp_servers\.other\]\ncommand = "x"\n\n\[mcp_servers\.crewmux\]\n/);
});

it('an entry that cannot be appended is shown for adding by hand', async () => {
  const text = 'mcp_servers = { other = { command = "x" } }\n';
  writeFileSync(configToml, text);
  expect(await run('--codex')).toMatchObject({ code: 2, err: expect.stringContaining('one inline table') });
  expect(read(configToml)).toBe(text);
});

it('a word it does not know gets the usage, and nothing is made', async () => {
  expect(await run('--force')).toMatchObject({ code: 2, err: expect.stringContaining('Usage') });
  expect(existsSync(mcpJson)).toBe(false);
});

const bare = (path = '') => ({ userHome: sandbox.dir('bare'), env: { PATH: path } });

it('an agent that is not there is named as missing, and no entry for it fills the screen', async () => {
  const { code, out } = await run('', bare());
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/Claude Code was not found[\s\S]*Codex was not found/),
  });
  expect(out).not.toContain('[mcp_servers.crewmux]');
  expect(existsSync(mcpJson)).toBe(true);
});

it('an agent on the PATH is there, though it has never been started', async () => {
  const bin = sandbox.dir('agents');
  for (const name of ['claude', 'codex']) writeFileSync(join(bin, name), '', { mode: 0o755 });
  const { out } = await run('', bare(bin));
  expect(out).toContain('[mcp_servers.crewmux]');
  expect(out).not.toContain('not found');
});

const skill = (place: string, name: string) => join(project, place, 'skills', name, 'SKILL.md');

it('--commands copies the slash commands as they are, and for Codex in a form of its own', async () => {
  const { code, out } = await run('--commands');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('/crew /merge-worker') });
  expect(read(skill('.claude', 'crew'))).toBe(texts.crew);
  expect(read(skill('.agents', 'crew'))).toBe(
    '---\nname: crew\ndescription: One word.\n---\nThe words: What the user wrote after the name of this skill.\n',
  );
});

it('a project without Codex gets no skills for it', async () => {
  await run('--commands', bare());
  expect(existsSync(skill('.claude', 'crew'))).toBe(true);
  expect(existsSync(join(project, '.agents'))).toBe(false);
});

it('a command that differs is named and stays as it is, and the others are copied', async () => {
  sandbox.dir('project/.claude/skills/crew');
  writeFileSync(skill('.claude', 'crew'), 'mine');
  const { code, out } = await run('--commands');
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining('  .claude/skills/crew/SKILL.md differs and was left as it is.\n'),
  });
  expect(read(skill('.claude', 'crew'))).toBe('mine');
  expect(read(skill('.claude', 'merge-worker'))).toBe(texts['merge-worker']);
  expect((await run('--commands')).out.match(/left as it is/g)).toHaveLength(2);
});

it('without a terminal nothing is asked and nothing but .mcp.json is written', async () => {
  expect((await run()).out).toMatch(/`crewmux init --commands` copies[\s\S]*`crewmux init --hooks` lets/);
  expect(existsSync(join(project, '.claude'))).toBe(false);
});

it('at a terminal it asks for Codex and for the commands, and does what is agreed to', async () => {
  const asked: string[] = [];
  const answering = (yes: RegExp) => ({
    ask: async (question: string) => {
      asked.push(question);
      return yes.test(question);
    },
  });
  await run('', answering(/slash commands/));
  expect(asked).toEqual([
    expect.stringMatching(/for Codex too\? \[y\/N\] $/),
    expect.stringMatching(/^Copy the slash/),
    expect.stringMatching(/^Let hooks show/),
  ]);
  expect([existsSync(configToml), existsSync(skill('.agents', 'crew'))]).toEqual([false, true]);
  await run('--commands --hooks', answering(/Codex/));
  expect(asked).toHaveLength(4);
  expect(read(configToml)).toContain('[mcp_servers.crewmux]');
});

it('in a subfolder it goes to the top of the checkout, and says so', async () => {
  const below = sandbox.dir('project/src/deep');
  const { code, out } = await run('--commands --hooks', {
    cwd: below,
    checkoutTop: async () => project,
    pluginHooks: async () => read('plugin/hooks/hooks.json'),
  });
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining(`${below} lies in the checkout ${project}, and crewmux goes there.\n`),
  });
  expect([existsSync(mcpJson), existsSync(skill('.claude', 'crew'))]).toEqual([true, true]);
  expect(existsSync(join(project, '.claude/settings.local.json'))).toBe(true);
  expect([existsSync(join(below, '.mcp.json')), existsSync(join(below, '.claude'))]).toEqual([false, false]);
});

it.each([
  ['without a terminal it writes nothing', '', undefined, 2, false],
  ['with --yes it writes', '--yes', undefined, 0, true],
  ['a person says no', '', false, 1, false],
  ['a person says yes', '', true, 0, true],
])('outside of a checkout it says so: %s', async (_title, line, says, code, isWritten) => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return says ?? false;
  };
  const found = await run(line, { checkoutTop: async () => undefined, ...(says === undefined ? {} : { ask }) });
  expect(found.code).toBe(code);
  expect(existsSync(mcpJson)).toBe(isWritten);
  if (line === '') expect(`${found.err}${asked[0]}`).toContain(`${project} is in no git checkout`);
});

const npx = '/home/me/.npm/_npx/1a2b/node_modules/crewmux/dist/crewmux.mjs';

it('run by npx, every hint can be typed as it stands, and the install stands once', async () => {
  const { out } = await run('', { program: npx });
  expect(out).toMatch(/`npx -y crewmux init --commands` copies[\s\S]*`npx -y crewmux init --hooks` lets/);
  expect(out).not.toMatch(/`crewmux /);
  expect(out.match(/`npm i -g crewmux`/g)).toHaveLength(1);
  expect((await run()).out).not.toContain('npm i -g');
  const local = { program: join(project, 'node_modules/crewmux/dist/crewmux.mjs') };
  expect((await run('', { ...local, env: { npm_lifecycle_event: 'npx' } })).out).toContain('`npx -y crewmux init');
  expect(JSON.parse(read(mcpJson)).mcpServers.crewmux.command).toBe('npx');
});
