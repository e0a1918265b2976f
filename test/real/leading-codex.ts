// A real Codex as the manager: the built server stands in its config.toml, and every step is a call of its model.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerEnvironment } from '../../src/agents/environment.ts';
import { codexEntry } from '../../src/cli/codex-config.ts';
import { eventually } from '../support/sandbox.ts';
import type { ClaudeHome } from './claude-home.ts';
import { begunWhole, makeCodexHome } from './codex-home.ts';
import type { ModelRequest } from './fake/server.ts';
import { agentBinary } from './install.ts';

export interface LeadingCodex {
  readonly home: ClaudeHome;
  readonly repo: string;
  /** Has its model make one call and returns the request that hands back the answer. */
  call(tool: string, args: object, ceilingMs?: number): Promise<ModelRequest>;
  /** Types a prompt and waits for nothing. */
  say(prompt: string): void;
  keys(...keys: string[]): void;
  screen(): string;
  dispose(): Promise<void>;
}

export interface LeadingSpec {
  /** More lines for the server's entry. */
  readonly entry?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Runs in the project before the session begins. */
  readonly prepare?: (project: { readonly repo: string; readonly env: Record<string, string> }) => void;
}

const quiet = [
  ...['-c', 'check_for_update_on_startup=false'],
  ...['-c', 'notice={model_migrations={"gpt-5.5"="gpt-6-sol"}}'],
];

export async function openLeadingCodex(spec: LeadingSpec): Promise<LeadingCodex> {
  const home = await makeCodexHome();
  const repo = home.repo('project');
  const env: Record<string, string> = { ...home.env, CREWMUX_COMMAND: home.claude, ...spec.env };
  appendFileSync(join(env.CODEX_HOME ?? '', 'config.toml'), serverEntry(env, spec.entry));
  spec.prepare?.({ repo, env });
  const flags = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const { tmux } = home.sandbox;
  const begin = () =>
    tmux(
      ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '200', '-y', '50', '-c', repo, ...flags, '--'],
      ...[agentBinary('codex'), '--no-daemon', ...quiet, ...(spec.flags ?? [])],
    );
  const pane = await begunWhole(tmux, begin);
  const screen = () => tmux('capture-pane', '-p', '-t', pane);
  const idle = () => /GPT-5\.5 default/.test(screen()) && !/esc to interrupt/.test(screen());
  const say = (prompt: string) => {
    tmux('set-buffer', '-b', 'said', '--', prompt);
    tmux('paste-buffer', '-p', '-r', '-d', '-b', 'said', '-t', pane, ';', 'send-keys', '-t', pane, 'Enter');
  };
  await eventually('the manager is at its prompt', idle);
  return {
    home,
    repo,
    say,
    keys: (...keys) => void tmux('send-keys', '-t', pane, ...keys),
    screen,
    async call(tool, args, ceilingMs = 120_000) {
      const before = home.model.requests.length;
      say(`TOOL ${tool} ${JSON.stringify(args)}`);
      const isAnswer = (one: ModelRequest) => one.cwd === repo && one.results.length > 0;
      const answered = await eventually(
        `the answer of ${tool}`,
        () => home.model.requests.slice(before).find(isAnswer),
        ceilingMs,
      );
      await eventually('the manager is idle', idle);
      return answered;
    },
    dispose: () => home.dispose(),
  };
}

/** What `crewmux init --codex` writes, for this checkout, with every call allowed. */
function serverEntry(env: Readonly<Record<string, string>>, more = ''): string {
  const command = [process.execPath, join(process.cwd(), 'dist/crewmux.mjs')];
  const entry = codexEntry({ command, variables: Object.keys(workerEnvironment(env)) });
  // The first turn waits for a server only when it is required.
  return `\n${entry}required = true\n${more}\n`;
}
