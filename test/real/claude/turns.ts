// Messages that come to a worker in the middle of its turn, and the end of one that is killed.
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/sandbox.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const asked = (of: Worker, what: string) =>
  crew.home.model.waitFor(what, (r) => r.kind === 'turn' && r.cwd === of.project_path && r.prompt.includes(what));

describe.concurrent('a worker', () => {
  test('takes messages while it works, each once and in order, and is idle only after them', async () => {
    const worker = await cast.enter({ prompt: 'HOLD queue\nSAY first' });
    await asked(worker, 'HOLD queue');
    expect(await crew.message(worker, 'Message one.\nSAY second')).toMatchObject({ verdict: 'queued' });
    expect(await crew.message(worker, 'Message two.\nSLEEP 1')).toMatchObject({ verdict: 'queued' });
    const waiting = crew.wait([worker.session_id]);
    crew.home.model.release('queue');
    expect(await waiting).toMatchObject({ all_idle: true });
    const last = cast.turns(worker).at(-1);
    const heard = last?.texts.join('\n') ?? '';
    expect(heard.split('Message one.')).toHaveLength(2);
    expect(heard.split('Message two.')).toHaveLength(2);
    expect(heard.indexOf('Message one.')).toBeLessThan(heard.indexOf('Message two.'));
    expect(last?.end?.how).toBe('end_turn');
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('takes a message at the next tool boundary, and a wait in the same call waits for its answer', async () => {
    const worker = await cast.enter({ prompt: 'HOLD boundary\nBASH sleep 0.3\nSAY end', skip_permissions: true });
    await asked(worker, 'HOLD boundary');
    const told = crew.message(worker, 'Also this.\nHOLD absorbed', { wait_mode: 'all', timeout: 120 });
    await eventually('the message is queued', () => crew.screen(worker).includes('Also this.'));
    crew.home.model.release('boundary');
    await asked(worker, 'Also this.');
    crew.home.model.release('absorbed');
    expect(await told).toMatchObject({ verdict: 'queued', success: true });
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('that is killed is dead, and a wait for it ends with that', async () => {
    const worker = await cast.enter({ prompt: 'HOLD never-killed', skip_permissions: true });
    await asked(worker, 'never-killed');
    const waiting = crew.wait([worker.session_id]);
    const pane = worker.terminal_id?.slice(5) ?? '';
    process.kill(Number(crew.home.sandbox.tmux('display-message', '-p', '-t', pane, '#{pane_pid}')), 'SIGKILL');
    const ended = await waiting;
    expect(ended.all_idle).toBe(false);
    expect(ended.attention).toMatchObject([{ session_id: worker.session_id, waiting_for: 'dead' }]);
    expect(await crew.look(worker.session_id)).toMatchObject({ status: 'dead', is_idle: false });
  });
});
