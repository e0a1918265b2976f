import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { LandOrder, Run } from '../../../src/crew/api.ts';
import { type Caller, openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';

let crew: RestingCrew;
let round = 0;
beforeAll(async () => {
  crew = await openRestingCrew();
  // What the tests write tells where they ran, and from a sandbox nothing would.
  const config = join(crew.sandbox.dir('home/.config/crewmux'), 'config.json');
  writeFileSync(config, JSON.stringify({ merge: { sandbox: 'off' } }));
});
afterAll(() => crew.dispose());
beforeEach(() => {
  round += 1;
  writeFileSync(ranPath(), '');
});

const tip = () => crew.git(crew.repo, 'rev-parse', 'main');
const ranPath = () => join(crew.sandbox.dir('told'), `ran-${round}`);
const ran = () => readFileSync(ranPath(), 'utf8').split('\n').slice(0, -1);
/** Fails wherever no file of that name is. */
const testing = (file: string) => `git rev-parse HEAD >>${ranPath()}; test -e ${file} || { echo no ${file}; false; }`;
const author = (name: string): Promise<Resting> => crew.author(`${name}.txt`, `${name}\n`);

/** Another server, with a configuration of its own. */
function serverWith(name: string, config: object): Promise<Caller> {
  writeFileSync(join(crew.sandbox.dir(`${name}/crewmux`), 'config.json'), JSON.stringify(config));
  return crew.open({ XDG_CONFIG_HOME: crew.sandbox.dir(name) });
}

const sentBack = async (of: Resting) => (await crew.events(of)).filter(({ type }) => type === 'bounced').length;

function land(worker: Resting, more: Partial<LandOrder>, by: Caller = crew) {
  const run: Run = { signal: new AbortController().signal, tell: () => undefined };
  return by.verbs.land({ worker: worker.id, dryRun: false, ...more }, run);
}

it('tests that fail on the target too run there once, also for another server, and nobody is sent back', async () => {
  const [ada, bo] = [await author('ada'), await author('bo')];
  const [before, testCommand] = [tip(), testing('missing')];
  const first = await land(ada, { testCommand, whereRed: 'tell' });
  expect(first).toMatchObject({
    ...{ outcome: 'checks_failed', to_commit: before, redTarget: { output: 'no missing\n' } },
    reason: 'The tests failed, and fail on main without it too; main was not touched.',
  });
  const second = await land(bo, { testCommand, whereRed: 'tell' }, await crew.open());
  expect(second.redTarget).toEqual(first.redTarget);
  expect(ran().filter((commit) => commit === before)).toHaveLength(1);
  expect(await sentBack(ada)).toBe(0);
  // Somebody wants to know whether they still do.
  await land(bo, { testCommand, whereRed: 'tell', testedSince: Date.now() });
  expect(ran().filter((commit) => commit === before)).toHaveLength(2);
});

it('what is to land all the same lands with its failed tests, and the next target is known by them', async () => {
  const [ada, bo] = [await author('red-ada'), await author('red-bo')];
  const testCommand = testing('nowhere');
  expect(await land(ada, { testCommand, whereRed: 'land' })).toMatchObject({
    ...{ outcome: 'landed', tests: { status: 'failed' } },
    to_commit: tip(),
  });
  expect(ran()).toHaveLength(2);
  expect(await land(bo, { testCommand, whereRed: 'land' })).toMatchObject({ outcome: 'landed', to_commit: tip() });
  expect(ran()).toHaveLength(3);
});

it('what fails on a target that has passed does not land, and a passed landing needs no other run', async () => {
  const [good, bad] = [await author('good'), await author('bad')];
  const testCommand = `${testing('good.txt')} && test ! -e bad.txt`;
  await land(good, { testCommand, whereRed: 'land' });
  const before = tip();
  const failed = await land(bad, { testCommand, whereRed: 'land' });
  expect(failed).toMatchObject({ outcome: 'checks_failed', to_commit: before });
  expect(failed.redTarget).toBeUndefined();
  expect(ran()).toHaveLength(2);
  expect(await sentBack(bad)).toBe(1);
});

it.each([
  ['cannot be found there', 'no-such-program'],
  ['cannot be run there', './README.md'],
])('a command that %s tells nothing of the target', async (_, onTarget) => {
  const worker = await author(`odd-${round}`);
  const testCommand = `git rev-parse HEAD >>${ranPath()}; if test -e odd-${round}.txt; then false; else ${onTarget}; fi`;
  const failed = await land(worker, { testCommand, whereRed: 'land' });
  expect(failed).toMatchObject({ outcome: 'checks_failed', tests: { status: 'failed' } });
  expect(failed.redTarget).toBeUndefined();
  expect(failed.tests).not.toHaveProperty('isUnrun');
  await land(worker, { testCommand, whereRed: 'land' });
  expect(ran()).toHaveLength(3);
});

it('tests that do not end in time there tell nothing of the target, and that is remembered too', async () => {
  const by = await serverWith('slow', { merge: { sandbox: 'off', test_timeout_minutes: 0.2 } });
  const worker = await author('slow');
  const testCommand = `git rev-parse HEAD >>${ranPath()}; if test -e slow.txt; then false; else sleep 600; fi`;
  for (const times of [2, 3]) {
    const failed = await land(worker, { testCommand, whereRed: 'land' }, by);
    expect(failed).toMatchObject({ outcome: 'checks_failed', tests: { status: 'failed' } });
    expect(failed.redTarget).toBeUndefined();
    expect(ran()).toHaveLength(times);
  }
});

it('files that cannot be prepared tell nothing of the target', async () => {
  const by = await serverWith('stubborn', { merge: { sandbox: 'off' }, worktrees: { setup_commands: ['false'] } });
  const failed = await land(await author('stubborn'), { testCommand: 'true', whereRed: 'land' }, by);
  expect(failed).toMatchObject({ outcome: 'checks_failed', tests: { status: 'failed' } });
  expect(failed.redTarget).toBeUndefined();
});

it('whoever does not ask about the target pays for one run, and a memory that is no memory is made anew', async () => {
  const [worker, testCommand] = [await author('plain'), testing('never')];
  expect((await land(worker, { testCommand })).redTarget).toBeUndefined();
  expect(ran()).toHaveLength(1);
  const folder = join(crew.sandbox.dir('crewmux'), 'target-tests');
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{');
  expect((await land(worker, { testCommand, whereRed: 'tell' })).redTarget).toBeDefined();
  expect(ran()).toHaveLength(3);
});
