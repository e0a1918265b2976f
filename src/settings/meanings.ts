// What each setting means, as docs/configuration.md has it, links included.
import type { SettingLeaf } from './schema.ts';

const meanings: Readonly<Record<string, string>> = {
  'commands.claude': 'how to start Claude Code: a list of words, or one line',
  'commands.codex': 'how to start Codex',
  agents:
    'other agent CLIs by name, each described by its command and its screen; see [docs/ADDING-AN-AGENT.md](ADDING-AN-AGENT.md)',
  'defaults.agent_type': 'agent of a worker that names none',
  'defaults.skip_permissions': 'run workers that ask nobody; in a sandbox their network is open, `localhost` too',
  'defaults.use_worktree': 'give each worker a worktree of its own',
  'defaults.worker_tools': 'give each worker tools of its own to report, ask and speak with others',
  'defaults.standing_instructions': 'tell each worker who and where it is, how to commit, report and ask',
  'defaults.layout': '`auto` fills windows to four panes, `new` opens one for each call',
  'defaults.permission_mode':
    "the agent's permission mode; left out, [the place and the rules of a worker decide](permissions.md#what-asks-with-nothing-configured)",
  'defaults.model':
    "the model of workers and experts; not of Codex where it is one of Claude's, nor the other way round",
  'defaults.pass_env':
    'names of variables that workers, set-up commands, tests and your programs get as well; exact names only',
  'defaults.mcp_servers':
    'MCP servers of every worker, as in `mcp_config` of `spawn_workers`: `{"docs": {"command": "docs-mcp"}}`. One of a call with the same name counts in its place; the name `crew` is taken. They lie readable in the configuration, so keep keys in `defaults.pass_env`',
  'defaults.sandbox':
    "run workers in their agent's own sandbox: where it works (`auto`), always (`on`: a worker does not start without), or never (`off`)",
  'defaults.project_hooks':
    "what a sandboxed worker loads of the project's [agent files](#agent-files-of-a-project): those that you agreed to (`trusted`), none (`off`), or whatever its agent loads (`agent`)",
  'sandbox.allow_write':
    "folders that workers may write as well; absolute, or from `~/`. One that holds crewmux's program, the agent's or a folder of `npx` is refused",
  'sandbox.allowed_domains': 'hosts that a Claude Code worker reaches without a question',
  'sandbox.excluded_commands': 'commands of Claude Code that run outside and ask, in its syntax for rules: `docker *`',
  'sandbox.allow_unix_sockets': 'Unix sockets that Claude Code opens to its commands; on Linux any entry opens all',
  'sandbox.allow_local_binding': 'let commands of Claude Code listen on local ports (macOS; on Linux they may)',
  'restart.auto':
    '`"crash"`: start a worker again whose agent crashed in the midst of a turn; see [After a crash](restart.md#after-a-crash)',
  'attention.wake':
    "wake the manager's idle session when something needs it; see [When the manager is woken](messages.md#when-the-manager-is-woken)",
  'attention.elicit':
    "show you a form in the manager's window for what workers ask; see [When a worker asks](messages.md#when-a-worker-asks)",
  'tools.sets':
    'which tools the manager gets: a list of `core`, `git`, `plans`, `admin`; see [Fewer tools](#fewer-tools)',
  'tmux.socket': 'name of the private tmux server',
  'tmux.board': 'show the crew in window 0 of its tmux session',
  'tmux.keys': "keys of the crew's own tmux server, on top of the usual ones; see [Keys](#keys)",
  'tmux.session_prefix': 'start of the names of tmux sessions',
  'worktrees.dir': 'folder of worktrees, in the repository',
  'worktrees.copy_files': 'untracked files to copy into each worktree',
  'worktrees.symlink_dirs': 'folders to link into each worktree',
  'worktrees.setup_commands': 'commands to run in each new worktree',
  'worktrees.submodules':
    'run `git submodule update --init --recursive` before them; without it the answer names empty submodules, and Git LFS pointers too',
  'events.max_size_mb': 'size at which the event log is rotated',
  'events.recent_hours': 'how far back `poll_worker_changes` looks without a cursor',
  'events.stale_threshold_minutes': 'silence after which a working worker counts as stuck',
  'issue_tracker.override': '`beads` or `pebbles`, instead of looking for one',
  'merge.strategy': 'how `merge_worker` lands a branch: `squash`, `merge` or `ff-only`',
  'merge.test_command':
    "shell line that must succeed before anything lands; found from the project's files when unset, empty for none",
  'merge.test_timeout_minutes': 'after this the tests and all they started are ended, and nothing lands',
  'merge.sandbox': 'run tests and hooks of a landing in bubblewrap where it works (Linux), or never: `off`',
  'merge.network':
    'leave the network to tests and hooks of a landing; `false` leaves loopback alone, and nothing lands without bubblewrap',
  'limits.max_workers': 'live workers at once',
  'limits.max_parallel': 'tasks and jobs of plans at work at once, in all projects',
  'limits.max_cost_usd':
    'dollars that the workers of a project may use in a day of this machine; then [no new turn begins](usage.md#bounds)',
  'limits.task_timeout_minutes': 'limit of a task that names no `timeout_minutes`',
  'limits.waiting_minutes':
    'time after which a need that nobody has answered is told a second time by a [notification](#notifications); crewmux never answers it',
  'limits.max_wait_seconds': 'longest wait in one call; chosen by client when unset',
  'limits.resume_after_reset':
    'send workers on, one after the other and once, when the [usage limit](messages.md#usage-limits) that stopped them is over; kept messages and queued tasks go on without it',
  'limits.worker_calls_per_minute': 'how often a worker may say or ask something with its own tools',
  'limits.note_chars': 'longest note from one worker to another',
  'limits.waiting_notes': 'notes that may wait for one worker',
  'limits.open_questions': 'unanswered questions of one worker to its manager',
  'limits.open_subtasks': 'queued tasks that one worker has entered',
  'limits.subtask_depth': 'how deep tasks entered by workers on tasks of workers may go',
  'limits.start_subtasks': 'start what workers enter with `create_subtask` and `request_review` without `update_task`',
  'permissions.default': 'rules for every worker: `{preset?, allow, ask, deny}`; see [Permissions](permissions.md)',
  'permissions.roles': 'the same for each [role](roles.md), by its name; they add to those of its file',
  'notifications.command': 'program to run when a person should know: a list of words, or one line',
  'notifications.on': 'of what: these, and `idle`, `report`, `plan_ended`, `stuck`',
  slots:
    'workers that you declare beforehand: `[{"id": "coder-1", "role": "implementer", "description": "writes code"}]`, each with `project_path`, `agent_type` and `model` if you like; see [Slots](plans.md#slots)',
  prices:
    'what models cost, by a glob of their names, in dollars per million tokens: `{"claude-opus-*": {"input": 4, "cache_write": 5, "cache_read": 0.2, "output": 20}}`. The first glob that fits wins over the table in crewmux; a model in neither has tokens and no cost',
  log_level: '`error`, `warn`, `info` or `debug`',
};

/** As it stands in the document; undefined for a setting of no row of its own. */
export const meaningOf = ({ key }: Pick<SettingLeaf, 'key'>): string | undefined => meanings[key];

/** The same for a terminal: each link names its document. Pure. */
export const plainMeaning = (meaning: string): string =>
  meaning.replaceAll(/\[([^\]]*)\]\(([^)#]*)[^)]*\)/g, (_, text: string, file: string) =>
    text.startsWith('docs/') ? text : `${text} (docs/${file === '' ? 'configuration.md' : file})`,
  );
