// The scripted agent by itself: how it starts, and how it ends.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { newUuid } from '../../../src/model/ids.ts';
import { eventually, makeSandbox, type Sandbox } from '../../support/sandbox.ts';

const bundle = resolve(process.env.CREWMUX_BUILT ?? 'dist/crewmux.mjs');

let sandbox: Sandbox;
let project: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repo('project');
});
afterEach(() => sandbox.dispose());

interface Started {
  readonly pane: string;
  screen(): string;
  keys(...keys: string[]): void;
  /** Its exit code, as a shell tells it. */
  ended(): Promise<number>;
}

function start(...argv: string[]): Started {
  const env = Object.entries(sandbox.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const opening = ['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '120', '-y', '40', '-c', project, ...env];
  const codeFile = join(sandbox.root, `code-${newUuid()}`);
  // tmux may miss a death; a shell around the agent does not, and keeps the pane.
  const shell = ['sh', '-c', '"$@"; echo $? >"$0"; exec sleep 1000', codeFile];
  const pane = sandbox.tmux(...opening, '--', ...shell, process.execPath, bundle, 'scripted-agent', ...argv);
  return {
    pane,
    screen: () => sandbox.tmux('capture-pane', '-p', '-t', pane),
    keys: (...keys) => void sandbox.tmux('send-keys', '-t', pane, ...keys),
    ended: () =>
      eventually('it has ended', () => {
        const text = existsSync(codeFile) ? readFileSync(codeFile, 'utf8') : '';
        return text === '' ? undefined : Number(text);
      }),
  };
}

/** The state file of the one agent that runs, once it is ready. */
const stateFile = () =>
  eventually('it is ready', () => {
    const folder = join(sandbox.home, '.claude', 'sessions');
    const [name] = existsSync(folder) ? readdirSync(folder) : [];
    return name === undefined ? undefined : join(folder, name);
  });
const pidIn = (path: string) => Number(basename(path, '.json'));

/** Settings whose hooks note their events, and the note. */
function noted() {
  const path = join(sandbox.root, 'events');
  const hook = [{ hooks: [{ type: 'command', command: `cat >>'${path}'; echo >>'${path}'` }] }];
  const events = ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'];
  const settings = JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, hook])) });
  // A hook may begin before the one before has ended its line.
  const seen = () => [...textOf(path).matchAll(/"hook_event_name":"(\w+)"/g)].map(([, event]) => event);
  return { settings, events: seen };
}

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const projects = () => join(sandbox.home, '.claude', 'projects');

it('writes no transcript before the first prompt, and then where the real one does', async () => {
  const agentSessionId = newUuid();
  const agent = start('--session-id', agentSessionId, '--permission-mode', 'manual');
  const state = await stateFile();
  expect(existsSync(projects())).toBe(false);
  agent.keys('SAY hello', 'Enter');
  const { transcriptPath = '' } = claudeAgent.traces({ cwd: project, agentSessionId, env: sandbox.env });
  await eventually('the turn is over', () => textOf(transcriptPath).includes('turn_duration'));
  expect(claudeAgent.decodeState(readFileSync(state, 'utf8'))).toMatchObject({
    pid: pidIn(state),
    agentSessionId,
    paneId: agent.pane,
    processStart: expect.stringMatching(/^\d+$/),
    signal: { status: 'idle' },
  });
});

type Leave = (agent: Started, pid: number) => void;

it.each([
  ['/exit', ({ keys }) => keys('/exit', 'Enter'), 0],
  ['C-c pressed twice', ({ keys }) => keys('C-c', 'C-c'), 0],
  ['SIGTERM', (_, pid) => process.kill(pid, 'SIGTERM'), 143],
  ['SIGHUP', (_, pid) => process.kill(pid, 'SIGHUP'), 129],
] satisfies readonly (readonly [string, Leave, number])[])(
  'leaves by %s with its last hook run and its state file gone',
  async (_, leave, code) => {
    const { settings, events } = noted();
    const agent = start('--settings', settings);
    const state = await stateFile();
    await eventually('it has started', () => events().includes('SessionStart'));
    leave(agent, pidIn(state));
    expect(await agent.ended()).toBe(code);
    expect(events()).toEqual(['SessionStart', 'SessionEnd']);
    expect(existsSync(state)).toBe(false);
  },
);

it('leaves its state file behind when it is killed or crashes', async () => {
  const killed = start();
  const state = await stateFile();
  process.kill(pidIn(state), 'SIGKILL');
  expect(await killed.ended()).toBe(137);
  expect(existsSync(state)).toBe(true);
  rmSync(state);
  const crashed = start('--', 'CRASH 7');
  expect(await crashed.ended()).toBe(7);
  expect(existsSync(await stateFile())).toBe(true);
});

it.each([
  ['a settings file that is not there', ['--settings', '/no/such/file'], 'Settings file not found'],
  ['a conversation that is not there', ['--resume', 'no-such'], 'No conversation found'],
  ['an option it does not know', ['--no-such'], "unknown option '--no-such'"],
])('ends at once for %s, and says so', async (_, argv, words) => {
  const agent = start(...argv);
  expect(await agent.ended()).toBe(1);
  expect(agent.screen()).toContain(words);
});

it('refuses a conversation id that is in use, and goes on with it when asked to', async () => {
  const id = newUuid();
  const first = start('--session-id', id, '--', 'SAY once');
  const path = join(projects(), readdirOf(), `${id}.jsonl`);
  await eventually('the turn is over', () => textOf(path).includes('turn_duration'));
  first.keys('/exit', 'Enter');
  await first.ended();
  expect(await start('--session-id', id).ended()).toBe(1);
  start('--resume', id, '--', 'SAY twice');
  await eventually('it went on', () => textOf(path).split('"turn_duration"').length === 3);
  expect(readdirSync(join(projects(), readdirOf()))).toEqual([`${id}.jsonl`]);
});

const readdirOf = () => project.replace(/[^a-zA-Z0-9]/g, '-');

it('shows pasted lines as one mark and sends them marked as pasted', async () => {
  const { settings, events } = noted();
  const agent = start('--settings', settings);
  await stateFile();
  writeFileSync(join(sandbox.root, 'paste'), 'a\nb\nc\nd');
  sandbox.tmux('load-buffer', join(sandbox.root, 'paste'), ';', 'paste-buffer', '-p', '-r');
  await eventually('it stands in the box', () => agent.screen().includes('❯\u00a0[Pasted text #1 +3 lines]'));
  agent.keys('Enter');
  await eventually('it was sent', () => events().includes('Stop'));
  expect(readFileSync(join(sandbox.root, 'events'), 'utf8')).toContain('<pasted_content id=');
});

it('lets a hook keep a prompt from the model', async () => {
  const blocking = [{ hooks: [{ type: 'command', command: 'echo not that >&2; exit 2' }] }];
  const agent = start('--settings', JSON.stringify({ hooks: { UserPromptSubmit: blocking } }), '--', 'SAY secret');
  await eventually('it says why', () => agent.screen().includes('not that'));
  expect(existsSync(projects())).toBe(false);
});

it('lets a hook answer the question for permission', async () => {
  const decide = (decision: object) => [
    {
      hooks: [
        {
          type: 'command',
          command: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })}'`,
        },
      ],
    },
  ];
  const manual = ['--permission-mode', 'manual'];
  const allow = { hooks: { PermissionRequest: decide({ behavior: 'allow' }) } };
  start('--settings', JSON.stringify(allow), ...manual, '--', 'WRITE made.txt yes');
  await eventually('the file is made', () => existsSync(join(project, 'made.txt')));
  const deny = { hooks: { PermissionRequest: decide({ behavior: 'deny', message: 'not today' }) } };
  const agent = start('--settings', JSON.stringify(deny), ...manual, '--', 'WRITE never.txt no\nSAY went on');
  await eventually('it went on', () => agent.screen().includes('● went on'));
  expect(agent.screen()).toContain('not today');
  expect(existsSync(join(project, 'never.txt'))).toBe(false);
});

it('lets a hook before a tool refuse it, and have it asked about in any mode', async () => {
  const beforehand = (word: string) => {
    const said = { hookEventName: 'PreToolUse', permissionDecision: word, permissionDecisionReason: 'by rule' };
    const command = `echo '${JSON.stringify({ hookSpecificOutput: said })}'`;
    return JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } });
  };
  const bypass = ['--dangerously-skip-permissions', '--', 'WRITE never.txt no\nSAY went on'];
  const refused = start('--settings', beforehand('deny'), ...bypass);
  await eventually('it went on', () => refused.screen().includes('● went on'));
  expect(refused.screen()).toContain('by rule');
  const asked = start('--settings', beforehand('ask'), ...bypass);
  await eventually('it asks', () => asked.screen().includes('Do you want to create never.txt?'));
  expect(existsSync(join(project, 'never.txt'))).toBe(false);
});
