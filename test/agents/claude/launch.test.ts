import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { LaunchSpec } from '../../../src/agents/agent.ts';
import { launch } from '../../../src/agents/claude/launch.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';
import { launchSpec, refusalOf } from '../launch-spec.ts';

const id = '11111111-2222-4333-8444-555555555555';
const old = '99999999-2222-4333-8444-555555555555';
const spec: LaunchSpec = {
  ...launchSpec,
  command: ['claude'],
  agentSessionId: id,
  env: { PATH: '/bin', HOME: '/home/u' },
};
const settingsOf = (some: Partial<LaunchSpec>) =>
  JSON.parse(launch({ ...spec, ...some }).files.find(({ path }) => path.endsWith('settings.json'))?.content ?? '');
const refusal = (some: Partial<LaunchSpec>) => refusalOf(() => launch({ ...spec, ...some }));

const base = ['claude', '--session-id', id, '--name', 'ada', '--settings', '/launch/settings.json'];

describe('the command line', () => {
  test.each<[string, Partial<LaunchSpec>, readonly string[]]>([
    ['asks for every permission unless told otherwise', {}, [...base, '--permission-mode', 'manual']],
    [
      'knows "default" as the old name of manual',
      { permissionMode: 'default' },
      [...base, '--permission-mode', 'manual'],
    ],
    ['skips permissions only when told so', { skipPermissions: true }, [...base, '--dangerously-skip-permissions']],
    [
      'resumes under the old id',
      { resume: { agentSessionId: old, fork: false } },
      ['claude', '--resume', old, ...base.slice(3), '--permission-mode', 'manual'],
    ],
    [
      'forks under the new id',
      { resume: { agentSessionId: old, fork: true } },
      ['claude', '--resume', old, '--fork-session', ...base.slice(1), '--permission-mode', 'manual'],
    ],
    [
      'puts the prompt last, behind a guard for leading dashes',
      { prompt: ' -p x\r\n', model: 'opus', command: ['wrap', 'claude'] },
      ['wrap', ...base, '--permission-mode', 'manual', '--model', 'opus', '--', '-p x'],
    ],
    [
      'names the tools it is to have, of which those of servers are none',
      { tools: ['Read', 'mcp__docs__find', 'Grep'] },
      [...base, '--permission-mode', 'manual', '--tools=Read,Grep'],
    ],
  ])('%s', (_, some, argv) => {
    expect(launch({ ...spec, ...some }).argv).toEqual(argv);
  });

  test('a resumed conversation keeps its id and a forked one gets the new id', () => {
    expect(launch({ ...spec, resume: { agentSessionId: old, fork: false } }).agentSessionId).toBe(old);
    expect(launch({ ...spec, resume: { agentSessionId: old, fork: true } }).agentSessionId).toBe(id);
  });

  test('servers and a long system prompt travel by file', () => {
    const plan = launch({ ...spec, mcpServers: { one: { command: 'x' } }, appendSystemPrompt: 'x'.repeat(5_000) });
    expect(plan.argv).toContain('--mcp-config=/launch/mcp.json');
    expect(plan.argv.slice(-3, -1)).toEqual(['--append-system-prompt-file', '/launch/system-prompt.txt']);
    expect(plan.files.map(({ path }) => path)).toEqual([
      '/launch/settings.json',
      '/launch/system-prompt.txt',
      '/launch/mcp.json',
    ]);
    expect(JSON.parse(plan.files[2]?.content ?? '')).toEqual({ mcpServers: { one: { command: 'x' } } });
  });
});

describe('what is refused', () => {
  test.each<[string, Partial<LaunchSpec>, RegExp]>([
    ['a slash command', { prompt: ' /compact now' }, /its own command "\/compact"/],
    ['a word that ends the program', { prompt: 'exit' }, /its own command "exit"/],
    ['a prompt too long for an argument', { prompt: 'é'.repeat(60_001) }, /120002 bytes/],
    ['a mode Claude Code does not have', { permissionMode: 'yolo' }, /no permission mode "yolo"/],
    ['bypass by the side door', { permissionMode: 'bypassPermissions' }, /needs skip_permissions/],
  ])('%s', (_, some, message) => {
    expect(refusal(some)).toMatchObject({ code: 'invalid_argument', message: expect.stringMatching(message) });
  });

  test('a path at the beginning of a prompt is fine', () => {
    expect(launch({ ...spec, prompt: '/etc/x is a path' }).argv.at(-1)).toBe('/etc/x is a path');
  });
});

describe('the settings file', () => {
  test('the Stop hook carries the marker with the id of the worker, the others do not', () => {
    const { hooks } = settingsOf({});
    expect(Object.keys(hooks)).toContain('StopFailure');
    expect(JSON.stringify(hooks.Stop)).toContain('crewmux-stop:0badcafe');
    expect(JSON.stringify({ ...hooks, Stop: undefined })).not.toContain('crewmux-stop');
  });

  test('auto mode is off unless it was asked for, and only bypass skips its warning', () => {
    expect(settingsOf({})).toMatchObject({ permissions: { disableAutoMode: 'disable' } });
    expect(settingsOf({ permissionMode: 'auto' }).permissions).toEqual({});
    expect(settingsOf({}).skipDangerousModePermissionPrompt).toBeUndefined();
    expect(settingsOf({ skipPermissions: true }).skipDangerousModePermissionPrompt).toBe(true);
  });
});

test('the environment loses the marks of another Claude Code and keeps the rest', () => {
  const env = {
    ...spec.env,
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: old,
    CLAUDE_CODE_SSE_PORT: '1',
    CLAUDE_CONFIG_DIR: '/c',
  };
  expect(launch({ ...spec, env }).env).toEqual({
    ...spec.env,
    CLAUDE_CONFIG_DIR: '/c',
    CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1',
    CREWMUX_WORKER: '0badcafe',
  });
});

describe('a long prompt', () => {
  let box: Sandbox | undefined;
  afterEach(() => box?.dispose());

  test('reaches the program byte for byte, through a shell that becomes it', () => {
    box = makeSandbox();
    const text = `"q" $(id) \`id\` \\ 'z' é 漢\t${'\n\nline'.repeat(10_000)}\\`;
    const show = 'process.stdout.write(JSON.stringify([process.pid, process.argv.slice(1)]))';
    const plan = launch({ ...spec, launchDir: box.dir('launch'), command: ['node', '-e', show, '--'], prompt: text });
    for (const { path, content } of plan.files) writeFileSync(path, content);
    const [shell = '', ...rest] = plan.argv;
    const out = execFileSync(shell, ['-c', 'echo $$; exec "$@"', 'x', shell, ...rest], {
      env: box.env,
      encoding: 'utf8',
    });
    const [pid, json = ''] = out.split('\n');
    const [ranAs, argv] = JSON.parse(json);
    expect(String(ranAs)).toBe(pid);
    expect(argv.slice(-2)).toEqual(['--', text]);
  });
});

test("the worker's own tools come beside the user's servers, and nobody is asked about them", () => {
  const ownTools = {
    name: 'crew',
    command: 'node',
    args: ['x', 'worker'],
    env: { A: 'b' },
    longestCallSeconds: 60,
    canStart: true,
  };
  const plan = launch({ ...spec, ownTools, mcpServers: { one: { command: 'x' } } });
  const held = plan.files.find(({ path }) => path === '/launch/mcp.json')?.content ?? '';
  expect(JSON.parse(held)).toEqual({
    mcpServers: {
      one: { command: 'x' },
      crew: { type: 'stdio', command: 'node', args: ['x', 'worker'], env: { A: 'b' }, timeout: 60_000 },
    },
  });
  expect(settingsOf({ ownTools })).toMatchObject({ permissions: { allow: ['mcp__crew'] } });
  expect(settingsOf({}).permissions).not.toHaveProperty('allow');
});

test('the rules stand in its settings, and a path counts from the worktree', () => {
  const rules = { allow: ['Bash(npm test *)'], ask: ['Read(//etc/hosts)'], deny: ['Edit(/docs/**)', 'Read(~/x)'] };
  expect(settingsOf({ rules }).permissions).toMatchObject({
    allow: ['Bash(npm test *)'],
    ask: ['Read(//etc/hosts)'],
    deny: ['Edit(./docs/**)', 'Read(~/x)'],
  });
});
