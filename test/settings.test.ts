import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings, projectConfigPath, userConfigPath } from '../src/settings.ts';
import { makeSandbox, type Sandbox } from './support/sandbox.ts';

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
    expect(problems).toEqual([]);
    expect(origins).toEqual({});
    const { limits: _, ...others } = settings;
    expect(others).toMatchInlineSnapshot(`
      {
        "agents": {},
        "commands": {
          "claude": [
            "claude",
          ],
          "codex": [
            "codex",
          ],
        },
        "defaults": {
          "agent_type": "claude",
          "layout": "auto",
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
          "strategy": "squash",
          "test_timeout_minutes": 10,
        },
        "notifications": {
          "on": [
            "attention",
            "dead",
          ],
        },
        "permissions": {
          "default": {},
          "roles": {},
        },
        "tmux": {
          "board": true,
          "session_prefix": "crew-",
          "socket": "crewmux",
        },
        "worktrees": {
          "copy_files": [],
          "dir": ".worktrees",
          "setup_commands": [],
          "symlink_dirs": [],
        },
      }
    `);
  });

  it('limit everything by default too', () => {
    expect(load({}).settings.limits).toMatchInlineSnapshot(`
      {
        "max_workers": 64,
        "note_chars": 4000,
        "open_questions": 3,
        "open_subtasks": 20,
        "resume_after_reset": false,
        "subtask_depth": 2,
        "waiting_notes": 20,
        "worker_calls_per_minute": 30,
      }
    `);
  });

  it('come from the environment before the project before the user, key by key', () => {
    const { settings, origins, problems } = load(
      {
        user: { tmux: { socket: 'user', session_prefix: 'u-' }, commands: { claude: 'user claude' } },
        project: { tmux: { socket: 'project' }, commands: { claude: ['project', 'claude'] } },
      },
      { CREWMUX_COMMAND: `'env claude' --x` },
    );
    expect(problems).toEqual([]);
    expect(settings.tmux).toEqual({ socket: 'project', session_prefix: 'u-', board: true });
    expect(settings.commands.claude).toEqual(['env claude', '--x']);
    expect(origins).toEqual({
      'tmux.socket': projectConfigPath(project),
      'tmux.session_prefix': userConfigPath(world()),
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
    expect(settings.tmux).toEqual({ socket: 'crewmux', session_prefix: 'ok-', board: true });
  });

  it.each([
    ['limits.max_workers', { limits: { max_workers: 'many' } }, 'expected number'],
    ['limits', { limits: 5 }, 'must be an object of settings'],
    ['defaults.layout', { defaults: { layout: 'wide' } }, '"auto"|"new"'],
    ['commands.claude', { commands: { claude: `'open` } }, 'expected a command'],
    ['commands.claude', { commands: { claude: [] } }, 'expected a command'],
    ['commands.claude', { commands: { claude: 7 } }, 'expected a command'],
    ['tmux.socket', { tmux: { socket: 'a/b' } }, 'expected a socket name'],
    ['agents', { agents: 'lots' }, 'expected record'],
    ['agents.claude', { agents: { claude: { command: 'x', prompt: '>' } } }, 'cannot name an agent'],
    ['agents.No Way', { agents: { 'No Way': { command: 'x', prompt: '>' } } }, 'cannot name an agent'],
    ['agents.repl', { agents: { repl: { prompt: '>' } } }, '"agents.repl.command" in'],
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

  it('of a choice of agent is none where any file describes that agent', () => {
    const repl = { command: 'repl -i', prompt: '^> ' };
    const { settings, problems } = load({ user: { defaults: { agent_type: 'repl' } }, project: { agents: { repl } } });
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
