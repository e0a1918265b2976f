// The server is killed without a word; its successor knows everything and lies about nothing.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const anything = z.looseObject({});
const held = (of: Worker, hold: string) =>
  crew.home.model.waitFor(hold, (r) => r.cwd === of.project_path && r.prompt.includes(`HOLD ${hold}`));

/** What must not change with the server. */
const lasting = ({ evidence: _, managed_by: __, last_activity: ___, turn, ...rest }: Worker) => ({
  ...rest,
  turn: { ...turn, started_at: undefined },
});
/** The hook and the transcript each tell when a prompt was taken, and whoever comes later reads the transcript first. */
const begun = ({ turn }: Worker) => Date.parse(turn?.started_at ?? '');

test('the successor of a killed server finds, waits for, messages and closes the same workers', async () => {
  const working = await crew.one({ prompt: 'HOLD over\nSAY survived', annotation: 'long job', role: 'tester' });
  const idle = await crew.one({ prompt: 'SAY waiting here' });
  const asking = await crew.one({ prompt: 'BASH touch x\nSAY made' });
  await held(working, 'over');
  await crew.wait([idle.session_id]);
  await crew.until(asking.session_id, 'waiting');
  expect(await crew.message(working, 'Queued before the kill.\nHOLD queued')).toMatchObject({ verdict: 'queued' });
  const before = await Promise.all([working, idle, asking].map((w) => crew.look(w.session_id)));

  await crew.replaceServer();
  const after = await Promise.all([working, idle, asking].map((w) => crew.look(w.session_id)));
  expect(after.map(lasting)).toEqual(before.map(lasting));
  for (const [i, worker] of after.entries()) {
    // Another turn of the same worker would be minutes away.
    expect(Math.abs(begun(worker) - begun(before[i] ?? worker))).toBeLessThan(60_000);
  }
  expect(after.map((w) => w.status)).toEqual(['working', 'idle', 'waiting']);

  const waiting = crew.wait([working.session_id]);
  crew.home.model.release('over');
  await held(working, 'queued');
  crew.home.model.release('queued');
  expect(await waiting).toMatchObject({ all_idle: true, timed_out: false });
  const heard =
    crew.home.model.requests
      .filter((r) => r.cwd === working.project_path)
      .at(-1)
      ?.texts.join('\n') ?? '';
  expect(heard.split('Queued before the kill.')).toHaveLength(2);

  expect(await crew.message(idle, 'SAY hello again', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  for (const worker of [working, idle, asking]) expect(crew.falseIdles(worker)).toEqual([]);
  const session_ids = [working, idle, asking].map((w) => w.session_id);
  const closed = await crew.call('close_workers', anything, { session_ids, force: true });
  expect(closed).toMatchObject({ success_count: 3, failure_count: 0 });
});
