import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agreementsPath } from '../../src/settings/agreements.ts';
import { loadSettings, projectConfigPath, userConfigPath } from '../../src/settings/settings.ts';
import { agreeTo } from '../support/agree.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let project: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.dir('project');
});
afterEach(() => sandbox.dispose());

const write = (path: string, content: unknown) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
};
const world = (env: Readonly<Record<string, string>> = {}) => ({ env, userHome: sandbox.home, projectPath: project });
const load = (files: { user?: unknown; project?: unknown }, env: Readonly<Record<string, string>> = {}) => {
  if (files.user !== undefined) write(userConfigPath(world()), files.user);
  if (files.project !== undefined) write(projectConfigPath(project), files.project);
  return loadSettings(world(env));
};

describe('settings', () => {
  it('are the defaults where nothing is configured', () => {
    const { settings, problems, origins } = load({});
    expect({ problems, origins }).toEqual({ problems: [], origins: {} });
    const { limits: _, sandbox: __, commands, tools, attention, notifications, restart, tmux, ...others } = settings;
    expect([commands, tools, tmux, attention, notifications, restart.auto]).toEqual([
      { claude: ['claude'], codex: ['codex'] },
      { sets: ['core', 'git', 'plans', 'admin'] },
      { socket: 'crewmux', session_prefix: 'crew-', board: true, keys: {} },
      { elicit: false, wake: 'on' },
      { on: ['attention', 'dead', 'checkpoint', 'task_failed'] },
      'never',
    ]);
    expect(others).toMatchInlineSnapshot(`
      {
        "agents": {},
        "defaults": {
          "agent_type": "claude",
          "layout": "auto",
          "mcp_servers": {},
          "pass_env": [],
          "project_hooks": "trusted",
          "sandbox": "auto",
          "skip_permissions": false,
          "standing_instructions": true,
          "use_worktree": true,
          "worker_tools": true,
        },
        "events": {
          "max_size_mb": 1,
          "recent_hours": 24,
          "stale_threshold_minutes": 20,
        },
        "issue_tracker": {},
        "log_level": "warn",
        "merge": {
          "network": true,
          "sandbox": "auto",
          "strategy": "squash",
          "test_timeout_minutes": 10,
        },
        "permissions": {
          "default": {},
          "roles": {},
        },
        "prices": {},
        "slots": [],
        "worktrees": {
          "copy_files": [],
          "dir": ".worktrees",
          "setup_commands": [],
          "submodules": false,
          "symlink_dirs": [],
        },
      }
    `);
  });

  it('limit everything by default too', () => {
    expect(Object.values(load({}).settings.sandbox)).toEqual([[], [], [], [], false]);
    expect(load({}).settings.limits).toMatchInlineSnapshot(`
      {
        "max_parallel": 8,
        "max_workers": 64,
        "note_chars": 4000,
        "open_questions": 3,
        "open_subtasks": 20,
        "resume_after_reset": false,
        "start_subtasks": false,
        "subtask_depth": 2,
        "waiting_notes": 20,
        "worker_calls_per_minute": 30,
      }
    `);
  });

  it('come from the environment before the project before the user, key by key', () => {
    const { settings, origins, problems } = load(
      {
        user: { merge: { strategy: 'merge', test_command: 'make' }, commands: { claude: 'user claude' } },
        project: { merge: { strategy: 'ff-only' } },
      },
      { CREWMUX_COMMAND: `'env claude' --x` },
    );
    expect(problems).toEqual([]);
    expect(settings.merge).toMatchObject({ strategy: 'ff-only', test_command: 'make', test_timeout_minutes: 10 });
    expect(settings.commands.claude).toEqual(['env claude', '--x']);
    expect(origins).toEqual({
      'merge.strategy': projectConfigPath(project),
      'merge.test_command': userConfigPath(world()),
      'commands.claude': 'CREWMUX_COMMAND',
    });
  });

  it('take the older names of variables only where the newer are unset', () => {
    expect(load({}, { CLAUDE_TEAM_COMMAND: 'old' }).settings.commands.claude).toEqual(['old']);
    expect(load({}, { CLAUDE_TEAM_COMMAND: 'old', CREWMUX_COMMAND: 'new' }).settings.commands.claude).toEqual(['new']);
    expect(load({}, { CLAUDE_TEAM_CODEX_COMMAND: 'old' }).settings.commands.codex).toEqual(['old']);
  });

  it('come from the file that CREWMUX_CONFIG names, which has to be there', () => {
    const file = join(sandbox.root, 'mine.json');
    expect(load({}, { CREWMUX_CONFIG: file }).problems).toEqual([
      { key: '', file, message: `${file} cannot be read (ENOENT); it is left aside.` },
    ]);
    write(file, { limits: { max_workers: 3 } });
    expect(load({}, { CREWMUX_CONFIG: file }).settings.limits.max_workers).toBe(3);
  });
});

describe('what a project says and nobody agreed to', () => {
  const setup = { worktrees: { setup_commands: ['npm ci'] }, merge: { strategy: 'merge' } };
  const agree = () => agreeTo(project, sandbox.dir('crewmux'));
  const now = () => loadSettings(world({ CREWMUX_HOME: sandbox.dir('crewmux') }));

  it('is left aside in one warning that names the file, its keys and the word, and the rest counts', () => {
    const { settings, problems, origins, agreement } = load({ project: setup });
    const file = projectConfigPath(project);
    expect(problems).toEqual([
      {
        key: '*',
        file,
        message: `Nobody has agreed to ${file}, so crewmux leaves these keys of it aside: worktrees.setup_commands. A person reads the file, then runs \`crewmux trust\` in ${project}.`,
      },
    ]);
    expect(agreement).toEqual({ file, is: 'never', keys: ['worktrees.setup_commands'] });
    expect(settings).toMatchObject({ worktrees: { setup_commands: [] }, merge: { strategy: 'merge' } });
    expect(origins).toEqual({ 'merge.strategy': file });
  });

  it('counts with the very next look once somebody agreed, and no more after any change of the file', () => {
    load({ project: setup });
    expect(now().settings.worktrees.setup_commands).toEqual([]);
    agree();
    expect(now()).toMatchObject({ problems: [], agreement: { is: 'agreed' }, settings: setup });
    write(projectConfigPath(project), `${JSON.stringify(setup)} `);
    const { problems, settings } = now();
    expect(problems).toMatchObject([{ message: expect.stringContaining('has changed since a person agreed to it') }]);
    expect(settings.worktrees.setup_commands).toEqual([]);
    write(projectConfigPath(project), setup);
    expect(now().settings.worktrees.setup_commands).toEqual(['npm ci']);
  });

  it('is agreed to in one place only: a copy of the file elsewhere is another one', () => {
    load({ project: setup });
    agree();
    project = sandbox.dir('other');
    expect(load({ project: setup }, { CREWMUX_HOME: sandbox.dir('crewmux') }).problems).toHaveLength(1);
  });

  it('is agreed to by nobody where the agreements cannot be read', () => {
    load({ project: setup });
    agree();
    write(agreementsPath(sandbox.dir('crewmux')), '{"v": 1, "files": {');
    expect(now().agreement.is).toBe('never');
  });

  it('takes nothing from what the user chose', () => {
    const user = { commands: { claude: 'mine' }, permissions: { default: { allow: ['Read'], deny: ['Bash'] } } };
    const project = {
      commands: { claude: 'evil' },
      permissions: { default: { allow: ['Bash(curl *)'], deny: ['Edit'] } },
    };
    const { settings } = load({ user, project });
    expect(settings.commands.claude).toEqual(['mine']);
    expect(settings.permissions.default).toEqual({ allow: ['Read'], deny: ['Bash', 'Edit'] });
  });

  it('is nothing where the file is a link, a pipe or too long, and that is said', () => {
    const told = () => now().problems.map(({ message }) => message.replace(/.*config\.json /, ''));
    const file = projectConfigPath(project);
    write(join(sandbox.root, 'elsewhere/config.json'), setup);
    symlinkSync(join(sandbox.root, 'elsewhere'), dirname(file));
    expect(told()).toEqual([expect.stringContaining('is a symbolic link')]);
    rmSync(dirname(file));
    mkdirSync(dirname(file));
    symlinkSync(join(sandbox.root, 'elsewhere/config.json'), file);
    expect(told()).toEqual([expect.stringContaining('is a symbolic link')]);
    rmSync(file);
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', file]);
    expect(told()).toEqual([expect.stringContaining('is no plain file')]);
    rmSync(file);
    write(file, JSON.stringify({ merge: { strategy: 'merge', test_command: 'x'.repeat(300_000) } }));
    expect(told()).toEqual([expect.stringContaining('has more than 262144 bytes')]);
    expect(now().settings.merge.strategy).toBe('squash');
    write(file, '{"merge": ');
    expect(told()).toEqual([expect.stringContaining('is not JSON')]);
  });
});

describe('a problem', () => {
  it('names an unknown key, the file and the nearest known key, and the rest counts', () => {
    const { settings, problems } = load({ user: { tmux: { sockett: 'a', session_prefix: 'ok-' }, colour: true } });
    const file = userConfigPath(world());
    expect(problems).toEqual([
      {
        key: 'tmux.sockett',
        file,
        message: `Unknown key "tmux.sockett" in ${file}. Nearest known key: "tmux.socket".`,
      },
      {
        key: 'colour',
        file,
        message: expect.stringContaining(`Unknown key "colour" in ${file}. Known keys: commands.claude,`),
      },
    ]);
    expect(settings.tmux).toEqual({ socket: 'crewmux', session_prefix: 'ok-', board: true, keys: {} });
  });

  it.each([
    ['limits.max_workers', { limits: { max_workers: 'many' } }, 'expected number'],
    ['limits', { limits: 5 }, 'must be an object of settings'],
    ['defaults.layout', { defaults: { layout: 'wide' } }, '"auto"|"new"'],
    ['defaults.model', { defaults: { model: '--help' } }, 'must not begin with "-"'],
    ['defaults.permission_mode', { defaults: { permission_mode: '-x' } }, 'must not begin with "-"'],
    ['defaults.pass_env', { defaults: { pass_env: ['NPM_*'] } }, 'expected the name of a variable'],
    ['commands.claude', { commands: { claude: `'open` } }, 'expected a command'],
    ['commands.claude', { commands: { claude: [] } }, 'expected a command'],
    ['commands.claude', { commands: { claude: 7 } }, 'expected a command'],
    ['tmux.socket', { tmux: { socket: 'a/b' } }, 'expected a socket name'],
    ['tmux.keys', { tmux: { keys: { Entr: 'answer' } } }, 'expected false, or keys as tmux writes them'],
    ['agents', { agents: 'lots' }, 'expected record'],
    ['agents.claude', { agents: { claude: { command: 'x', prompt: '>' } } }, 'cannot name an agent'],
    ['agents.No Way', { agents: { 'No Way': { command: 'x', prompt: '>' } } }, 'cannot name an agent'],
    ['agents.repl', { agents: { repl: { prompt: '>' } } }, '"agents.repl.command" in'],
    ['slots', { slots: [{ id: 'a b' }, { id: 'A b' }] }, 'expected another id for each slot'],
    ['slots', { slots: [{ id: 'all' }] }, 'expected a name that a worker can have'],
    ['defaults.mcp_servers', { defaults: { mcp_servers: { crew: {} } } }, "the name of the worker's own tools"],
    ['agents.repl', { agents: { repl: { command: 'x', prompt: '(' } } }, 'cannot be "(": "(" is no regular expression'],
    ['agents.repl', { agents: { repl: { command: 'x', prompt: '>', promt: 1 } } }, 'Unrecognized key: "promt"'],
    ['agents.repl', { agents: { repl: { command: 'x', prompt: '>', submit: ['Entr'] } } }, 'expected a key'],
    ['defaults.agent_type', { defaults: { agent_type: 'gemini' } }, 'Known: claude, codex'],
    ['', '{ "tmux": ', 'is not JSON'],
    ['', '[1]', 'must hold a JSON object'],
  ])('of %j keeps the default: %j', (key, user, why) => {
    const { settings, problems } = load({ user });
    expect(problems).toEqual([{ key, file: userConfigPath(world()), message: expect.stringContaining(why) }]);
    expect(settings).toEqual(load({ user: {} }).settings);
  });

  it('of a choice of agent is none where another file describes that agent', () => {
    const repl = { command: 'repl -i', prompt: '^> ' };
    const { settings, problems } = load({ user: { agents: { repl } }, project: { defaults: { agent_type: 'repl' } } });
    expect(problems).toEqual([]);
    expect(settings.defaults.agent_type).toBe('repl');
    expect(settings.agents).toMatchObject({ repl: { command: ['repl', '-i'], submit: ['Enter'], quiet_ms: 1_500 } });
  });

  it('of the project leaves the value of the user standing', () => {
    const { settings, problems } = load({
      user: { limits: { max_workers: 5 } },
      project: { limits: { max_workers: -1 } },
    });
    expect(problems).toHaveLength(1);
    expect(settings.limits.max_workers).toBe(5);
  });

  it('of the environment names the variable', () => {
    expect(load({}, { CREWMUX_LOG_LEVEL: 'loud' }).problems).toMatchObject([
      { key: 'log_level', file: 'CREWMUX_LOG_LEVEL', message: expect.stringContaining('"loud"') },
    ]);
  });

  it('is a file that cannot be read', () => {
    mkdirSync(userConfigPath(world()), { recursive: true });
    expect(load({}).problems).toMatchObject([{ message: expect.stringContaining('EISDIR') }]);
  });
});
