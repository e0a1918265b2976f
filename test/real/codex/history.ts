// What a Codex worker has said and used, through restarts, forks and conversations that crewmux never saw before.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { spawnOutput } from '../../../src/wire/starting.ts';
import { crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const logPage = z.object({
  messages: z.array(z.object({ index: z.number(), role: z.string(), content: z.string() })),
  page_info: z.looseObject({ total_messages: z.number(), note: z.string().optional() }),
});
const examined = z.looseObject({
  conversation_stats: z.object({
    total_messages: z.number(),
    user_messages: z.number(),
    assistant_messages: z.number(),
    last_user_prompt: z.string().nullable(),
    last_assistant_preview: z.string().nullable(),
  }),
  usage: z.strictObject({
    input_tokens: z.number(),
    output_tokens: z.number(),
    cache_tokens: z.number(),
    context_left: z.number().optional(),
    cost: z.object({ usd: z.number(), source: z.literal('estimate') }).optional(),
  }),
});

const codex = async (prompt: string, more: object = {}): Promise<Worker> => {
  const worker = await crew.one({ agent_type: 'codex', prompt, ...more });
  return crew.idle(worker);
};
const examine = ({ session_id }: Worker) => crew.call('examine_worker', examined, { session_id });
const logs = ({ session_id }: Worker) => crew.call('read_worker_logs', logPage, { session_id, pages: 3 });
const said = async (of: Worker) =>
  (await logs(of)).messages.sort((a, b) => a.index - b.index).map((message) => message.content);
const asked = (of: Worker, words: string) =>
  crew.home.model.waitFor(words, (r) => r.cwd === of.project_path && r.prompt.includes(words));

describe.concurrent('a Codex worker', () => {
  test('closed before anybody asked it anything comes back in its worktree and takes its first message', async () => {
    const worker = await crew.one({ agent_type: 'codex' });
    await crew.until(worker.session_id, 'idle');
    await crew.close(worker);
    const again = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again).toMatchObject({ failed: [], sessions: [{ worktree_path: worker.worktree_path }] });
    await crew.until(worker.session_id, 'idle');
    expect(await crew.message(worker, 'SAY never too late', { wait_mode: 'all' })).toMatchObject({ success: true });
    expect((await asked(worker, 'never too late')).cwd).toBe(worker.project_path);
  });

  test('tells what it was asked, answered and used, its cost by an estimate; the same after its death, and goes on counting', async () => {
    const worker = await codex('USAGE 1000 400\nSAY first');
    await crew.message(worker, 'USAGE 2500 900\nSAY second', { wait_mode: 'all' });
    const before = await examine(worker);
    expect(before).toMatchObject({
      conversation_stats: {
        total_messages: 4,
        user_messages: 2,
        assistant_messages: 2,
        last_user_prompt: 'USAGE 2500 900\nSAY second',
        last_assistant_preview: 'second',
      },
      usage: { input_tokens: 2200, cache_tokens: 1300, output_tokens: 26 },
    });
    expect(before.usage.context_left).toBeCloseTo(1 - 2500 / 258_400, 2);
    const pane = worker.terminal_id?.slice(5) ?? '';
    process.kill(Number(crew.home.sandbox.tmux('display-message', '-p', '-t', pane, '#{pane_pid}')), 'SIGKILL');
    await crew.until(worker.session_id, 'dead');
    expect((await examine(worker)).usage).toEqual(before.usage);
    const again = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again.failed).toEqual([]);
    await crew.until(worker.session_id, 'idle');
    expect((await examine(worker)).usage).toEqual(before.usage);
    const more = await crew.message(worker, 'USAGE 500 0\nSAY more', { wait_mode: 'all' });
    expect(more).toMatchObject({ verdict: 'submitted' });
    expect((await asked(worker, 'SAY more')).texts).toContain('USAGE 1000 400\nSAY first');
    expect((await examine(worker)).usage).toMatchObject({ input_tokens: 2700, cache_tokens: 1300 });
    expect((await said(worker)).slice(-4)).toEqual([
      'USAGE 2500 900\nSAY second',
      'second',
      'USAGE 500 0\nSAY more',
      'more',
    ]);
  });

  test('that is a fork counts its own, and says where the past stands', async () => {
    const worker = await codex('USAGE 1000 0\nSAY the past');
    const { transcript_path } = await crew.look(worker.session_id);
    const git = (at: Worker, ...args: string[]) => execFileSync('git', ['-C', at.project_path, ...args]).toString();
    git(worker, 'commit', '-q', '--allow-empty', '-m', 'Of the past');
    const fork = await codex('USAGE 300 0\nSAY the fork', { resume: worker.name, fork: true });
    expect(git(fork, 'rev-parse', 'HEAD')).toBe(git(worker, 'rev-parse', 'HEAD'));
    expect(await said(fork)).toEqual(['USAGE 300 0\nSAY the fork', 'the fork']);
    expect((await asked(fork, 'SAY the fork')).texts).toContain('USAGE 1000 0\nSAY the past');
    expect((await crew.look(fork.session_id)).transcript_path).not.toBe(transcript_path);
    expect((await logs(fork)).page_info.note).toContain(transcript_path);
    expect((await examine(fork)).usage).toMatchObject({ input_tokens: 300 });
    expect((await logs(worker)).page_info.note).toBeUndefined();
  });

  test('whose conversation is compacted goes on in the same one', async () => {
    const worker = await codex('SAY before');
    const { agent_session_id } = await crew.look(worker.session_id);
    expect(await crew.message(worker, '/compact', { as_command: true })).toMatchObject({ verdict: 'submitted' });
    await crew.idle(worker);
    await crew.message(worker, 'SAY after', { wait_mode: 'all' });
    expect(await said(worker)).toEqual(['SAY before', 'before', 'SAY after', 'after']);
    expect(await crew.look(worker.session_id)).toMatchObject({ agent_session_id });
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that begins another conversation by command is followed there, and returns to that one', async () => {
    const worker = await codex('SAY before');
    const { agent_session_id } = await crew.look(worker.session_id);
    expect(await crew.message(worker, '/clear', { as_command: true })).toMatchObject({ verdict: 'submitted' });
    await crew.message(worker, 'SAY after', { wait_mode: 'all' });
    const now = await crew.look(worker.session_id);
    expect(now.agent_session_id).not.toBe(agent_session_id);
    expect(await said(worker)).toEqual(['SAY after', 'after']);
    await crew.close(worker);
    await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    await crew.until(worker.session_id, 'idle');
    expect(await crew.look(worker.session_id)).toMatchObject({ agent_session_id: now.agent_session_id });
    expect(await said(worker)).toEqual(['SAY after', 'after']);
  });

  test('whose user runs a command of the shell works meanwhile, and counts no message', async () => {
    const worker = await codex('SAY before');
    expect(
      await crew.message(worker, '!until [ -e go ]; do sleep 0.1; done; echo by hand', { as_command: true }),
    ).toMatchObject({
      verdict: 'submitted',
    });
    await crew.until(worker.session_id, 'working');
    writeFileSync(join(worker.project_path, 'go'), '');
    await crew.until(worker.session_id, 'idle');
    expect((await examine(worker)).conversation_stats).toMatchObject({ user_messages: 1 });
  });
});
