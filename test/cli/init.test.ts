import { chmodSync, existsSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { init } from '../../src/cli/init.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

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

async function run(line = '', { program = '/usr/lib/node_modules/crewmux/dist/crewmux.mjs' } = {}) {
  let [out, err] = ['', ''];
  const code = await init(line.split(' ').filter(Boolean), {
    env: {},
    userHome: sandbox.home,
    cwd: project,
    program,
    variables: ['HOME', 'SSH_AUTH_SOCK', 'AWS_PROFILE'],
    write(text) {
      out += text;
      return 0;
    },
    complain(text) {
      err += text;
      return 2;
    },
  });
  return { code, out, err };
}

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
