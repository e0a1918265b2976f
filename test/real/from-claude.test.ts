// A real Claude Code as the manager: the server comes from .mcp.json, and every step is a tool call of its model.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { type ClaudeHome, makeClaudeHome } from './claude-home.ts';

let home: ClaudeHome;
let repo: string;
let pane: string;
beforeAll(async () => {
  home = await makeClaudeHome();
  repo = home.repo('project');
  writeFileSync(
    join(repo, '.mcp.json'),
    JSON.stringify({
      mcpServers: {
        crewmux: { type: 'stdio', command: process.execPath, args: [join(process.cwd(), 'dist/crewmux.mjs')] },
      },
    }),
  );
  home.sandbox.git(repo, 'add', '.');
  home.sandbox.git(repo, 'commit', '-qm', 'Use crewmux');
  const env = { ...home.env, CREWMUX_COMMAND: home.claude };
  const flags = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const settings = JSON.stringify({
    enableAllProjectMcpServers: true,
    permissions: { allow: ['mcp__crewmux'], disableAutoMode: 'disable' },
  });
  pane = home.sandbox.tmux(
    ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '200', '-y', '50', '-c', repo, ...flags, '--'],
    ...[home.claude, '--settings', settings, '--permission-mode', 'manual'],
  );
  await eventually('the manager is at its prompt', () => /\? for shortcuts/.test(screen()), 20_000);
});
afterAll(() => home.dispose());

const screen = () => home.sandbox.tmux('capture-pane', '-p', '-S', '-200', '-t', pane);

/** Says something to the manager and returns what its model was handed back by the tool. */
async function manage(tool: string, args: object): Promise<string> {
  const before = home.model.requests.length;
  home.sandbox.tmux('send-keys', '-l', '-t', pane, '--', `TOOL mcp__crewmux__${tool} ${JSON.stringify(args)}`);
  await eventually('the words stand in the box', () => screen().includes(`mcp__crewmux__${tool}`));
  home.sandbox.tmux('send-keys', '-t', pane, 'Enter');
  const answered = await eventually(
    `the answer of ${tool}`,
    () => home.model.requests.slice(before).find((request) => request.cwd === repo && request.results.length > 0),
    40_000,
  );
  await eventually('the manager is idle', () => !/esc to interrupt/.test(screen()));
  return answered.results.join('\n');
}

test('a manager spawns two workers, waits, reads and closes them by its own tools', async () => {
  const spawned = await manage('spawn_workers', {
    workers: [
      { project_path: 'auto', name: 'ada', prompt: 'SAY the cart is done' },
      { project_path: 'auto', name: 'bruno', prompt: 'SAY the login is done' },
    ],
  });
  expect(spawned).toContain('"count":2');
  expect(await manage('wait_idle_workers', { session_ids: ['ada', 'bruno'], timeout: 60 })).toContain(
    '"all_idle":true',
  );
  expect(await manage('read_worker_logs', { session_id: 'ada' })).toContain('the cart is done');
  expect(await manage('close_workers', { session_ids: ['ada', 'bruno'] })).toContain('"success_count":2');
  expect(home.sandbox.git(repo, 'status', '--porcelain')).toBe('');
});
