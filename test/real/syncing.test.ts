// Real agents go on from what a sync has brought into their worktrees while they rested.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const synced = z.looseObject({ outcome: z.string(), hint: z.string().optional(), backup_ref: z.string().nullable() });
const sync = (of: Worker) => crew.call('sync_worker', synced, { session_id: of.name });
const git = (at: string, ...args: string[]) => crew.home.sandbox.git(at, ...args);
const own = (name: string) =>
  `BASH echo ${name} > ${name}.txt && git add . && git commit -q -m "Write ${name}"\nSAY done`;
const goOn = (name: string) => `BASH cat gained.txt >> ${name}.txt && git commit -q -a -m "Go on from it"\nSAY done`;

test('Claude Code and Codex rest through a sync, and their next turns see what it has brought', async () => {
  const made = await crew.spawn(
    { name: 'ada', prompt: own('ada'), skip_permissions: true },
    { name: 'ben', prompt: own('ben'), skip_permissions: true, agent_type: 'codex' },
  );
  const [ada, ben] = made.sessions;
  if (ada === undefined || ben === undefined) throw new Error(`two were asked for: ${JSON.stringify(made.failed)}`);
  await crew.wait([ada.session_id, ben.session_id]);
  writeFileSync(join(crew.repo, 'gained.txt'), 'gained\n');
  git(crew.repo, 'add', 'gained.txt');
  git(crew.repo, 'commit', '-q', '-m', 'Gain');

  for (const worker of [ada, ben]) {
    const told = await sync(worker);
    expect(told).toMatchObject({ outcome: 'synced', backup_ref: expect.stringContaining(worker.session_id) });
    expect(told.hint).toBeUndefined();
    await crew.message(worker, goOn(worker.name), { wait_mode: 'all', timeout: 120 });
    const at = worker.project_path;
    expect(git(at, 'show', `HEAD:${worker.name}.txt`)).toBe(`${worker.name}\ngained`);
    expect(git(at, 'log', '--format=%s', '-3').split('\n')).toEqual(['Go on from it', `Write ${worker.name}`, 'Gain']);
  }
  expect([...crew.falseIdles(ada), ...crew.falseIdles(ben)]).toEqual([]);
});
