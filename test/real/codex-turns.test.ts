// The states of a real Codex against what its model really did.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { z } from 'zod';
import { spawned } from '../../src/tools/shapes.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';
import { attachPerson, pressUntil } from './person.ts';

const logPage = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const codex = (config: Fields): Promise<Worker> => crew.one({ agent_type: 'codex', ...config });
const asked = (of: Worker, words: string) =>
  crew.home.model.waitFor(words, (r) => r.cwd === of.project_path && r.prompt.includes(words));
const heard = (of: Worker, text: string) =>
  crew.home.model.requests.some((r) => r.cwd === of.project_path && r.texts.some((t) => t.includes(text)));

/** A person attaches, so the dialog is theirs to answer. */
async function lookAt(of: Worker, { onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<void> {
  const person = await attachPerson(crew, of);
  onTestFinished(() => person.leave());
  await eventually('the dialog is drawn', () => isAsking(crew.screen(of)));
}

const untilGo = 'until [ -e go ]; do sleep 0.1; done';
const go = (of: Worker) => writeFileSync(join(of.project_path, 'go'), '');

const isAsking = (screen: string): boolean => screen.includes('Would you like to run');

describe.concurrent('a Codex worker', () => {
  test('without a prompt is idle once its prompt is in sight, and takes a message', async () => {
    const worker = await codex({});
    expect(worker).toMatchObject({ status: 'idle', evidence: { source: 'screen' } });
    expect(worker.agent_session_id).toBeUndefined();
    expect(await crew.message(worker, 'SAY hello', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    const now = await crew.look(worker.session_id);
    expect(now.transcript_path).toContain(now.agent_session_id);
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that asks for permission is waiting; answered at the pane it is working while the command runs', async (context) => {
    const worker = await codex({ prompt: `ESCALATE ${untilGo}; touch made-by-hand\nSAY made` });
    const ended = await crew.wait([worker.session_id]);
    expect(ended.attention).toMatchObject([{ session_id: worker.session_id, waiting_for: 'permission' }]);
    await lookAt(worker, context);
    const steered = await crew.message(worker, 'SAY not now', { delivery: 'steer' });
    expect(steered).toMatchObject({ success: false, verdict: 'held' });
    await pressUntil(crew, worker, { key: 'y', seen: (screen) => !isAsking(screen) });
    await crew.until(worker.session_id, 'working');
    expect(existsSync(join(worker.project_path, 'made-by-hand'))).toBe(false);
    go(worker);
    await crew.idle(worker);
    expect(existsSync(join(worker.project_path, 'made-by-hand'))).toBe(true);
    expect(heard(worker, 'not now')).toBe(false);
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('whose permission is refused with Escape is idle, its turn interrupted', async (context) => {
    const worker = await codex({ prompt: 'ESCALATE touch never-made\nSAY made' });
    await crew.until(worker.session_id, 'waiting');
    await lookAt(worker, context);
    await pressUntil(crew, worker, { key: 'Escape', seen: (screen) => !isAsking(screen) });
    crew.ended(worker);
    expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ turn: { ended_by: 'interrupted' } });
    expect(existsSync(join(worker.project_path, 'never-made'))).toBe(false);
    expect(await crew.message(worker, 'SAY go on', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  });

  test.each(['SAY words\nHOLD never-codex-mid', 'HANG codex'])(
    'that is interrupted in %j becomes idle and hears the next message',
    async (prompt) => {
      const worker = await codex({ prompt });
      await asked(worker, prompt.split('\n').at(-1) ?? '');
      expect(await crew.interrupt(worker)).toBe('interrupted');
      expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ turn: { ended_by: 'interrupted' } });
      expect(await crew.message(worker, 'SAY next', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
      expect((await asked(worker, 'SAY next')).prompt).toBe('SAY next');
      expect(crew.falseIdles(worker)).toEqual([]);
    },
  );

  test('whose turn is refused by the API ends with an error and says so', async () => {
    const worker = await codex({ prompt: 'FAIL 400' });
    const after = await crew.idle(worker);
    expect(after).toMatchObject({ turn: { ended_by: 'error' } });
    expect(after.last_error).toContain('scripted 400');
    expect(await crew.message(worker, 'SAY well', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  });

  test('is not idle while a program it left running goes on', async () => {
    const worker = await codex({ prompt: `LEAVE ${untilGo}\nSAY left it running` });
    const left = await eventually('the program is counted', async () => {
      const seen = await crew.look(worker.session_id);
      return seen.background_tasks === 1 && seen;
    });
    expect(left.status).toBe('working');
    go(worker);
    expect(await crew.idle(worker)).toMatchObject({ background_tasks: 0, turn: { ended_by: 'completed' } });
  });

  test('that is killed is dead, and is taken up again with its conversation', async () => {
    const worker = await codex({ prompt: 'SAY before the kill' });
    await crew.idle(worker);
    const pane = worker.terminal_id?.slice(5) ?? '';
    process.kill(Number(crew.home.sandbox.tmux('display-message', '-p', '-t', pane, '#{pane_pid}')), 'SIGKILL');
    await crew.until(worker.session_id, 'dead');
    const again = await crew.call('restart_workers', spawned, { session_ids: [worker.session_id] });
    expect(again.failed).toEqual([]);
    await crew.until(worker.session_id, 'idle');
    expect(await crew.message(worker, 'SAY alive', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await asked(worker, 'SAY alive')).texts).toContain('SAY before the kill');
    const { messages } = await crew.call('read_worker_logs', logPage, { session_id: worker.session_id });
    expect(messages.map((m) => m.content)).toContain('before the kill');
  });

  test('whose conversation is forked has its past, and a transcript of its own', async () => {
    const worker = await codex({ prompt: 'SAY the past' });
    await crew.idle(worker);
    const fork = await codex({ resume: worker.name, fork: true, prompt: 'SAY the fork' });
    await crew.idle(fork);
    expect((await asked(fork, 'SAY the fork')).texts).toContain('SAY the past');
    const [a, b] = [await crew.look(worker.session_id), await crew.look(fork.session_id)];
    expect(a.transcript_path).not.toBe(b.transcript_path);
  });
});

test('a successor of the server knows a Codex worker that nobody has asked anything, and one that works', async () => {
  const idle = await codex({});
  const busy = await codex({ prompt: 'HOLD codex-successor\nSAY done' });
  await asked(busy, 'codex-successor');
  await crew.replaceServer();
  await crew.until(idle.session_id, 'idle');
  expect(await crew.look(busy.session_id)).toMatchObject({ status: 'working' });
  crew.home.model.release('codex-successor');
  await crew.idle(busy);
});
