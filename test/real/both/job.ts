// The main job done by Codex, alone and beside Claude Code, with commits from the sandbox of each worktree.
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { spawnOutput } from '../../../src/wire/starting.ts';
import { answer, needSuch } from '../asking.ts';
import { crew } from '../company.ts';

const closed = z.object({
  results: z.record(z.string(), z.object({ success: z.boolean(), worktree: z.string(), branch: z.string() })),
});

const commitOf = (name: string) => `BASH git add ${name}.txt && git commit -q -m "Add ${name}"`;
const codexTask = (name: string) =>
  [`Write ${name}.txt.`, `PATCH ${name}.txt|by ${name}`, commitOf(name), `SAY ${name} is done`].join('\n');
const claudeTask = (name: string) =>
  [`Write ${name}.txt.`, `WRITE ${name}.txt by ${name}`, commitOf(name), `SAY ${name} is done`].join('\n');

test.concurrent('a mixed crew writes, commits, answers and goes on; the repository gains a branch of each and nothing else', async () => {
  const { home } = crew;
  const repo = home.repo(home.spareName());
  const git = (...args: string[]) => home.sandbox.git(repo, ...args);
  const before = git('rev-parse', 'HEAD');
  const files = readdirSync(repo);
  const made = await crew.spawn(
    { project_path: repo, agent_type: 'codex', prompt: codexTask('A'), annotation: 'task A' },
    { project_path: repo, agent_type: 'claude', prompt: claudeTask('B'), annotation: 'task B', skip_permissions: true },
    { project_path: repo, agent_type: 'codex', prompt: codexTask('C'), skip_permissions: true },
  );
  expect(made.failed).toEqual([]);
  expect(await crew.wait(made.sessions.map((w) => w.session_id))).toMatchObject({ all_idle: true, timed_out: false });
  for (const [i, name] of ['A', 'B', 'C'].entries()) {
    const worker = made.sessions[i];
    if (worker === undefined) throw new Error(`no worker for ${name}`);
    const said = await crew.conversation(worker);
    expect(said.at(-1)).toMatchObject({ role: 'assistant', content: `${name} is done` });
    expect(git('show', `${worker.branch}:${name}.txt`)).toBe(`by ${name}`);
    expect(git('log', '--format=%s', `${before}..${worker.branch}`)).toBe(`Add ${name}`);
    const again = await crew.message(worker, 'SAY and again', { wait_mode: 'all', timeout: 120 });
    expect(again).toMatchObject({ success: true, verdict: 'submitted', turn: { ended_by: 'completed' } });
    expect((await crew.conversation(worker)).slice(-2)).toMatchObject([
      { content: 'SAY and again' },
      { content: 'and again' },
    ]);
    expect(crew.falseIdles(worker)).toEqual([]);
  }
  expect(git('rev-parse', 'HEAD')).toBe(before);

  const [a] = made.sessions;
  await expect(
    crew.call('spawn_workers', spawnOutput, { workers: [{ project_path: repo, resume: a?.name }] }),
  ).resolves.toMatchObject({
    failed: [{ error: expect.stringContaining('is a codex worker') }],
  });
  const session_ids = made.sessions.map((w) => w.session_id);
  const pids = made.sessions.map((w) =>
    home.sandbox.tmux('display', '-p', '-t', w.terminal_id?.slice(5) ?? '', '#{pane_pid}'),
  );
  const { results } = await crew.call('close_workers', closed, { session_ids });
  expect(Object.values(results)).toEqual(
    made.sessions.map(({ branch }) => ({ success: true, worktree: 'removed', branch })),
  );
  for (const pid of pids) expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(git('rev-parse', 'HEAD')).toBe(before);
  expect(git('status', '--porcelain')).toBe('');
  expect(readdirSync(repo).filter((name) => name !== '.worktrees')).toEqual(files);
  const branches = git('for-each-ref', '--format=%(refname:short)').split('\n').sort();
  expect(branches).toEqual([...made.sessions.map(({ branch }) => branch), 'main'].sort());
});

test.concurrent('a worker in its sandbox commits from a worktree outside the folders that are open to all', async ({
  onTestFinished,
}) => {
  // The sandbox opens the temp folders to all, and this checkout may lie in one; the persistent one is not opened.
  const repo = realpathSync(mkdtempSync(join('/var/tmp', 'crewmux-test-')));
  onTestFinished(() => rmSync(repo, { recursive: true, force: true }));
  const git = (...args: string[]) => crew.home.sandbox.git(repo, ...args);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'Start');
  const outside = join(repo, 'outside.txt');
  const prompt = [`BASH touch ${outside}`, 'PATCH D.txt|by D', commitOf('D'), 'SAY D is done'].join('\n');
  const worker = await crew.one({ agent_type: 'codex', project_path: repo, prompt, permission_mode: 'dontAsk' });
  // Nobody has trusted this repository in Codex yet.
  await answer(crew, await needSuch(crew, worker, (need) => need.waiting_for === 'trust'));
  await crew.idle(worker);
  expect(git('log', '--format=%s', `main..${worker.branch}`)).toBe('Add D');
  expect(existsSync(outside)).toBe(false);
});
