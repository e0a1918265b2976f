import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { remainsOf } from '../../e2e/killed.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { eventually } from '../../support/sandbox.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

const git = (...args: string[]) => crew.git(crew.repo, ...args);
const tip = () => git('rev-parse', 'main');
const below = (name: string) => join(crew.sandbox.root, name);
const author = (name: string): Promise<Resting> => crew.author(name, `${name}\n`);

it('what fails its tests does not land, and everything the tests started is gone', async () => {
  const worker = await author('third.txt');
  const before = tip();
  const failed = await land(crew, worker, {
    test_command: `sleep 1000 & echo $! >${below('pid')}; echo broken; exit 3`,
  });
  expect(failed).toMatchObject({ success: false, outcome: 'checks_failed', tests: { status: 'failed' } });
  expect(failed.tests.output).toContain('broken');
  expect(tip()).toBe(before);
  expect(runs(readFileSync(below('pid'), 'utf8').trim())).toBe(false);
  expect(await land(crew, worker, { test_command: 'test -f third.txt' })).toMatchObject({
    tests: { status: 'passed' },
  });
  expect(git('worktree', 'list')).not.toContain('scratch');
});

it('whoever waits is told for whom', async () => {
  const [slow, other] = [await author('slow.txt'), await author('other.txt')];
  const holds = `touch ${below('begun')}; while [ ! -e ${below('go')} ]; do sleep 0.05; done`;
  const first = land(crew, slow, { test_command: holds });
  await eventually('its tests run', () => existsSync(below('begun')), 60_000);
  const told = new Promise<string>((resolve) => {
    const progress = (line: string) => line.startsWith('waiting: ') && resolve(line);
    void land(crew, other, { test_command: '' }, { progress }).then(({ outcome }) => resolve(outcome));
  });
  expect(await told).toBe(`waiting: ${slow.name} is landing on main`);
  writeFileSync(below('go'), '');
  expect(await first).toMatchObject({ outcome: 'landed' });
});

it('what a suite leaves behind it when its time is up has ended, deaf and detached as it is', async () => {
  const config = { merge: { test_timeout_minutes: 0.1 } };
  writeFileSync(join(crew.sandbox.dir('hasty/crewmux'), 'config.json'), JSON.stringify(config));
  const hasty = await crew.open({ XDG_CONFIG_HOME: crew.sandbox.dir('hasty') });
  const worker = await author('deaf.txt');
  const deaf = `trap "" TERM; echo $$ >>${below('pids')}; while :; do sleep 0.1; done`;
  const told = await land(hasty, worker, {
    test_command: `sh -c '${deaf}' & setsid sh -c '${deaf}' & echo begun; wait`,
  });
  expect(told).toMatchObject({ outcome: 'checks_failed', tests: { status: 'timed_out', output: 'begun\n' } });
  const pids = readFileSync(below('pids'), 'utf8').trim().split('\n');
  expect([pids.length, pids.filter(runs)]).toEqual([2, []]);
});

/** A process that is dead and not yet buried does not. */
function runs(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

it('a landing that is given up in its tests leaves the target, and nothing else', async () => {
  const worker = await author('given-up.txt');
  const before = tip();
  const giveUp = new AbortController();
  const lost = land(
    crew,
    worker,
    { test_command: `setsid sleep 600 & touch ${below('given-up')}; sleep 600` },
    { signal: giveUp.signal },
  ).catch((error: unknown) => error);
  await eventually('its tests run', () => existsSync(below('given-up')), 60_000);
  giveUp.abort();
  expect(await lost).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('was cancelled') });
  expect(remainsOf(crew.sandbox, crew.repo)).toEqual([]);
  expect(tip()).toBe(before);
});
