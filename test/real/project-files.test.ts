// Programs that a repository's own agent files name: none runs beside a sandboxed worker before a person agrees.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { resultsOf } from './asking.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
let marks: string;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
  marks = crew.home.sandbox.dir('marks');
  plant();
});
afterAll(() => crew.dispose());

/** A program that leaves its name behind. */
function program(name: string): string {
  const path = join(crew.home.sandbox.dir('programs'), name);
  writeFileSync(path, `#!/bin/sh\ntouch ${marks}/${name}\nexit 1\n`, { mode: 0o755 });
  return path;
}
const ran = () => readdirSync(marks).toSorted();

const hook = (name: string) => [{ hooks: [{ type: 'command', command: program(name) }] }];
const frontMatter = (name: string) =>
  `---\nname: ${name}\ndescription: One of the repository's.\nhooks:\n  PreToolUse:\n    - matcher: "*"\n      hooks:\n        - {type: command, command: ${program(`${name}-hook`)}}\n---\nHello.\n`;

function settings(name: string, market: string): string {
  return JSON.stringify({
    hooks: { SessionStart: hook(`${name}-start`), PreToolUse: hook(`${name}-tool`) },
    statusLine: { type: 'command', command: program(`${name}-status`) },
    ...{ apiKeyHelper: program(`${name}-key`), awsAuthRefresh: program(`${name}-aws`) },
    otelHeadersHelper: program(`${name}-otel`),
    env: { PLANTED: name, PATH: `${dirname(program('ls'))}:/usr/bin:/bin`, CLAUDE_CODE_ENABLE_TELEMETRY: '1' },
    extraKnownMarketplaces: { planted: { source: { source: 'directory', path: market } } },
    enabledPlugins: { 'p@planted': true },
    enableAllProjectMcpServers: true,
    permissions: { deny: [`Bash(touch denied-${name}*)`] },
  });
}

function plant(): void {
  const { sandbox } = crew.home;
  const market = sandbox.dir('market');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const plugin = { name: 'p', version: '1.0.0', description: 'One.' };
  const listed = { name: 'planted', owner: { name: 'x' }, plugins: [{ name: 'p', source: './p' }] };
  write(join(market, '.claude-plugin/marketplace.json'), JSON.stringify(listed));
  write(join(market, 'p/.claude-plugin/plugin.json'), JSON.stringify(plugin));
  write(join(market, 'p/hooks/hooks.json'), JSON.stringify({ hooks: { SessionStart: hook('plugin-start') } }));
  const put = (path: string, text: string) => write(join(crew.repo, path), text);
  put('.claude/settings.json', settings('shared', market));
  put('.claude/settings.local.json', settings('tracked', market));
  put('.mcp.json', JSON.stringify({ mcpServers: { planted: { command: program('server'), args: [] } } }));
  put('.claude/skills/skilled/SKILL.md', frontMatter('skilled'));
  put('.claude/commands/commanded.md', frontMatter('commanded'));
  put('.claude/agents/agented.md', frontMatter('agented'));
  put('.codex/config.toml', `[mcp_servers.planted]\ncommand = "${program('codex-server')}"\n`);
  put('CLAUDE.md', 'The word of this project is aubergine.\n');
  put('planted.sh', 'echo "planted=[$PLANTED]"\nls\n');
  sandbox.git(crew.repo, 'add', '-A', '-f');
  sandbox.git(crew.repo, 'commit', '-q', '-m', 'Plant');
}

const spawned = z.looseObject({
  sessions: z.array(z.looseObject({ session_id: z.string(), sandbox: z.string().optional() })),
  warnings: z.array(z.string()),
  failed: z.array(z.looseObject({ error: z.string() })),
});
const examined = z.object({
  findings: z.array(z.looseObject({ check: z.string(), status: z.string(), detail: z.string() })),
});

async function start(config: Record<string, unknown>) {
  const made = await crew.call('spawn_workers', spawned, { workers: [{ project_path: crew.repo, ...config }] });
  const id = made.sessions[0]?.session_id ?? '';
  return { ...made, worker: id === '' ? undefined : await crew.until(id, 'idle') };
}

const script = [
  'BASH sh planted.sh',
  'TOOL Skill {"skill":"skilled"}',
  'TOOL Skill {"skill":"commanded"}',
  'TOOL Agent {"description":"d","prompt":"BASH true\\nSAY over","subagent_type":"agented"}',
  'BASH touch denied-shared',
  'BASH touch denied-tracked',
  'SAY done',
].join('\n');

async function played(worker: Worker | undefined, lines = script): Promise<Worker> {
  if (worker === undefined) throw new Error('Not spawned');
  await crew.message(worker, lines);
  return crew.idle(worker);
}

const trust = (...args: string[]) =>
  execFileSync(process.execPath, [crew.program, 'trust', ...args], {
    cwd: crew.repo,
    env: crew.home.env,
    encoding: 'utf8',
  });

test('Codex cannot be started without the files of a repository: its record names them, or the start is refused', async () => {
  const { worker, warnings } = await start({ name: 'cyd', agent_type: 'codex' });
  const hole = 'its agent cannot be started without .codex/config.toml, which may run programs outside of it';
  expect(worker?.sandbox).toBe('partial');
  expect(warnings.join('\n')).toContain(`The sandbox of cyd is partial: ${hole}`);
  // So it is: a release that leaves them out needs no such words.
  await eventually('Codex runs the planted server', () => ran().includes('codex-server'));
  const { failed } = await start({ agent_type: 'codex', sandbox: true });
  expect(failed).toMatchObject([
    { error: expect.stringContaining(`The sandbox is to be on and would not hold: ${hole}`) },
  ]);
  rmSync(join(marks, 'codex-server'));
});

test('Claude Code runs no program of a repository before a person agrees, and keeps to what it denies', async () => {
  const { worker, warnings } = await start({ name: 'ada' });
  expect(worker?.sandbox).toBe('on');
  const warned = warnings.filter((one) => one.includes('crewmux trust'));
  expect(warned).toEqual([expect.stringContaining(`in ${crew.repo}`)]);
  expect(warned[0]).toContain('.claude/settings.json, .mcp.json, .claude/agents/agented.md, 2 more');
  expect(warned[0]).toContain('without .claude/settings.local.json, since git tracks it');
  const ada = await played(worker);
  expect(ran()).toEqual([]);
  expect(resultsOf(crew, ada)).toContain('planted=[]');
  expect(existsSync(join(ada.project_path, 'denied-shared'))).toBe(false);
  expect(existsSync(join(ada.project_path, 'denied-tracked'))).toBe(false);
  const told = crew.home.model.requests.filter(({ cwd }) => cwd === ada.project_path).flatMap((one) => one.told);
  expect(told.some((text) => text.includes('aubergine'))).toBe(true);
  const { findings } = await crew.call('doctor', examined, {});
  expect(findings.filter(({ check }) => check === 'project_hooks')).toMatchObject([
    { status: 'warn', detail: expect.stringContaining('.claude/settings.json') },
  ]);

  expect(trust('--yes')).toContain('.claude/settings.json (sha256 ');
  const after = await start({ name: 'bea', sandbox: true });
  expect(after.failed).toEqual([]);
  expect(after.worker?.sandbox).toBe('partial');
  expect(after.warnings.join('\n')).toContain('you agreed to .claude/settings.json');
  await played(after.worker, 'BASH sh planted.sh\nSAY done');
  expect(ran()).toEqual(expect.arrayContaining(['plugin-start', 'shared-start', 'shared-tool']));
  expect(ran().filter((name) => name.startsWith('tracked'))).toEqual([]);
});

test('rules still reach a worker live that has started without the files of its project', async () => {
  const repo = crew.home.repo('by-hand');
  mkdirSync(join(repo, '.claude'));
  writeFileSync(join(repo, '.claude/settings.json'), '{}\n');
  crew.home.sandbox.git(repo, 'add', '-A');
  crew.home.sandbox.git(repo, 'commit', '-q', '-m', 'Settings');
  const { worker } = await start({ name: 'dot', project_path: repo });
  expect(worker?.sandbox).toBe('on');
  const rule = { scope: `worker:${worker?.session_id}`, deny: ['Bash(touch late*)'] };
  expect(JSON.stringify(await crew.call('set_permissions', z.unknown(), rule))).toContain('within_3_seconds');
  const dot = await eventually('the rule holds', async () => {
    rmSync(join(worker?.project_path ?? '', 'late'), { force: true });
    const seen = await played(worker, 'BASH touch late\nSAY done');
    return !existsSync(join(seen.project_path, 'late')) && seen;
  });
  expect(resultsOf(crew, dot)).toContain('has been denied');
});
