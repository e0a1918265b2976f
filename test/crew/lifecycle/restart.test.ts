import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { birthShownBy } from '../../../src/crew/lifecycle/restart.ts';
import type { WorkerRecord } from '../../../src/model/worker.ts';
import { restartWorkers } from '../../../src/tools/restart-workers.ts';
import { restartOutput } from '../../../src/wire/starting.ts';
import type { Fields } from '../../support/mcp.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

const restart = (args: Fields) => crew.call(restartWorkers, restartOutput, args);
const planOf = async (...workers: readonly Resting[]) =>
  (await restart({ session_ids: workers.map(({ id }) => id), dry_run: true })).plan;
/** Its agent is this program. */
const worker = async (command: readonly string[], record: Partial<WorkerRecord> = {}) => {
  const made = await crew.worker({ record });
  await crew.note(made, { launch: { ...made.launch, command } });
  return made;
};

describe('the plan of a restart', () => {
  it('goes on with a conversation that lies in the folder of another path by now', async () => {
    const moved = await worker(['/bin/false']);
    const folder = join(crew.sandbox.home, '.claude/projects/-elsewhere');
    mkdirSync(folder, { recursive: true });
    const said = {
      type: 'user',
      message: { role: 'user', content: 'hello' },
      uuid: 'u',
      timestamp: '2026-01-01T00:00:00Z',
    };
    writeFileSync(join(folder, `${moved.launch.agentSessionId}.jsonl`), `${JSON.stringify(said)}\n`);
    expect(await planOf(moved)).toMatchObject([{ action: 'restart', reason: expect.stringContaining('goes on in') }]);
  });

  it('leaves one whose conversation had begun and is gone, and changes nothing', async () => {
    const lost = await worker(['/bin/false']);
    await crew.note(lost, { spokenIn: lost.launch.agentSessionId });
    const before = await crew.events(lost);
    const call = `restart_workers {"session_ids":["${lost.id}"],"fresh":true}`;
    expect(await planOf(lost)).toMatchObject([
      { name: lost.name, action: 'leave', reason: expect.stringContaining(call) },
    ]);
    expect(await crew.events(lost)).toEqual(before);
    expect(await restart({ session_ids: [lost.id] })).toMatchObject({
      sessions: [],
      failed: [{ error: expect.stringMatching(/^unknown_session: .* is gone/), hint: expect.stringContaining(call) }],
    });
    expect((await restart({ session_ids: [lost.id], fresh: true, dry_run: true })).plan).toMatchObject([
      { action: 'fresh' },
    ]);
  });

  it('goes by the conversation of now: one that began anew has nothing to lose', async () => {
    const cleared = await worker(['/bin/false']);
    await crew.note(cleared, { spokenIn: 'the one before' });
    expect(await planOf(cleared)).toMatchObject([{ action: 'fresh' }]);
  });
});

it('one that failed three times is left by all, needs somebody who reads why, and is tried when it is named', async () => {
  const failing = await worker(['/bin/false']);
  await crew.note(failing, { failures: [Date.now(), Date.now(), Date.now()], endDetail: 'exit code 1' });
  const why = 'it has failed 3 times within 30 minutes';
  const [planned] =
    (await restart({ all: true, dry_run: true })).plan?.filter(({ name }) => name === failing.name) ?? [];
  expect(planned).toMatchObject({ action: 'leave', reason: expect.stringContaining(why) });
  const { id } = failing;
  expect(await crew.verbs.attention({ workers: [id] })).toMatchObject([
    { waiting_for: 'dead', detail: `exit code 1; ${why}, so crewmux starts it again only by its name` },
  ]);
  expect(await planOf(failing)).toMatchObject([{ action: 'fresh' }]);
});

it('two agents that end at once keep the third from being tried, and naming it tries it', async () => {
  const three = [await worker(['/bin/false']), await worker(['/bin/false']), await worker(['/bin/false'])];
  const { failed, sessions } = await restart({ session_ids: three.map(({ id }) => id) });
  expect(sessions).toEqual([]);
  const [first, second, third] = failed ?? [];
  expect([first, second]).toMatchObject([{ step: 'start' }, { step: 'start' }]);
  const call = `restart_workers {"session_ids":["${three[2]?.id}"]}`;
  expect(third).toMatchObject({ step: 'not tried', hint: expect.stringContaining(call) });
  expect(await crew.events({ id: three[2]?.id ?? '' })).not.toContainEqual(
    expect.objectContaining({ type: 'worker_restarted' }),
  );
  expect(await restart({ session_ids: [three[2]?.id] })).toMatchObject({ failed: [{ step: 'start' }] });
});

it.each([
  ['idle', undefined, 'born'],
  ['working', undefined, 'born'],
  ['waiting', 'trust', 'born'],
  ['waiting', 'login', 'logged_out'],
  ['starting', undefined, 'silent'],
  ['gone', undefined, 'dead'],
] as const)('an agent that is %s (%s) counts as %s', (is, waitingFor, birth) => {
  expect(birthShownBy({ is, waitingFor })).toBe(birth);
});
