// The doctor in a house where much is well, and in one where everything is not.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { processStart } from '../../src/system/process.ts';
import { doctor } from '../../src/tools/doctor.ts';
import { eventually } from '../support/sandbox.ts';
import { bundle, openStand, type Server, type Stand } from './crew.ts';
import { sandboxPrograms } from './sandbox-programs.ts';

const answer = z.object({
  status: z.string(),
  findings: z.array(
    z.object({ check: z.string(), status: z.string(), detail: z.string(), fix: z.string().optional() }),
  ),
});
type Answer = z.infer<typeof answer>;
const outcome = z.looseObject({ code: z.number().default(0), stdout: z.string(), stderr: z.string() });

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve(sandboxPrograms(stand));
});
afterAll(() => stand.dispose());

const secret = 'sk-very-secret-0123456789';
async function word(env: Readonly<Record<string, string>>, ...args: string[]) {
  const all = { ...stand.sandbox.env, ANTHROPIC_API_KEY: secret, CREWMUX_PROJECT_DIR: stand.repo, ...env };
  const ran = promisify(execFile)(process.execPath, [bundle, 'doctor', ...args], { env: all, cwd: stand.repo });
  const { code, stdout, stderr } = outcome.parse(await ran.catch((failure: unknown) => failure));
  return { code, stdout, stderr };
}
const json = async (env: Readonly<Record<string, string>>): Promise<Answer & { code: number }> => {
  const { code, stdout } = await word(env, '--json');
  expect(stdout).not.toContain(secret);
  return { ...answer.parse(JSON.parse(stdout)), code };
};
const about = ({ findings }: Answer, check: string) => findings.filter((found) => found.check === check);

/** A program that prints what it is asked, and one that says nothing for ever. */
function program(name: string, script: string): string {
  const path = join(stand.sandbox.dir('bin'), name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('in a house that is in order', () => {
  it('the tool and the word say the same, and the word ends well', async () => {
    const claude = program('claude', `echo "${claudeAgent.tested?.testedTo} (Claude Code)"`);
    const codex = program('codex', `echo "codex-cli ${codexAgent.tested?.testedFrom}"`);
    const settings = { projects: { [stand.repo]: { hasTrustDialogAccepted: true } } };
    writeFileSync(join(stand.sandbox.dir('home/.claude'), '.claude.json'), JSON.stringify(settings));
    const trusted = `[projects."${stand.repo}"]\ntrust_level = "trusted"\n`;
    writeFileSync(join(stand.sandbox.dir('home/.codex'), 'config.toml'), trusted);
    chmodSync(stand.sandbox.dir('crewmux'), 0o700);
    const told = await json({ CREWMUX_COMMAND: claude, CREWMUX_CODEX_COMMAND: codex, ...sandboxPrograms(stand) });
    expect(told.findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(told).toMatchObject({ status: 'ok', code: 0 });
    expect(about(told, 'trust').map(({ detail }) => detail)).toEqual([
      `claude trusts ${stand.repo}`,
      `codex trusts ${stand.repo}`,
    ]);
    expect(about(told, 'agent_claude')).toMatchObject([
      { detail: `${claudeAgent.tested?.testedTo} at ${claude}, tested` },
    ]);
    const shown = await server.call(
      'doctor',
      z.looseObject({ findings: z.array(z.looseObject({ check: z.string() })) }),
    );
    expect(shown.findings.map(({ check }) => check)).toEqual(told.findings.map(({ check }) => check));
    expect(doctor.hints.readOnly).toBe(true);
  });

  it('a person reads a line for each matter', async () => {
    const { stdout, code } = await word({ CREWMUX_COMMAND: program('claude', 'echo 2.1.329') });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ ok {3}tmux: tmux \d/m);
    expect(stdout).toMatch(/\n0 problems, \d+ warnings?\n$/);
    expect(await word({}, '--all')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Usage') });
  });
});

describe('the program that opens pull requests', () => {
  const gh = async (script: string) => {
    program('gh', script);
    const path = `${stand.sandbox.dir('bin')}:${stand.sandbox.env.PATH}`;
    return about(await json({ PATH: path }), 'gh');
  };

  it('is named, and a house without it is in order', async () => {
    expect(await gh('echo "gh version 2.62.0 (2024-11-14)"')).toEqual([
      { check: 'gh', status: 'ok', detail: 'gh 2.62.0' },
    ]);
    expect(await gh('exit 127')).toMatchObject([{ status: 'ok', detail: expect.stringContaining('opens nothing') }]);
  });
});

describe('in a house that is not', () => {
  it('each matter is named with what to do, whatever hangs, and nothing is touched', async () => {
    const worker = await server.one({ use_worktree: false, prompt: 'SAY hi' });
    await server.until(worker.session_id, 'idle');
    process.kill(server.connection.pid, 'SIGKILL');
    breakThings(stand);
    const before = readdirSync(stand.sandbox.dir('crewmux'), { recursive: true }).sort();
    const found = await json({
      CREWMUX_COMMAND: program('claude', 'echo "99.0.0 (Claude Code)"'),
      CREWMUX_CODEX_COMMAND: program('codex', `sleep 3600 & echo $$ $! > ${join(stand.sandbox.root, 'hanging')}; wait`),
      CREWMUX_LOG_LEVEL: 'loud',
    });
    expect(found).toMatchObject({ status: 'warn', code: 0 });
    expect(about(found, 'trust').map(({ detail }) => detail.split(' ')[0])).toEqual(['claude', 'codex']);
    const wrong = found.findings.filter(({ status }) => status !== 'ok');
    expect(wrong.every(({ fix }) => fix !== undefined)).toBe(true);
    expect(Object.fromEntries(wrong.map(({ check, detail }) => [check, detail]))).toEqual({
      sandbox: expect.stringMatching(/codex: .*no answer within/),
      agent_claude: expect.stringContaining('99.0.0'),
      agent_codex: expect.stringContaining('says nothing within 4 s'),
      trust: expect.stringContaining('has not been told to trust'),
      settings: expect.stringContaining('CREWMUX_LOG_LEVEL'),
      worktrees: expect.stringContaining('1 folder'),
      state_home: expect.stringContaining('mode 0755'),
      managers: expect.stringContaining(worker.name),
      locks: expect.stringContaining('left-behind'),
      worker_sandboxes: expect.stringContaining('in a checkout that it shares'),
    });
    expect(readdirSync(stand.sandbox.dir('crewmux'), { recursive: true }).sort()).toEqual(before);
    const pids = readFileSync(join(stand.sandbox.root, 'hanging'), 'utf8').trim().split(' ').map(Number);
    expect(pids).toHaveLength(2);
    await eventually('what hung was ended', async () =>
      (await Promise.all(pids.map(processStart))).every((one) => !one),
    );
  });

  it('a default agent that is not there fails, and the exit code says so', async () => {
    const found = await json({ CREWMUX_COMMAND: 'no-such-agent' });
    expect(found).toMatchObject({ status: 'fail', code: 1 });
    expect(about(found, 'agent_claude')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('no-such-agent') },
    ]);
  });

  it('the tool answers where no tmux and no git are, while other tools say that tmux is missing', async () => {
    const { connection } = await stand.serve({ PATH: stand.sandbox.dir('empty') });
    const found = answer.parse(await connection.call('doctor'));
    expect(found.status).toBe('fail');
    for (const check of ['tmux', 'git']) {
      expect(about(found, check)).toMatchObject([{ status: 'fail', fix: expect.stringContaining('nstall') }]);
    }
    await expect(connection.call('list_workers')).rejects.toThrow('tmux does not run here');
  });

  it('no tmux and no git fail, and the rest is looked at all the same', async () => {
    const found = await json({ PATH: stand.sandbox.dir('empty') });
    expect(about(found, 'tmux')).toMatchObject([{ status: 'fail' }]);
    expect(about(found, 'git')).toMatchObject([{ status: 'fail' }]);
    expect(about(found, 'disk').length).toBeGreaterThan(0);
  });
});

function breakThings({ sandbox, repo }: Stand): void {
  const home = sandbox.dir('crewmux');
  chmodSync(home, 0o755);
  writeFileSync(join(sandbox.dir('home/.claude'), '.claude.json'), '{"projects": {}}');
  writeFileSync(join(sandbox.dir('home/.codex'), 'config.toml'), 'model = "m"\n');
  const holder = { v: 1, pid: 4_194_303, processStart: '1', nonce: 'n' };
  symlinkSync(JSON.stringify(holder), join(home, 'locks', 'left-behind'));
  mkdirSync(join(repo, '.worktrees/lost'), { recursive: true });
  writeFileSync(join(repo, '.worktrees/lost/.git'), `gitdir: ${repo}/.git/worktrees/lost\n`);
}

it('a person removes what has had its time, while a server runs', async () => {
  const home = stand.sandbox.dir('crewmux');
  const forgotten = join(home, 'workers', 'deadbeef');
  mkdirSync(forgotten, { recursive: true });
  writeFileSync(join(forgotten, 'outbox.jsonl'), 'x'.repeat(100_000));
  for (const path of [join(forgotten, 'outbox.jsonl'), forgotten]) utimesSync(path, 0, 0);
  expect((await word({}, '--clean')).stdout).toBe(`Removed 1 item from ${home}: 0.1 MiB.\n`);
  expect((await word({}, '--clean')).stdout).toBe(`Nothing in ${home} has had its time.\n`);
  expect(existsSync(forgotten)).toBe(false);
});
