import { describe, expect, test } from 'vitest';
import type { LaunchSpec } from '../../../src/agents/agent.ts';
import { launch } from '../../../src/agents/codex/launch.ts';
import type { SandboxSpec } from '../../../src/agents/sandbox.ts';
import { noRules } from '../../../src/model/rule.ts';
import { launchSpec, refusalOf } from '../launch-spec.ts';

const old = '01a1fc4a-f7ee-7be2-b03e-4dd576aec401';
const spec: LaunchSpec = {
  ...launchSpec,
  cwd: '/project/.worktrees/ada',
  command: ['codex'],
  env: { PATH: '/bin', CODEX_HOME: '/c' },
  git: { gitDir: '/project/.git/worktrees/ada', commonDir: '/project/.git' },
};
const argvOf = (some: Partial<LaunchSpec>) => launch({ ...spec, ...some }).argv;
/** The values given to `-c key=`. */
const settingOf = (some: Partial<LaunchSpec>, key: string) => {
  const argv = argvOf(some);
  return argv.find((word, i) => argv[i - 1] === '-c' && word.startsWith(`${key}=`))?.slice(key.length + 1);
};
const refusal = (some: Partial<LaunchSpec>) => refusalOf(() => launch({ ...spec, ...some }));

describe('the command line', () => {
  test('never leaves the agent to the shared daemon, which would outlive the pane', () => {
    expect(argvOf({})).toContain('--no-daemon');
    expect(argvOf({ resume: { agentSessionId: old, fork: true }, skipPermissions: true })).toContain('--no-daemon');
  });

  test.each<[string, Partial<LaunchSpec>, readonly string[]]>([
    ['nothing said: it asks to leave its sandbox', {}, ['-a', 'on-request', '-s', 'workspace-write']],
    ['acceptEdits', { permissionMode: 'acceptEdits' }, ['-a', 'on-request', '-s', 'workspace-write']],
    ['plan', { permissionMode: 'plan' }, ['-a', 'on-request', '-s', 'read-only']],
    ['auto', { permissionMode: 'auto' }, ['--approve-for-me']],
    ['dontAsk', { permissionMode: 'dontAsk' }, ['-a', 'never', '-s', 'workspace-write']],
    ['no editing', { rules: { ...noRules, deny: ['Edit'] } }, ['-a', 'on-request', '-s', 'read-only']],
    ['skipped', { skipPermissions: true }, ['--dangerously-bypass-approvals-and-sandbox']],
  ])('permissions: %s', (_, some, flags) => {
    const argv = argvOf(some);
    const at = argv.indexOf('--no-daemon') + 1;
    expect(argv.slice(at, at + flags.length)).toEqual(flags);
  });

  const sandbox: SandboxSpec = {
    root: '/project/.worktrees/ada',
    temp: '/tmp/own',
    writable: ['/project/.git/worktrees/ada'],
    writableByCommands: ['/project/.beads'],
    unwritable: ['/project/.git/worktrees/ada/commondir'],
    unreadable: ['/state'],
    allowedDomains: [],
    excludedCommands: [],
    allowUnixSockets: [],
    allowLocalBinding: false,
    holes: [],
  };

  test.each<[string, Partial<LaunchSpec>, readonly string[], string, boolean]>([
    ['manual', {}, ['-a', 'on-request'], ':workspace', false],
    ['plan', { permissionMode: 'plan' }, ['-a', 'on-request'], ':read-only', false],
    ['auto', { permissionMode: 'auto' }, ['--approve-for-me'], ':workspace', false],
    ['skipped', { skipPermissions: true }, ['-a', 'never'], ':workspace', true],
  ])('in its sandbox a profile of its own keeps it in: %s', (_, some, flags, parent, network) => {
    const argv = argvOf({ ...some, sandbox });
    const at = argv.indexOf('--no-daemon') + 1;
    expect(argv.slice(at, at + flags.length + 1)).toEqual([...flags, '--dangerously-bypass-hook-trust']);
    expect(settingOf({ ...some, sandbox }, 'default_permissions')).toBe('"crewmux"');
    const writes =
      '":slash_tmp"="read","/project/.git/worktrees/ada"="write","/project/.beads"="write","/project/.git/worktrees/ada/commondir"="read",';
    expect(settingOf({ ...some, sandbox }, 'permissions.crewmux')).toBe(
      `{"extends"="${parent}","filesystem"={${parent === ':workspace' ? writes : ''}"/state"="none"},"network"={"enabled"=${network}}}`,
    );
    expect(launch({ ...spec, ...some, sandbox }).env.TMPDIR).toBe('/tmp/own');
  });

  test('caches and sockets of its commands are settings, and the agent keeps its own', () => {
    const commandEnv = { set: { GOCACHE: '/t/go' }, unset: ['SSH_AUTH_SOCK', 'DISPLAY', 'TMUX'] };
    const some = { env: { ...spec.env, SSH_AUTH_SOCK: '/s' }, sandbox: { ...sandbox, commandEnv } };
    const set = (name: string) => settingOf(some, `shell_environment_policy.set.${name}`);
    expect(['GOCACHE', 'SSH_AUTH_SOCK', 'DISPLAY', 'TMUX'].map(set)).toEqual(['"/t/go"', '""', undefined, '""']);
    expect(launch({ ...spec, ...some }).env).toMatchObject({ SSH_AUTH_SOCK: '/s' });
    expect(launch({ ...spec, ...some }).env).not.toHaveProperty('GOCACHE');
  });

  test('opens the four folders of git without which nothing can be committed, and no other', () => {
    const argv = argvOf({});
    expect(argv.flatMap((word, i) => (argv[i - 1] === '--add-dir' ? [word] : []))).toEqual([
      '/project/.git/worktrees/ada',
      '/project/.git/objects',
      '/project/.git/refs',
      '/project/.git/logs',
    ]);
    const { git: _, ...plain } = spec;
    expect(launch(plain).argv).not.toContain('--add-dir');
    expect(argvOf({ skipPermissions: true })).not.toContain('--add-dir');
    expect(argvOf({ permissionMode: 'plan' })).not.toContain('--add-dir');
    expect(argvOf({ rules: { ...noRules, deny: ['Write'] } })).not.toContain('--add-dir');
    expect(argvOf({ git: { gitDir: '/p/.git', commonDir: '/p/.git' } })).not.toContain('--add-dir');
  });

  test.each<[string, Partial<LaunchSpec>, readonly string[]]>([
    ['a prompt', { prompt: ' do it\r\n' }, ['--', 'do it']],
    ['a leading dash', { prompt: '-p x' }, ['--', '-p x']],
    ['the word of a subcommand', { prompt: 'resume' }, ['--', 'resume']],
    ['what would run in a shell', { prompt: '!ls' }, ['--', ' !ls']],
    ['what is a command only in the composer', { prompt: '/status' }, ['--', '/status']],
    ['what is a list of files only in the composer', { prompt: 'see @x' }, ['--', 'see @x']],
    ['a conversation', { resume: { agentSessionId: old, fork: false } }, ['--', old]],
    ['both', { resume: { agentSessionId: old, fork: true }, prompt: 'hi' }, ['--', old, 'hi']],
  ])('ends in %s', (_, some, end) => {
    expect(argvOf(some).slice(-end.length)).toEqual(end);
  });

  test('says which folder is meant when a conversation began in another', () => {
    expect(argvOf({ resume: { agentSessionId: old, fork: false } }).slice(0, 4)).toEqual([
      'codex',
      'resume',
      '-C',
      spec.cwd,
    ]);
    expect(argvOf({ resume: { agentSessionId: old, fork: true } })[1]).toBe('fork');
  });

  test('a long prompt goes by file, with everything else', () => {
    const plan = launch({ ...spec, prompt: 'long '.repeat(2_000) });
    expect(plan.argv).toEqual(['sh', '/launch/start.sh']);
    expect(plan.files).toHaveLength(1);
  });
});

test('only a conversation that goes on has an id beforehand', () => {
  expect(launch(spec).agentSessionId).toBeUndefined();
  expect(launch({ ...spec, resume: { agentSessionId: old, fork: true } }).agentSessionId).toBeUndefined();
  expect(launch({ ...spec, resume: { agentSessionId: old, fork: false } }).agentSessionId).toBe(old);
});

describe('the settings', () => {
  test('trust nothing: what the user told Codex of the repository counts, and nothing else', () => {
    expect(settingOf({}, 'projects')).toBeUndefined();
    expect(argvOf({}).join(' ')).not.toContain('trust_level');
  });

  test('hear what no other source tells in time, and are not there when a turn ends', () => {
    const hooks = settingOf({}, 'hooks') ?? '';
    expect([...hooks.matchAll(/"(\w+)"=\[\{"hooks"=/g)].map((match) => match[1])).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'SessionEnd',
      'PreToolUse',
      'PermissionRequest',
    ]);
    expect(hooks).toContain('/launch/signals.jsonl');
  });

  test('carry instructions and servers as TOML', () => {
    const mcpServers = {
      'a.b': { type: 'stdio', command: 'x', args: ['-y'], env: { K: 'v"' }, none: null },
      web: { type: 'http', url: 'http://127.0.0.1:1', headers: { Authorization: 'B' } },
      bad: 'no server',
    };
    const own = '"crewmux"={"command"="crewmux","enabled"=false}';
    expect(settingOf({ mcpServers }, 'mcp_servers')).toBe(
      String.raw`{${own},"a.b"={"command"="x","args"=["-y"],"env"={"K"="v\""}},"web"={"url"="http://127.0.0.1:1","http_headers"={"Authorization"="B"}}}`,
    );
    expect(settingOf({ appendSystemPrompt: 'be\nkind\u007f' }, 'developer_instructions')).toBe(
      String.raw`"be\nkind\u007f"`,
    );
    expect(settingOf({}, 'mcp_servers')).toBe(`{${own}}`);
  });

  test.each([
    ['are waited for where they can start', true, ',"required"=true,"startup_timeout_sec"=120'],
    ['are nothing it waits for where their program is not there', false, ''],
  ])("the worker's own tools are approved, may take as long as they ask for, and %s", (_, canStart, more) => {
    const own = { name: 'crew', command: 'node', args: ['x', 'worker'], env: { A: 'b' }, longestCallSeconds: 60 };
    expect(settingOf({ ownTools: { ...own, canStart } }, 'mcp_servers')).toContain(
      `"crew"={"command"="node","args"=["x","worker"],"env"={"A"="b"},"default_tools_approval_mode"="approve","tool_timeout_sec"=60${more}}}`,
    );
  });
});

test('the environment names the worker, also to the transcript', () => {
  expect(launch(spec).env).toEqual({
    ...spec.env,
    CODEX_INTERNAL_ORIGINATOR_OVERRIDE: 'crewmux_0badcafe',
    CREWMUX_WORKER: '0badcafe',
  });
});

test.each<[string, Partial<LaunchSpec>, RegExp]>([
  [
    'a mode it does not have',
    { permissionMode: 'yolo' },
    /no permission mode "yolo".*plan \(-a on-request -s read-only\)/,
  ],
  [
    'a mode that edits where nothing may be',
    { permissionMode: 'auto', rules: { ...noRules, deny: ['Edit'] } },
    /denies this worker to edit/,
  ],
  ['bypass by the side door', { permissionMode: 'bypassPermissions' }, /needs skip_permissions/],
  ['a prompt too long for an argument', { prompt: 'é'.repeat(60_001) }, /120002 bytes/],
])('%s is refused', (_, some, message) => {
  expect(refusal(some)).toMatchObject({ code: 'invalid_argument', message: expect.stringMatching(message) });
});
