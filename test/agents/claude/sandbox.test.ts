import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { LaunchSpec } from '../../../src/agents/agent.ts';
import { launch } from '../../../src/agents/claude/launch.ts';
import { strictRulesIn } from '../../../src/agents/claude/rule-file.ts';
import { hostOf, sandboxProbes } from '../../../src/agents/claude/sandbox.ts';
import type { SandboxSpec } from '../../../src/agents/sandbox.ts';
import { launchSpec } from '../launch-spec.ts';

const sandbox: SandboxSpec = {
  root: '/project/.worktrees/ada',
  temp: '/tmp/crewmux-0badcafe',
  writable: ['/home/me/.npm'],
  writableByCommands: ['/project/.beads'],
  unwritable: ['/project/.git/worktrees/ada/commondir'],
  unreadable: ['/state', '/home/me/.ssh'],
  allowedDomains: [],
  excludedCommands: [],
  allowUnixSockets: [],
  allowLocalBinding: false,
  holes: [],
};
const spec: LaunchSpec = {
  ...launchSpec,
  cwd: '/project/.worktrees/ada',
  command: ['claude'],
  tripwire: [],
  env: { PATH: '/bin', TMPDIR: '/tmp', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' },
};
function settingsOf(some: Partial<LaunchSpec>): Record<string, unknown> {
  const { files } = launch({ ...spec, ...some });
  return JSON.parse(files.find(({ path }) => /^\/launch\/settings(-unasked)?\.json$/.test(path))?.content ?? '{}');
}

describe('the settings of a worker', () => {
  it('say nothing of a sandbox where there is none', () => {
    expect(settingsOf({})).not.toHaveProperty('sandbox');
  });

  it('keep its commands to its own folders, unasked', () => {
    expect(settingsOf({ sandbox }).sandbox).toEqual({
      enabled: true,
      failIfUnavailable: true,
      autoAllowBashIfSandboxed: true,
      allowUnsandboxedCommands: false,
      filesystem: {
        allowWrite: ['/tmp/crewmux-0badcafe', '/home/me/.npm', '/project/.beads'],
        denyWrite: ['/project/.git/worktrees/ada/commondir'],
        denyRead: ['/state', '/home/me/.ssh'],
      },
      network: { allowedDomains: [] },
    });
  });

  it('let file tools work unasked in its own folders, and every host through, where nobody is asked', () => {
    const { argv } = launch({ ...spec, sandbox, skipPermissions: true });
    expect(argv).not.toContain('--dangerously-skip-permissions');
    expect(argv).toEqual(expect.arrayContaining(['--permission-mode', 'acceptEdits']));
    const rules = { allow: ['Bash(x)'], ask: ['Bash'], deny: ['Bash(rm *)'] };
    const { permissions, ...settings } = settingsOf({ sandbox, skipPermissions: true, rules });
    expect(settings).toMatchObject({ sandbox: { network: { allowedDomains: ['*'] } } });
    expect(settings).not.toHaveProperty('skipDangerousModePermissionPrompt');
    const folders = ['.', '//project/.worktrees/ada', '//tmp/crewmux-0badcafe', '//home/me/.npm'];
    expect(permissions).toEqual({
      disableAutoMode: 'disable',
      allow: [
        ...folders.flatMap((folder) => [`Read(${folder}/**)`, `Edit(${folder}/**)`]),
        ...['WebFetch', 'WebSearch', 'Bash(x)'],
      ],
      deny: ['Bash(rm *)'],
    });
  });

  it('leave a worker without a sandbox and without prompts as it was', () => {
    expect(launch({ ...spec, skipPermissions: true }).argv).toContain('--dangerously-skip-permissions');
    expect(settingsOf({ skipPermissions: true })).not.toHaveProperty('permissions.allow');
  });

  it('have our hook answer for a person where nobody is asked, and only there', () => {
    const hooks = z.object({ hooks: z.object({ PermissionRequest: z.unknown(), PreToolUse: z.unknown() }) });
    const asks = (some: Partial<LaunchSpec>) =>
      Object.entries(hooks.parse(settingsOf(some)).hooks)
        .filter(([, hook]) => JSON.stringify(hook).includes('--unasked'))
        .map(([event]) => event);
    expect(asks({ sandbox, skipPermissions: true })).toEqual(['PermissionRequest', 'PreToolUse']);
    expect(asks({ sandbox })).toEqual(['PreToolUse']);
    expect(asks({ skipPermissions: true })).toEqual([]);
  });

  it('say beforehand that a command may run, but not where a setting lets some run outside', () => {
    const before = z.object({ hooks: z.object({ PreToolUse: z.unknown() }) });
    const says = (some: Partial<LaunchSpec>) =>
      JSON.stringify(before.parse(settingsOf(some)).hooks).includes('The sandbox keeps this command.');
    expect(says({ sandbox })).toBe(true);
    expect(says({ sandbox: { ...sandbox, excludedCommands: ['docker *'] } })).toBe(false);
    expect(says({})).toBe(false);
  });

  it('move caches and take sockets away for its commands, and for nothing that its agent starts outside', () => {
    const commandEnv = { set: { npm_config_cache: "/t/it's" }, unset: ['SSH_AUTH_SOCK', 'TMUX'] };
    const { env, files } = launch({ ...spec, sandbox: { ...sandbox, commandEnv } });
    expect(env).not.toHaveProperty('npm_config_cache');
    const script = files.find(({ path }) => path === env.CLAUDE_ENV_FILE)?.content ?? '';
    const surroundings = { npm_config_cache: '/home', SSH_AUTH_SOCK: '/s', TMUX: '/t', PATH: '/usr/bin:/bin' };
    const said = (more: Readonly<Record<string, string>>) =>
      execFileSync('/bin/sh', ['-c', `${script}echo "$npm_config_cache $SSH_AUTH_SOCK$TMUX"`], {
        env: { ...surroundings, ...more },
        encoding: 'utf8',
      });
    expect(said({ SANDBOX_RUNTIME: '1' })).toBe("/t/it's \n");
    expect(said({})).toBe('/home /s/t\n');
    expect(launch({ ...spec, sandbox }).env).not.toHaveProperty('CLAUDE_ENV_FILE');
  });

  it('open what the user opens', () => {
    const opened: Partial<SandboxSpec> = {
      allowedDomains: ['registry.npmjs.org'],
      excludedCommands: ['docker *'],
      allowUnixSockets: ['/run/pg'],
      allowLocalBinding: true,
    };
    expect(settingsOf({ sandbox: { ...sandbox, ...opened } }).sandbox).toMatchObject({
      excludedCommands: ['docker *'],
      network: {
        allowedDomains: ['registry.npmjs.org'],
        allowUnixSockets: ['/run/pg'],
        allowAllUnixSockets: true,
        allowLocalBinding: true,
      },
    });
  });
});

describe('the environment of a worker', () => {
  const envOf = (some: Partial<LaunchSpec>) => launch({ ...spec, ...some }).env;

  it('is as it was without a sandbox', () => {
    expect(envOf({})).toMatchObject({ TMPDIR: '/tmp', GIT_CONFIG_COUNT: '1' });
  });

  it('has temporary files of its own, no looks for updates, and a git that does not see the stand-ins', () => {
    const dirs = { commonDir: '/r/.git', gitDir: '/r/.git/worktrees/w', ownDir: '/own', excludes: '/own/excludes' };
    const walls = { ...dirs, bwrap: '/usr/bin/bwrap', worktree: '/w', branches: 'ada-1' };
    expect(envOf({ sandbox: { ...sandbox, walls } })).toMatchObject({
      TMPDIR: '/tmp/crewmux-0badcafe',
      npm_config_update_notifier: 'false',
      GIT_CONFIG_COUNT: '7',
      GIT_CONFIG_KEY_0: 'a.b',
      GIT_CONFIG_KEY_1: 'core.excludesFile',
      GIT_CONFIG_VALUE_1: '/r/.git/crewmux-excludes',
      PATH: expect.stringMatching(/\/bin(:|$)/),
    });
  });
});

it.each([
  ["Yes, and don't ask again for a.example", 'a.example'],
  ["Yes, and don't ask again for a.example in any project (user settings)", 'a.example'],
  ['Yes', undefined],
])('the host that a dialog lets through for good is in its label: %s', (label, host) => {
  expect(hostOf(label)).toBe(host);
});

it('on Linux two programs are needed, and nothing on macOS that is not there', () => {
  expect(sandboxProbes('linux').map(({ argv: [program] }) => program)).toEqual(['bwrap', 'socat']);
  expect(sandboxProbes('darwin').map(({ argv: [program] }) => program)).toEqual(['/usr/bin/sandbox-exec']);
});

describe('a worker without the files of its project', () => {
  const without = (...sources: ('project' | 'local')[]): Partial<LaunchSpec> => ({
    sandbox: { ...sandbox, leftOut: { sources, rules: { allow: [], ask: ['Bash(b *)'], deny: ['Read(/secret)'] } } },
  });
  const plan = (...sources: ('project' | 'local')[]) => launch({ ...spec, ...without(...sources) });

  it('starts on the settings of the user alone, and with the instructions of the project', () => {
    const { argv, env } = plan('project', 'local');
    expect(argv).toEqual(expect.arrayContaining(['--setting-sources', 'user', '--add-dir=/project/.worktrees/ada']));
    expect(env.CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD).toBe('1');
  });

  it('still reads its own rules live', () => {
    expect(plan('project').argv).toEqual(expect.arrayContaining(['--setting-sources', 'user,local']));
  });

  it('has the project where only the file of one user is left out', () => {
    const { argv, env } = plan('local');
    expect(argv).toEqual(expect.arrayContaining(['--setting-sources', 'user,project']));
    expect(argv.join(' ')).not.toContain('--add-dir');
    expect(env).not.toHaveProperty('CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD');
  });

  it('keeps to what the files deny and ask', () => {
    expect(settingsOf(without('project')).permissions).toMatchObject({ deny: ['Read(./secret)'], ask: ['Bash(b *)'] });
  });
});

it.each([
  [
    '{"permissions": {"allow": ["Bash"], "ask": ["A"], "deny": ["B", 3]}, "hooks": {}}',
    { allow: [], ask: ['A'], deny: ['B'] },
  ],
  ['{"permissions": []}', { allow: [], ask: [], deny: [] }],
  ['not JSON', { allow: [], ask: [], deny: [] }],
])('takes from %s only what takes something away', (text, rules) => {
  expect(strictRulesIn(text)).toEqual(rules);
});
