import { describe, expect, it } from 'vitest';
import { sortOut } from '../../src/settings/counting.ts';
import { fileLayer } from '../../src/settings/layers.ts';
import { leaves, settingsSchema } from '../../src/settings/schema.ts';

const repl = { command: ['repl'], prompt: '^> ' };
const own = {
  agents: { mine: repl },
  limits: { max_workers: 8, resume_after_reset: true },
  permissions: { default: { preset: 'review' } },
};

/** What counts by itself of a project's file, and which keys wait, over the user's own settings. */
function sorted(file: unknown, user: unknown = own) {
  const { values, problems } = fileLayer('config.json', JSON.stringify(file));
  expect(problems).toEqual([]);
  const { values: counts, waiting } = sortOut(values, settingsSchema.parse(user));
  return { counts, waits: waiting.filter(({ changes }) => changes).map(({ path }) => path.join('.')) };
}

describe('of a project nobody agreed to', () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    ['the choice of a known agent', { defaults: { agent_type: 'codex' } }, { 'defaults.agent_type': 'codex' }],
    ["the choice of the user's agent", { defaults: { agent_type: 'mine' } }, { 'defaults.agent_type': 'mine' }],
    ['the layout', { defaults: { layout: 'new' } }, { 'defaults.layout': 'new' }],
    ['the strategy', { merge: { strategy: 'merge' } }, { 'merge.strategy': 'merge' }],
    ['events', { events: { recent_hours: 90 } }, { 'events.recent_hours': 90 }],
    ['the tracker', { issue_tracker: { override: 'beads' } }, { 'issue_tracker.override': 'beads' }],
    ['a lower limit', { limits: { max_workers: 7 } }, { 'limits.max_workers': 7 }],
    ['an equal limit', { limits: { max_workers: 8 } }, { 'limits.max_workers': 8 }],
    ['a switch turned off', { limits: { resume_after_reset: false } }, { 'limits.resume_after_reset': false }],
    ['a wait any client has', { limits: { max_wait_seconds: 50 } }, { 'limits.max_wait_seconds': 50 }],
    ['deny', { permissions: { default: { deny: ['Bash'] } } }, { 'permissions.default': { deny: ['Bash'] } }],
    ['confirm', { permissions: { default: { confirm: ['Bash'] } } }, { 'permissions.default': { confirm: ['Bash'] } }],
    [
      'deny of a role',
      { permissions: { roles: { tester: { deny: ['Bash'] } } } },
      { 'permissions.roles': { tester: { deny: ['Bash'] } } },
    ],
  ])('%s counts', (_, file, counts) => {
    expect(sorted(file)).toEqual({ counts, waits: [] });
  });

  it.each<[string, unknown, readonly string[]]>([
    ['programs', { commands: { claude: 'x', codex: 'y' } }, ['commands.claude', 'commands.codex']],
    ['an agent', { agents: { theirs: repl } }, ['agents.theirs']],
    ["the user's agent anew", { agents: { mine: { ...repl, command: ['x'] } } }, ['agents.mine']],
    [
      'the choice of an agent of its own',
      { agents: { theirs: repl }, defaults: { agent_type: 'theirs' } },
      ['agents.theirs', 'defaults.agent_type'],
    ],
    ['skipped permissions', { defaults: { skip_permissions: true } }, ['defaults.skip_permissions']],
    ['the files of its agents', { defaults: { project_hooks: 'agent' } }, ['defaults.project_hooks']],
    ['a permission mode', { defaults: { permission_mode: 'auto' } }, ['defaults.permission_mode']],
    ['setup commands', { worktrees: { setup_commands: ['x'] } }, ['worktrees.setup_commands']],
    ['copied files', { worktrees: { copy_files: ['.env'] } }, ['worktrees.copy_files']],
    ['the folder of worktrees', { worktrees: { dir: '/tmp' } }, ['worktrees.dir']],
    ['a test command', { merge: { test_command: 'true' } }, ['merge.test_command']],
    ['a landing without a sandbox', { merge: { sandbox: 'off' } }, ['merge.sandbox']],
    ['a form', { attention: { elicit: true } }, ['attention.elicit']],
    ['a notice', { notifications: { command: 'x' } }, ['notifications.command']],
    ['a choice of tools', { tools: { sets: ['core'] } }, ['tools.sets']],
    ['the socket', { tmux: { socket: 'x' } }, ['tmux.socket']],
    ['a higher limit', { limits: { max_workers: 9 } }, ['limits.max_workers']],
    ['a longer wait', { limits: { max_wait_seconds: 51 } }, ['limits.max_wait_seconds']],
    ['the log', { log_level: 'debug' }, ['log_level']],
    ['a preset', { permissions: { default: { preset: 'full' } } }, ['permissions.default.preset']],
    ['allow', { permissions: { default: { allow: ['Bash'] } } }, ['permissions.default.allow']],
    ['allow of a role', { permissions: { roles: { tester: { allow: ['*'] } } } }, ['permissions.roles.tester.allow']],
    ['a preset of a role', { permissions: { roles: { t: { preset: 'full' } } } }, ['permissions.roles.t.preset']],
  ])('%s waits', (_, file, waits) => {
    expect(sorted(file)).toEqual({ counts: {}, waits });
  });

  it('a switch is turned on only where it is on anyway', () => {
    const file = { limits: { resume_after_reset: true } };
    expect(sorted(file, {}).waits).toEqual(['limits.resume_after_reset']);
    expect(sorted(file).waits).toEqual([]);
  });

  it('rules are taken apart: what forbids counts, what permits waits', () => {
    const rules = { preset: 'full', allow: ['Bash'], confirm: ['Edit'], deny: ['Read(.env)'] };
    expect(sorted({ permissions: { default: rules, roles: { tester: rules } } })).toEqual({
      counts: {
        'permissions.default': { confirm: ['Edit'], deny: ['Read(.env)'] },
        'permissions.roles': { tester: { confirm: ['Edit'], deny: ['Read(.env)'] } },
      },
      waits: ['preset', 'allow']
        .flatMap((one) => `permissions.default.${one}`)
        .concat(['permissions.roles.tester.preset', 'permissions.roles.tester.allow']),
    });
  });

  it('a file that says the defaults makes no key wait', () => {
    expect(sorted(settingsSchema.parse({}), {}).waits).toEqual([]);
  });

  it('exactly these keys can count whole', () => {
    const counting = leaves.filter(({ key }) => key in sortOut({ [key]: 0 }, settingsSchema.parse({})).values);
    expect(counting.map(({ key }) => key).filter((key) => !key.startsWith('limits.'))).toEqual([
      'defaults.agent_type',
      'defaults.layout',
      'events.max_size_mb',
      'events.recent_hours',
      'events.stale_threshold_minutes',
      'issue_tracker.override',
      'merge.strategy',
    ]);
  });
});
