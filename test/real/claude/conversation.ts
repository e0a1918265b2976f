// Commands of the agent's own, and conversations that are cleared, compacted or taken up again.
import { describe, expect, test } from 'vitest';
import { spawnOutput } from '../../../src/wire/starting.ts';
import { eventually } from '../../support/sandbox.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';
import type { ModelRequest } from '../fake/server.ts';
import { pressUntil } from '../person.ts';

async function idleWorker(prompt: string): Promise<Worker> {
  const worker = await cast.enter({ prompt });
  return crew.idle(worker);
}
const command = (to: Worker, text: string) => crew.message(to, text, { as_command: true });
const heard = (of: Worker, text: string) =>
  crew.home.model.waitFor(text, (r) => r.cwd === of.project_path && r.prompt === text);
const said = async (of: Worker) => {
  return (await crew.conversation(of)).map(({ content }) => content);
};

describe.concurrent('a worker', () => {
  test('goes on in a new conversation after /clear', async () => {
    const worker = await idleWorker('SAY before');
    expect((await command(worker, '/clear')).success).toBe(true);
    await eventually('the conversation is another', async () => {
      const { agent_session_id: now } = await crew.look(worker.session_id);
      return now !== worker.agent_session_id;
    });
    await crew.until(worker.session_id, 'idle');
    expect(await crew.message(worker, 'SAY after clear', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await heard(worker, 'SAY after clear')).texts).not.toContain('SAY before');
    expect(await said(worker)).toContain('after clear');
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('goes on in the same conversation after /compact', async () => {
    const worker = await idleWorker('SAY before');
    const before = crew.home.model.requests.length;
    expect((await command(worker, '/compact')).success).toBe(true);
    const isSummary = (r: ModelRequest) => r.seq > before && r.cwd === worker.project_path && r.kind === 'compact';
    await crew.home.model.waitFor('a summary', isSummary);
    await crew.idle(worker);
    expect(await crew.message(worker, 'SAY after', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await crew.look(worker.session_id)).agent_session_id).toBe(worker.agent_session_id);
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('at a dialog that a local command opened is waiting, and idle when it is closed', async () => {
    const worker = await idleWorker('SAY before');
    await command(worker, '/cost');
    expect(await crew.until(worker.session_id, 'waiting')).toMatchObject({ waiting_for: 'dialog' });
    expect(await crew.message(worker, 'SAY not at a panel')).toMatchObject({ verdict: 'held' });
    const isOpen = () => crew.screen(worker).includes('Estimated cost');
    await eventually('the panel is drawn', isOpen);
    await pressUntil(crew, worker, { key: 'Escape', seen: () => !isOpen() });
    await crew.until(worker.session_id, 'idle');
    expect(await crew.message(worker, 'SAY yes', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect(crew.home.model.requests.some((r) => r.texts.includes('SAY not at a panel'))).toBe(false);
    cast.rests(worker);
  });

  test('is not given a command by accident', async () => {
    const worker = await idleWorker('SAY before');
    const before = crew.home.model.requests.length;
    const refused = await crew.message(worker, '/compact now');
    expect(refused).toMatchObject({ success: false, verdict: 'failed' });
    expect(refused.hint).toMatch(/as_command/);
    const { requests } = crew.home.model;
    expect(requests.slice(before).some((r) => r.cwd === worker.project_path && r.kind === 'compact')).toBe(false);
    cast.rests(worker);
  });

  test('that was closed is taken up again in its worktree, with its conversation', async () => {
    const worker = await crew.one({ prompt: 'WRITE left.txt behind\nSAY before the end', skip_permissions: true });
    await crew.idle(worker);
    await crew.close(worker);
    const again = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again.failed).toEqual([]);
    await crew.until(worker.session_id, 'idle');
    expect(await crew.message(worker, 'SAY resumed', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await heard(worker, 'SAY resumed')).texts[0]).toContain('SAY before the end');
    expect(await crew.look(worker.session_id)).toMatchObject({ name: worker.name, branch: worker.branch, restarts: 1 });
  });

  test.each(['closed', 'killed'])(
    'that was %s before anybody asked it anything comes back and is the same',
    async (how) => {
      const worker = await crew.one({});
      await crew.idle(worker);
      if (how === 'closed') await crew.close(worker);
      else
        process.kill(
          Number(
            crew.home.sandbox.tmux(
              'display-message',
              '-p',
              '-t',
              (worker.terminal_id ?? '').replace('tmux:', ''),
              '#{pane_pid}',
            ),
          ),
        );
      if (how === 'killed') await crew.until(worker.session_id, 'dead');
      const again = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
      expect(again.failed).toEqual([]);
      await crew.until(worker.session_id, 'idle');
      expect(await crew.message(worker, 'SAY never too late', { wait_mode: 'all' })).toMatchObject({
        verdict: 'submitted',
      });
      expect((await heard(worker, 'SAY never too late')).cwd).toBe(worker.project_path);
      // An exit may leave a file without a word of anybody; then the id of its conversation is not free.
      const { agent_session_id, branch } = worker;
      const same = how === 'killed' ? { agent_session_id } : {};
      expect(await crew.look(worker.session_id)).toMatchObject({ ...same, branch, restarts: 1 });
    },
  );

  test('that died is taken up again with its conversation', async () => {
    const worker = await idleWorker('SAY before the kill');
    crew.keys(worker, '-l', '/exit');
    await eventually('the command is drawn', () => crew.screen(worker).includes('/exit'));
    crew.keys(worker, 'Enter');
    await crew.until(worker.session_id, 'dead');
    const again = await crew.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again.failed).toEqual([]);
    expect(await crew.message(worker, 'SAY alive', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await heard(worker, 'SAY alive')).texts).toContain('SAY before the kill');
  });
});
