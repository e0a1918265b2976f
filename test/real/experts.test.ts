// A question to the real agents without a pane: they read, answer, write nothing, and leave nothing.
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CrewError } from '../../src/model/errors.ts';
import { builtInRoles } from '../../src/settings/roles/built-in.ts';
import { processesMarked } from '../../src/system/marked.ts';
import { expertOutput } from '../../src/wire/experts.ts';
import { type Connection, connect, type Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import type { ClaudeHome } from './claude-home.ts';
import { makeCodexHome } from './codex-home.ts';

let home: ClaudeHome;
let repo: string;
let server: Connection;
const at = (name: string) => join(home.sandbox.root, name);
const touch = (name: string) => ['-c', `touch ${at(name)}; cat`];

beforeAll(async () => {
  home = await makeCodexHome();
  repo = home.repo('project');
  // Servers of the user and of the project, in the words of each agent, and a hook of the project.
  const toml = (name: string) =>
    `\n[mcp_servers.${name}]\ncommand = "/bin/sh"\nargs = ${JSON.stringify(touch(name))}\n`;
  appendFileSync(join(home.env.CODEX_HOME ?? '', 'config.toml'), toml('codex-users'));
  for (const name of ['.codex', '.claude']) mkdirSync(join(repo, name));
  writeFileSync(join(repo, '.codex/config.toml'), toml('codex-projects'));
  // No look at the command line tells what it does.
  writeFileSync(join(repo, 'write.sh'), 'for f in by-shell ../beside .git/by-git; do echo no >$f; done\n');
  const mcpServers = { theirs: { command: '/bin/sh', args: touch('claude-projects') } };
  writeFileSync(join(repo, '.mcp.json'), JSON.stringify({ mcpServers }));
  const SessionStart = [{ hooks: [{ type: 'command', command: `touch ${at('claude-hook')}` }] }];
  writeFileSync(
    join(repo, '.claude/settings.json'),
    JSON.stringify({ hooks: { SessionStart }, permissions: { allow: ['Bash(*)', 'Write'] } }),
  );
  server = await connect({
    command: process.execPath,
    args: ['dist/crewmux.mjs'],
    cwd: process.cwd(),
    env: { ...home.env, CREWMUX_COMMAND: home.claude, CREWMUX_PROJECT_DIR: repo },
  });
});
afterAll(async () => {
  await server.close();
  await home.dispose();
});

const ask = async (args: Fields) => expertOutput.parse(await server.call('ask_expert', args));
const pids = async () => (await processesMarked({ name: 'HOME', value: home.sandbox.home })).map(({ pid }) => pid);
const textOf = (name: string) => builtInRoles.find((role) => role.name === name)?.text ?? 'no such role';
/** The names under which the model's tools would have left something behind. */
const written = ['project/by-shell', 'project/by-tool.txt', 'beside', 'project/.git/by-git'];
const started = ['codex-users', 'codex-projects', 'claude-projects', 'claude-hook'];
const script = () =>
  [
    ...['What is in README.md?', 'SAY I look.', 'BASH cat README.md; echo "$CREWMUX_WORKER"'],
    'BASH sh write.sh',
    'BASH git commit --allow-empty -m no',
  ].join('\n');
const writing = { claude: 'WRITE by-tool.txt no', codex: 'PATCH by-tool.txt no' } as const;

describe.each(['claude', 'codex'] as const)('%s', (agent_type) => {
  test('answers from the project, and can write nothing in it', async () => {
    const before = home.sandbox.git(repo, 'rev-parse', 'HEAD');
    const question = `${script()}\n${writing[agent_type]}\nSAY It says project.`;
    const first = await ask({ question, agent_type, role: 'reviewer', timeout: 120 });
    expect(first).toMatchObject({ answer: 'It says project.', usage: { input_tokens: expect.any(Number) } });
    const { results = [], told = [] } = home.model.requests.findLast(({ kind }) => kind === 'turn') ?? {};
    expect(results[0]).toMatch(/# project\s+expert-[0-9a-f]{8}/);
    expect(results[1]).toContain('Read-only file system');
    expect(results[2]).toMatch(/denied|Read-only file system/);
    expect(results).toHaveLength(4);
    expect(told.join('\n')).toContain(textOf('reviewer'));
    expect([...written, ...started].filter((name) => existsSync(at(name)))).toEqual([]);
    expect(home.sandbox.git(repo, 'rev-parse', 'HEAD')).toBe(before);

    const later = await ask({ question: 'And now?\nSAY As before.', agent_type, resume: first.agent_session_id });
    expect(later).toMatchObject({ answer: 'As before.', agent_session_id: first.agent_session_id });
    expect(later.usage?.input_tokens).toBe(100);
    expect(home.model.requests.at(-1)?.texts.join('\n')).toContain('What is in README.md?');
  });

  test('at the timeout ends with the command that it runs, and has said what it had said', async () => {
    const question = 'Look long.\nSAY I look long.\nBASH echo "$CREWMUX_WORKER" >&2; sleep 500\nSAY never';
    const before = await pids();
    const started = async () => (await pids()).filter((pid) => !before.includes(pid));
    const call = ask({ question, agent_type, timeout: 8 }).then(
      () => undefined,
      (thrown: unknown) => (thrown instanceof CrewError ? thrown : undefined),
    );
    await home.model.waitFor('it looks', ({ prompt }) => prompt.startsWith('Look long.'));
    await eventually('its agent runs with a command', async () => (await started()).length > 2);
    const error = await call;
    expect(await started()).toEqual([]);
    expect(error?.code).toBe('timed_out');
    expect(error?.message).toContain('I look long.');
    expect(String(error?.hint)).toContain('"resume":');
  });
});
