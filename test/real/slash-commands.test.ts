// The plugin in a real Claude Code: installed from this repository as a marketplace, each command run once.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { filled, parseSkill } from '../../src/model/skill.ts';
import { agentCommand, bundle } from '../e2e/crew.ts';
import { type ClaudeHome, makeClaudeHome } from './claude-home.ts';
import type { ModelRequest } from './fake/server.ts';

const root = join(import.meta.dirname, '../..');
const skills = join(root, 'plugin/skills');
const exec = promisify(execFile);

let home: ClaudeHome;
let repo: string;
let env: Record<string, string>;
beforeAll(async () => {
  home = await makeClaudeHome();
  repo = home.repo('project');
  env = { ...home.env, CREWMUX_COMMAND: agentCommand.join(' '), PATH: `${home.sandbox.dir('bin')}:${home.env.PATH}` };
  // The plugin of a clone starts that clone's build.
  writeFileSync(join(home.sandbox.dir('bin'), 'npx'), '#!/bin/sh\nexit 9\n', { mode: 0o755 });
  await claude('plugin', 'marketplace', 'add', root);
  await claude('plugin', 'install', 'crewmux@crewmux');
});
afterAll(() => home.dispose());
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const children: ChildProcess[] = [];

const claude = async (...args: string[]) => (await exec(home.claude, args, { env, cwd: repo })).stdout;

const line = z.looseObject({ type: z.string(), slash_commands: z.array(z.string()).optional() });

interface Session {
  /** Types a command and resolves with the requests of its turn. */
  type(text: string): Promise<readonly ModelRequest[]>;
  readonly commands: () => readonly string[];
  end(): Promise<unknown>;
}

/** A session whose model may call these tools beside those that a command allows. */
function open(allowed: readonly string[]): Session {
  const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const rules = ['--permission-mode', 'manual', '--allowedTools', allowed.join(',')];
  const child = spawn(home.claude, ['-p', ...streams, ...rules], {
    env,
    cwd: repo,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let commands: readonly string[] = [];
  return {
    commands: () => commands,
    async type(text) {
      const since = home.model.requests.length;
      child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error('The session has ended.');
        const said = line.parse(JSON.parse(String(value)));
        commands = said.slash_commands ?? commands;
        if (said.type === 'result') break;
      }
      return home.model.requests.slice(since).filter(({ kind }) => kind === 'turn');
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

const skillOf = (name: string) => parseSkill(readFileSync(join(skills, name, 'SKILL.md'), 'utf8'));
const worker = {
  project_path: 'auto',
  name: 'ada',
  annotation: 'cart',
  prompt: 'BASH echo 1 > cart.js && git add . && git commit -qm Cart\nSAY done',
};
const ada = { session_id: 'ada' };

/** The words behind each command, and the calls that its text asks for. */
const runs: Readonly<Record<string, readonly [string, ...(readonly [string, object])[]]>> = {
  'spawn-workers': [
    'the cart, please',
    ['crew_status', {}],
    ['issue_tracker_help', {}],
    ['spawn_workers', { workers: [{ ...worker, skip_permissions: true }] }],
    ['wait_idle_workers', { session_ids: ['ada'], mode: 'any' }],
  ],
  'check-workers': [
    '',
    ['crew_status', {}],
    ['list_workers', {}],
    ['poll_worker_changes', {}],
    ['examine_worker', ada],
  ],
  'pr-worker': [
    'ada as "draft" & $HOME',
    ['examine_worker', ada],
    ['diff_worker', { ...ada, stat: true }],
    ['read_reports', { worker: 'ada' }],
    ['open_pull_request', { ...ada, title: 'Cart', body: 'It is there.' }],
  ],
  'merge-worker': [
    'ada',
    ['diff_worker', ada],
    ['check_conflicts', { session_ids: ['ada'] }],
    ['merge_worker', { ...ada, dry_run: true }],
    ['merge_worker', ada],
  ],
  'team-summary': ['', ['list_workers', { include_closed: true }], ['read_worker_logs', { ...ada, pages: 1 }]],
  'cleanup-worktrees': ['', ['list_worktrees', { repo_path: '.' }], ['cleanup_worktrees', { dry_run: true }]],
  'plan-work': ['', ['plan_status', {}], ['crew_status', {}]],
  crew: ['attach ada', ['examine_worker', ada]],
};

const acting = [
  'spawn_workers',
  'wait_idle_workers',
  'open_pull_request',
  'merge_worker',
  'list_worktrees',
  'cleanup_worktrees',
];
const plugin = 'mcp__plugin_crewmux_crewmux__';
const scriptOf = (form: string, [words, ...calls]: readonly [string, ...(readonly [string, object])[]]) =>
  [words, ...calls.map(([tool, args]) => `TOOL ${form}${tool} ${JSON.stringify(args)}`), 'SAY done'].join('\n');

/** What went wrong with the calls of a turn. */
const refusals = (turn: readonly ModelRequest[]) =>
  (turn.at(-1)?.results ?? []).filter((text) =>
    /^\{"error":|requested permissions|No such tool|<tool_use_error>/.test(text),
  );

it('the real validator finds nothing to warn of, for the plugin, its directory and the marketplace', async () => {
  expect(await claude('plugin', 'validate', join(root, 'plugin'), '--strict', '--profile', 'directory')).toContain(
    'passed',
  );
  expect(await claude('plugin', 'validate', root, '--strict')).toContain('passed');
});

it('each command reaches the model with its words as they are, and its calls work by the names of the plugin', async () => {
  expect(Object.keys(runs).sort()).toEqual(readdirSync(skills));
  const session = open(acting.map((tool) => `${plugin}${tool}`));
  for (const [name, run] of Object.entries(runs)) {
    const words = scriptOf(plugin, run);
    const turn = await session.type(`/crewmux:${name} ${words}`);
    expect(session.commands()).toContain(`crewmux:${name}`);
    expect(turn[0]?.prompt).toContain(filled(skillOf(name), words.trim()).trim());
    expect([name, refusals(turn)]).toEqual([name, []]);
    expect([name, turn.at(-1)?.results.length]).toEqual([name, run.length - 1]);
  }
  await session.end();
  expect(readFileSync(join(repo, 'cart.js'), 'utf8')).toBe('1\n');
});

it('a session that begins is shown the crew, and a copy in the project works by the plain names', async () => {
  await exec(process.execPath, [bundle, 'init', '--commands'], { env, cwd: repo });
  const session = open([]);
  const words = scriptOf('mcp__crewmux__', ['list', ['list_workers', {}]]);
  const turn = await session.type(`/crew ${words}`);
  await session.end();
  expect(turn[0]?.told.join('\n')).toMatch(/- ada is idle\. Task: "cart"\. Branch: ada-\S+/);
  expect(turn[0]?.prompt).toContain(`<words>\n${words}\n</words>`);
  expect(turn.at(-1)?.results.join('')).toContain('"name":"ada"');
});
