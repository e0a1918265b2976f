// A real Claude Code that leads: the built server stands in the project's .mcp.json.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/sandbox.ts';
import { type ClaudeHome, makeClaudeHome } from './claude-home.ts';
import type { ModelRequest } from './fake/server.ts';

export interface LeadingClaude {
  readonly home: ClaudeHome;
  readonly repo: string;
  /** Has its model make one call and returns what the tool handed back. */
  call(tool: string, args: object): Promise<string>;
  /** Resolves with the first request of its model from `since` on that `is` accepts. */
  turn(what: string, is: (request: ModelRequest) => boolean, since?: number): Promise<ModelRequest>;
  idle(): Promise<unknown>;
  screen(): string;
  /** A key of the person in front of it. */
  press(key: string): void;
  dispose(): Promise<void>;
}

/** `prepare` runs in the project before the session begins. */
export async function openLeadingClaude(
  extra: Readonly<Record<string, string>> = {},
  prepare: (project: { readonly repo: string; readonly env: Record<string, string> }) => void = () => undefined,
): Promise<LeadingClaude> {
  const home = await makeClaudeHome();
  const repo = home.repo('project');
  const { tmux, git } = home.sandbox;
  const server = { type: 'stdio', command: process.execPath, args: [join(process.cwd(), 'dist/crewmux.mjs')] };
  writeFileSync(join(repo, '.mcp.json'), JSON.stringify({ mcpServers: { crewmux: server } }));
  git(repo, 'add', '.');
  git(repo, 'commit', '-qm', 'Use crewmux');
  const env = { ...home.env, CREWMUX_COMMAND: home.claude, ...extra };
  prepare({ repo, env });
  const flags = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const settings = JSON.stringify({
    enableAllProjectMcpServers: true,
    permissions: { allow: ['mcp__crewmux'], disableAutoMode: 'disable' },
  });
  const pane = tmux(
    ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '200', '-y', '50', '-c', repo, ...flags, '--'],
    ...[home.claude, '--settings', settings, '--permission-mode', 'manual'],
  );
  const screen = () => tmux('capture-pane', '-p', '-S', '-200', '-t', pane);
  const box = () => screen().split('❯').at(-1) ?? '';
  const idle = () => eventually('the leader is idle', () => !/esc to interrupt/.test(screen()));
  const turn: LeadingClaude['turn'] = (what, is, since = 0) =>
    eventually(what, () => home.model.requests.slice(since).find((one) => one.cwd === repo && is(one)), 120_000);
  await eventually('the leader is at its prompt', () => /\? for shortcuts/.test(screen()));
  const callOnce = async (tool: string, args: object): Promise<string> => {
    const before = home.model.requests.length;
    tmux('send-keys', '-l', '-t', pane, '--', `TOOL mcp__crewmux__${tool} ${JSON.stringify(args)}`);
    // Above it stand the words of earlier calls; an Enter that comes with the words is a line of them.
    await eventually('the words stand in the box', () => box().includes(`mcp__crewmux__${tool}`));
    tmux('send-keys', '-t', pane, 'Enter');
    const answered = await turn(`the answer of ${tool}`, ({ results }) => results.length > 0, before);
    await idle();
    return answered.results.join('\n');
  };
  return {
    home,
    repo,
    async call(tool, args) {
      for (;;) {
        const said = await callOnce(tool, args);
        // Its prompt box is there before the tools of its servers are.
        if (!said.includes('No such tool available')) return said;
      }
    },
    turn,
    idle,
    screen,
    press: (key) => void tmux('send-keys', '-t', pane, key),
    dispose: () => home.dispose(),
  };
}
