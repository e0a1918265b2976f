import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { remainsOf } from '../../e2e/killed.ts';
import { agreeTo } from '../../support/agree.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { eventually } from '../../support/sandbox.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
  // What the tests write tells how far they are, and from a sandbox nothing would.
  const config = join(crew.sandbox.dir('home/.config/crewmux'), 'config.json');
  writeFileSync(config, JSON.stringify({ merge: { sandbox: 'off' } }));
});
afterAll(() => crew.dispose());

/** Of a user; what a crew has to know to read it. */
function configured(name: string, config: unknown): Readonly<Record<string, string>> {
  writeFileSync(join(crew.sandbox.dir(`${name}/crewmux`), 'config.json'), JSON.stringify(config));
  return { XDG_CONFIG_HOME: crew.sandbox.dir(name) };
}

const git = (...args: string[]) => crew.git(crew.repo, ...args);
const tip = () => git('rev-parse', 'main');
const below = (name: string) => join(crew.sandbox.dir('told'), name);
const author = (name: string): Promise<Resting> => crew.author(name, `${name}\n`);

it('what fails its tests does not land, and everything the tests started is gone', async () => {
  const worker = await author('third.txt');
  const before = tip();
  const failed = await land(crew, worker, {
    test_command: `sh -c 'echo >${below('begun-first')}; sleep 1000; :' & until [ -e ${below('begun-first')} ]; do :; done; echo broken; exit 3`,
  });
  expect(failed).toMatchObject({ success: false, outcome: 'checks_failed', tests: { status: 'failed' } });
  expect(failed.tests.output).toContain('broken');
  expect(tip()).toBe(before);
  expect(running('begun-first')).toEqual([]);
  expect(await land(crew, worker, { test_command: 'test -f third.txt' })).toMatchObject({
    tests: { status: 'passed' },
  });
  expect(git('worktree', 'list')).not.toContain('scratch');
});

it("a test command of the project's is run once somebody agreed to it, and is told to be left aside until then", async () => {
  const config = join(crew.repo, '.crewmux/config.json');
  onTestFinished(() => rmSync(dirname(config), { recursive: true, force: true }));
  mkdirSync(dirname(config));
  writeFileSync(config, JSON.stringify({ merge: { test_command: `echo mine; touch ${below('mine')}` } }));
  const worker = await author('agreed.txt');
  const left = await land(crew, worker, { dry_run: true });
  expect(left).toMatchObject({ tests: { status: 'none' }, warnings: [expect.stringContaining('merge.test_command')] });
  expect(existsSync(below('mine'))).toBe(false);
  agreeTo(crew.repo, crew.sandbox.dir('crewmux'));
  const run = await land(crew, worker, { dry_run: true });
  expect(run).toMatchObject({ tests: { status: 'passed', output: 'mine\n' } });
  expect(run.warnings).toBeUndefined();
});

it('whoever waits is told for whom', async () => {
  const [slow, other] = [await author('slow.txt'), await author('other.txt')];
  const holds = `touch ${below('begun')}; while [ ! -e ${below('go')} ]; do sleep 0.05; done`;
  const first = land(crew, slow, { test_command: holds });
  await eventually('its tests run', () => existsSync(below('begun')));
  const told = new Promise<string>((resolve) => {
    const tell = (line: string) => line.startsWith('waiting: ') && resolve(line);
    void land(crew, other, { test_command: '' }, { tell }).then(({ outcome }) => resolve(outcome));
  });
  expect(await told).toBe(`waiting: ${slow.name} is landing on main`);
  writeFileSync(below('go'), '');
  expect(await first).toMatchObject({ outcome: 'landed' });
});

it.each(['auto', 'off'])(
  'what a suite leaves behind it when its time is up has ended, deaf and detached as it is (sandbox: %s)',
  async (sandbox) => {
    const hasty = await crew.open(configured(`hasty-${sandbox}`, { merge: { test_timeout_minutes: 0.2, sandbox } }));
    const worker = await author(`deaf-${sandbox}.txt`);
    const name = `pids-${sandbox}`;
    const deaf = `trap "" TERM; echo deaf ${below(name)}; while :; do sleep 0.1; done`;
    const told = await land(hasty, worker, {
      test_command: `sh -c '${deaf}' & setsid sh -c '${deaf}' & echo begun; wait`,
    });
    expect(told).toMatchObject({ outcome: 'checks_failed', tests: { status: 'timed_out' } });
    const one = `deaf ${below(name)}`;
    expect(told.tests.output.trim().split('\n').sort()).toEqual(['begun', one, one]);
    expect(running(name)).toEqual([]);
  },
);

/** What runs with such a file among its arguments, seen from outside; one that is dead and not yet buried does not. */
const running = (name: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && textOf(`/proc/${pid}/cmdline`).includes(below(name)));

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

it('a landing that is given up in its tests leaves the target, and nothing else', async () => {
  const worker = await author('given-up.txt');
  const before = tip();
  const giveUp = new AbortController();
  const lost = land(
    crew,
    worker,
    { test_command: `setsid sleep 600 & echo >${below('given-up')}; sleep 600` },
    { signal: giveUp.signal },
  ).catch((error: unknown) => error);
  await eventually('its tests run', () => existsSync(below('given-up')));
  giveUp.abort();
  expect(await lost).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('was cancelled') });
  expect(remainsOf(crew.sandbox, crew.repo)).toEqual([]);
  expect(tip()).toBe(before);
});
