// Messages, waits for the turns that follow from them, and how turns end.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { attention } from '../../src/wire/attention.ts';
import { list } from '../../src/wire/parts.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let asking: Worker;
let quick: Worker;
let slow: Worker;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  const bare = { use_worktree: false, skip_permissions: true };
  const manual = { use_worktree: false, permission_mode: 'manual' };
  const { sessions, failed } = await server.spawn(manual, bare, bare);
  const [first, second, third] = sessions;
  if (first === undefined || second === undefined || third === undefined) throw new Error(JSON.stringify(failed));
  [asking, quick, slow] = [first, second, third];
});
afterAll(() => stand.dispose());

describe('a message', () => {
  const prompts = () => server.prompts(asking);

  it('a message to an idle worker is submitted and its turn is waited for', async () => {
    const sent = await server.message(asking, 'SAY good day', { wait_mode: 'all', timeout: 60 });
    expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    expect(await server.lastWords(asking)).toBe('good day');
  });

  it.each([
    ['with all that shells, tmux and git might eat', `-x 'q' "d" $HOME $(id) #{pane_id} \`id\` é 漢 🚀 ;; \\n;`],
    ['of many lines', Array.from({ length: 40 }, (_, i) => `line ${i}\twith a tab`.replace('\t', '    ')).join('\n')],
    ['longer than a paste may be', 'word '.repeat(1_500).trim()],
    ['that ends in a backslash', 'a path\\'],
    ['that begins like a shell line', '!echo no'],
  ])('a message %s arrives as it was sent', async (_, text) => {
    const { verdict } = await server.message(asking, text, { wait_mode: 'all', timeout: 60 });
    expect({ verdict, text: (await prompts()).at(-1) }).toEqual({ verdict: 'submitted', text });
  });

  it('a message to a working worker is queued and arrives once, in the turn after', async () => {
    expect(await server.message(asking, 'HOLD first\nSAY first')).toMatchObject({ verdict: 'submitted' });
    await server.until(asking.session_id, 'working');
    expect(await server.message(asking, 'SAY second')).toMatchObject({ verdict: 'queued' });
    expect(await server.look(asking.session_id)).toMatchObject({ status: 'working' });
    stand.release('first');
    expect(await server.wait([asking])).toMatchObject({ all_idle: true });
    expect((await prompts()).filter((text) => text === 'SAY second')).toHaveLength(1);
    expect(await server.lastWords(asking)).toBe('second');
  });

  it('a message while a dialog is open is held, and the dialog stays as it was', async () => {
    await server.message(asking, 'WRITE held.txt text\nSAY written');
    await server.until(asking.session_id, 'waiting');
    await eventually('the dialog is drawn', () => stand.screen(asking).includes('❯ 1. Yes'));
    const before = stand.screen(asking);
    expect(await server.message(asking, 'SAY never typed')).toMatchObject({ verdict: 'held', success: false });
    expect(stand.screen(asking)).toBe(before);
    stand.keys(asking, 'Escape');
    await server.until(asking.session_id, 'idle');
    expect((await prompts()).filter((text) => text.includes('never typed'))).toEqual([]);
  });

  it("a message is held by a person's half-typed line, which stays as it was", async () => {
    stand.keys(asking, '-l', 'half a thought');
    await eventually('it stands in the box', () => stand.screen(asking).includes('❯\u00a0half a thought'));
    const sent = await server.message(asking, 'SAY never typed');
    expect(sent).toMatchObject({ verdict: 'held', success: false });
    expect(stand.screen(asking)).toContain('❯\u00a0half a thought');
    stand.keys(asking, 'C-c');
    await eventually('the box is empty', () => !stand.screen(asking).includes('half a thought'));
  });

  it('a text the agent would take for its own command is refused, and as_command runs it', async () => {
    expect(await server.message(asking, '/unheard-of')).toMatchObject({
      verdict: 'failed',
      hint: expect.stringContaining('as_command'),
    });
    expect(await server.message(asking, '/unheard-of', { as_command: true })).toMatchObject({ verdict: 'submitted' });
    await server.until(asking.session_id, 'idle');
    expect(stand.screen(asking)).toContain('Unknown command: /unheard-of');
  });

  it('an interrupt ends the turn in mid-stream, and the worker takes the next message', async () => {
    await server.message(asking, 'SLEEP 30');
    await eventually('it streams', () => stand.screen(asking).includes('tick tick'));
    expect(await server.interrupt(asking)).toBe('interrupted');
    expect(await server.until(asking.session_id, 'idle')).toMatchObject({ turn: { ended_by: 'interrupted' } });
    expect(await server.interrupt(asking)).toBe('nothing_running');
    const sent = await server.message(asking, 'SAY still here', { wait_mode: 'all', timeout: 60 });
    expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
  });

  it('an interrupt before the first word puts the prompt back into the box, and it is in nobody’s way', async () => {
    await server.message(asking, 'SLOW 600');
    await server.until(asking.session_id, 'working');
    expect(await server.interrupt(asking)).toBe('interrupted');
    await eventually('it is back', () => stand.screen(asking).includes('❯\u00a0SLOW 600'));
    await server.until(asking.session_id, 'idle');
    const sent = await server.message(asking, 'SAY after that', { wait_mode: 'all', timeout: 60 });
    expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    expect((await prompts()).at(-1)).toBe('SAY after that');
  });
});

describe('a wait', () => {
  const changes = z.object({
    events: z.array(
      z.object({
        seq: z.number(),
        type: z.string(),
        worker_id: z.string(),
        name: z.string(),
        data: z.looseObject({ evidence: z.looseObject({ at: z.iso.datetime() }).optional() }),
      }),
    ),
    summary: z.object({ completed: z.array(z.looseObject({ name: z.string() })), attention: list(attention) }),
    active_count: z.number(),
    idle_count: z.number(),
    cursor: z.string(),
  });

  it('any returns with the first, all with the last', async () => {
    await server.message(slow, 'HOLD slow\nSAY slow');
    await server.message(quick, 'SAY quick');
    expect(await server.wait([quick, slow], { mode: 'any' })).toMatchObject({
      idle_session_ids: [quick.session_id],
      waiting_on: [slow.session_id],
      all_idle: false,
      timed_out: false,
    });
    const all = server.wait([quick, slow]);
    stand.release('slow');
    expect(await all).toMatchObject({ all_idle: true, waiting_on: [] });
  });

  it('a wait that runs out says so, with whom it waited for', async () => {
    await server.message(slow, 'HOLD again\nSAY slow');
    const waited = await server.wait([slow], { timeout: 0.3 });
    expect(waited).toMatchObject({ timed_out: true, waiting_on: [slow.session_id], all_idle: false });
  });

  it('a wait that is cancelled ends, and the server goes on', async () => {
    const cancel = new AbortController();
    const args = { session_ids: [slow.session_id], timeout: 60 };
    const waiting = server.connection.call('wait_idle_workers', args, { signal: cancel.signal });
    cancel.abort('enough');
    await expect(waiting).rejects.toThrow();
    expect(await server.look(slow.session_id)).toMatchObject({ status: 'working' });
    stand.release('again');
    expect(await server.wait([slow])).toMatchObject({ all_idle: true });
  });

  it('a question ends a wait once under new, every time under any, and never under ignore', async () => {
    await server.message(quick, 'ASK Which colour?|Red|Blue\nSAY chosen');
    const first = await server.wait([quick]);
    expect(first).toMatchObject({ all_idle: false, timed_out: false });
    const asked = { session_id: quick.session_id, waiting_for: 'question', options: ['Red', 'Blue'] };
    expect(first.attention).toMatchObject([{ ...asked, detail: expect.stringMatching(/^Which colour\?\n- Red/) }]);
    expect(await server.wait([quick], { timeout: 0.3 })).toMatchObject({ timed_out: true });
    expect(await server.wait([quick], { on_attention: 'any' })).toMatchObject({ timed_out: false });
    expect(await server.wait([quick], { on_attention: 'ignore', timeout: 0.3 })).toMatchObject({ timed_out: true });
    stand.keys(quick, '2');
    expect(await server.wait([quick])).toMatchObject({ all_idle: true, attention: [] });
    expect(await server.lastWords(quick)).toBe('chosen');
  });

  it('a message to several reaches those that are known, and says so of the one that is not', async () => {
    const { name } = quick;
    const sent = z.object({
      success: z.boolean(),
      results: z.record(z.string(), z.looseObject({ verdict: z.string(), hint: z.string().optional() })),
    });
    const asked = { session_ids: [name, 'nobody'], message: 'SAY both' };
    const { success, results } = await server.call('message_workers', sent, {
      ...asked,
      wait_mode: 'all',
      timeout: 60,
    });
    expect(success).toBe(false);
    expect(results[name]?.verdict).toBe('submitted');
    expect(results.nobody).toMatchObject({ verdict: 'failed', hint: expect.stringContaining('list_workers') });
    expect(await server.lastWords(quick)).toBe('both');
    const none = server.call('message_workers', sent, { ...asked, session_ids: ['nobody'] });
    await expect(none).rejects.toThrow(/No worker is called "nobody"/);
  });

  it('changes since a cursor are told once', async () => {
    const before = await server.call('poll_worker_changes', changes);
    await server.message(quick, 'SAY news', { wait_mode: 'all', timeout: 60 });
    const news = await server.call('poll_worker_changes', changes, { cursor: before.cursor });
    expect(news.events.map(({ type }) => type)).toContain('turn_ended');
    expect(news.events.every(({ worker_id, name }) => worker_id === quick.session_id && name === quick.name)).toBe(
      true,
    );
    expect(news.events.some(({ data }) => data.evidence !== undefined)).toBe(true);
    const { session_id, name } = quick;
    const done = news.summary.completed.find((one) => one.name === name);
    expect(done).toMatchObject({ session_id, project: stand.repo, duration_seconds: expect.any(Number) });
    const none = await server.call('poll_worker_changes', changes, { cursor: news.cursor });
    expect(none.events).toEqual([]);
    expect(none).toMatchObject({ idle_count: 3, active_count: 0 });
  });

  it('one look shows who is idle, who needs somebody and how to help', async () => {
    await server.message(quick, 'PLAN do it\nSAY planned');
    await server.until(quick.session_id, 'waiting');
    const counts = z.record(z.string(), z.number());
    const status = z.looseObject({ counts, attention: list(attention), attach: z.string().nullable() });
    const seen = await server.call('crew_status', status);
    expect(seen.counts).toMatchObject({ idle: 2, waiting: 1 });
    const detail = expect.stringContaining('the plan stands in its pane and in its log');
    expect(seen.attention).toMatchObject([{ name: quick.name, waiting_for: 'plan_approval', detail }]);
    const log = JSON.stringify(await server.connection.call('read_worker_logs', { session_id: quick.session_id }));
    expect(log).toMatch(/ExitPlanMode[^}]*do it/);
    expect(seen.attach).toContain('tmux');
    stand.keys(quick, 'Enter');
    await server.until(quick.session_id, 'idle');
    expect(await server.lastWords(quick)).toBe('planned');
  });
});

// The last of them ends its worker.
describe('the end of a turn', () => {
  it('a worker whose background shell runs is not idle, and is once the news of its end is read', async () => {
    const command = 'until [ -e go ]; do sleep 0.05; done';
    await server.message(slow, `TOOL Bash ${JSON.stringify({ command, run_in_background: true })}\nSAY started`);
    await eventually('it has said so', async () => (await server.lastWords(slow)) === 'started');
    const early = await server.wait([slow], { timeout: 1 });
    expect(early).toMatchObject({ timed_out: true });
    writeFileSync(join(slow.project_path, 'go'), '');
    expect(await server.wait([slow])).toMatchObject({ all_idle: true });
    expect(await server.lastWords(slow)).toMatch(/^Noted: Background command/);
  });

  it('a worker whose subagent runs is not idle, and is once its result is read', async () => {
    await server.message(slow, 'AGENT HOLD agent\nSAY started');
    expect(await server.wait([slow], { timeout: 1 })).toMatchObject({ timed_out: true });
    stand.release('agent');
    expect(await server.wait([slow])).toMatchObject({ all_idle: true });
    expect(await server.lastWords(slow)).toMatch(/^Noted: Agent/);
  });

  it('an API error ends the turn as an error, in its words', async () => {
    await server.message(slow, 'FAIL 400');
    expect(await server.wait([slow])).toMatchObject({ all_idle: true });
    const seen = await server.look(slow.session_id);
    expect(seen).toMatchObject({ turn: { ended_by: 'error' }, last_error: 'API Error: 400 scripted 400' });
  });

  it('an error that is tried again does not end the turn', async () => {
    const sent = await server.message(slow, 'FAIL 529 2\nSAY in the end', { wait_mode: 'all', timeout: 60 });
    expect(sent).toMatchObject({ turn: { ended_by: 'completed' } });
    expect(await server.lastWords(slow)).toBe('in the end');
  });

  it('a usage limit is something to wait for, not an end', async () => {
    await server.message(slow, 'LIMIT');
    const seen = await server.until(slow.session_id, 'waiting');
    expect(seen).toMatchObject({ waiting_for: 'limit' });
    await server.message(slow, 'SAY back', { delivery: 'steer', wait_mode: 'all', timeout: 60 });
    expect(await server.look(slow.session_id)).toMatchObject({ status: 'idle' });
  });

  it('a cleared conversation goes on in a new file, which is followed', async () => {
    const before = await server.look(slow.session_id);
    expect(await server.message(slow, '/clear', { as_command: true })).toMatchObject({ verdict: 'submitted' });
    await server.wait([slow]);
    const sent = await server.message(slow, 'SAY afresh', { wait_mode: 'all', timeout: 60 });
    expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    const after = await server.look(slow.session_id);
    expect(after.transcript_path).not.toBe(before.transcript_path);
    expect(await server.lastWords(slow)).toBe('afresh');
  });

  it('a worker that crashes is dead with its exit code, and comes back with its conversation', async () => {
    await server.message(slow, 'SAY remember me', { wait_mode: 'all', timeout: 60 });
    await server.message(slow, 'CRASH 7');
    const dead = await server.until(slow.session_id, 'dead');
    expect(dead.evidence).toMatchObject({ source: 'pane', detail: expect.stringContaining('7') });
  });
});
