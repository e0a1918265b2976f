// Workers with a bead, in their sandboxes: they change issues in the main checkout, and nothing else there.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { escaped } from '../../src/wire/events.ts';
import { list } from '../../src/wire/parts.ts';
import { standInTracker } from '../support/stand-in-tracker.ts';
import { answer, eventsOf, needOf } from './asking.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const status = z.object({ escapes: list(escaped).optional() });
const landed = z.looseObject({ outcome: z.string() });
const agents = ['claude', 'claude', 'codex', 'codex'];

/** A worker of each agent twice, with an issue of its own each; `null` is as if nobody had said anything. */
async function spawned(checkout: string, prompts: readonly string[]): Promise<readonly Worker[]> {
  const { sessions, failed, warnings } = await crew.spawn(
    ...agents.map((agent_type, at) => {
      const bead = `app-${at}`;
      return { agent_type, bead, prompt: prompts[at], sandbox: null, project_path: checkout };
    }),
  );
  expect({ failed, warnings: warnings.filter((words) => /tracker/.test(words)) }).toEqual({ failed: [], warnings: [] });
  for (const worker of sessions) await crew.idle(worker);
  return sessions;
}

test.each(['bd', 'pb'] as const)(
  'workers of both agents close issues of %s at once, and land beside that',
  async (name) => {
    const { sandbox } = crew.home;
    const tracker = standInTracker(sandbox.dir(`bin-${name}`), name);
    const checkout = crew.home.repo(crew.home.spareName());
    const ids = agents.map((_, at) => `app-${at}`);
    tracker.init(checkout, [...ids, 'app-9']);
    sandbox.git(checkout, 'add', '-A');
    sandbox.git(checkout, 'commit', '-q', '-m', 'Issues');
    const since = Date.now();
    const work = (id: string) => `BASH echo ${id} >${id} && git add ${id} && git commit -qm "Do ${id}"`;
    const workers = await spawned(
      checkout,
      ids.map((id) => [work(id), `BASH ${tracker.close(checkout, id)}`, 'SAY done'].join('\n')),
    );
    expect(tracker.closed(checkout)).toEqual(ids);
    expect(workers.filter(({ agent_type }) => agent_type === 'claude').map(({ sandbox: is }) => is)).toEqual([
      'on',
      'on',
    ]);
    expect((await crew.call('crew_status', status, {})).escapes ?? []).toEqual([]);
    for (const worker of workers) {
      const happened = (await eventsOf(crew, worker, since)).map(({ type }) => type);
      expect(
        happened.filter((type) => /worker_waiting|sandbox_failed|escaped/.test(type)),
        worker.name,
      ).toEqual([]);
      expect(await crew.call('merge_worker', landed, { session_id: worker.session_id })).toMatchObject({
        outcome: 'landed',
      });
    }
    for (const id of ids) expect(readFileSync(join(checkout, id), 'utf8')).toBe(`${id}\n`);
    expect(tracker.closed(checkout)).toEqual(ids);
    expect(sandbox.git(checkout, 'status', '--porcelain', '-uno')).toMatch(/^ ?M \.(?:beads|pebbles)\/\w+\.jsonl$/);
  },
  600_000,
);

test('no worker changes a program or a setting of Beads, or makes one', async () => {
  const { sandbox } = crew.home;
  const checkout = crew.home.repo(crew.home.spareName());
  const beads = join(checkout, '.beads');
  standInTracker(sandbox.dir('bin-guarded'), 'bd').init(checkout, ['app-0']);
  mkdirSync(join(beads, 'hooks'));
  mkdirSync(join(beads, 'dolt'));
  writeFileSync(join(beads, 'hooks/on_close'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(beads, 'metadata.json'), '{"database":"mine.db"}\n');
  const names = [
    'hooks',
    'formulas',
    '.git',
    'HEAD',
    'PRIME.md',
    'config.yaml',
    '.env',
    'redirect',
    'metadata.json',
    'dolt',
  ];
  const lines = names.flatMap((name) => {
    const at = join(beads, name);
    return [
      `echo HACKED >${at}`,
      `echo HACKED >${at}/new`,
      `mv ${at} ${at}.gone`,
      `rm -rf ${at}`,
      `ln -sfn /tmp ${at}`,
      `mkdir -p ${at}/deep`,
    ];
  });
  const more = [
    `echo HACKED >${beads}/hooks/on_close`,
    `mv ${beads} ${checkout}/gone`,
    `touch ${checkout}/out`,
    `echo mine >${beads}/$(basename "$PWD").jsonl`,
  ];
  const workers = await spawned(
    checkout,
    agents.map(() => ''),
  );
  const contents = () => readdirSync(beads, { recursive: true }).map(String).sort();
  const there = contents();
  for (const worker of workers) writeFileSync(join(worker.project_path, 'attack.sh'), [...lines, ...more].join('\n'));
  // As a `git clean` of the user does while they live.
  for (const name of ['formulas', '.git', 'HEAD', '.env', 'redirect']) rmSync(join(beads, name), { recursive: true });
  await Promise.all(workers.map((worker) => crew.message(worker, 'BASH sh ./attack.sh\nSAY done')));
  for (const worker of workers) await crew.idle(worker);
  const written = workers.map(({ project_path }) => `${basename(project_path)}.jsonl`);
  expect(contents()).toEqual([...there, ...written].sort());
  expect(readFileSync(join(beads, 'hooks/on_close'), 'utf8')).toBe('#!/bin/sh\n');
  expect(readFileSync(join(beads, 'metadata.json'), 'utf8')).toBe('{"database":"mine.db"}\n');
  for (const name of ['config.yaml', '.env', 'redirect'])
    expect(readFileSync(join(beads, name), 'utf8'), name).toBe('');
  for (const name of ['out', 'gone']) expect(existsSync(join(checkout, name))).toBe(false);
}, 600_000);

test('the folder is open for commands alone: a file tool that writes there asks, or is refused where nobody is asked', async () => {
  const checkout = crew.home.repo(crew.home.spareName());
  const hook = join(checkout, '.beads/hooks/on_close');
  standInTracker(crew.home.sandbox.dir('bin-tools'), 'bd').init(checkout, ['app-0']);
  const asked = { bead: 'app-0', sandbox: true, project_path: checkout, prompt: 'SAY ready' };
  const [careful, unasked] = [await crew.one(asked), await crew.one({ ...asked, skip_permissions: true })];
  for (const worker of [careful, unasked]) {
    await crew.idle(worker);
    await crew.message(worker, `WRITE ${hook} HACKED\nSAY done`);
  }
  const need = await needOf(crew, careful);
  expect(need).toMatchObject({ waiting_for: 'permission' });
  await answer(crew, need, { decision: 'deny' });
  for (const worker of [careful, unasked]) await crew.idle(worker);
  expect(existsSync(hook)).toBe(false);
}, 600_000);
