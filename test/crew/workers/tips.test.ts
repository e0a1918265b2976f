// Branches that a worker's commands could move: kept, judged by what git's history tells, and refused once moved.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { crewStatus } from '../../../src/tools/crew-status.ts';
import { openPullRequest } from '../../../src/tools/open-pull-request.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { eventually } from '../../support/sandbox.ts';
import { land } from '../landing/landed.ts';

let crew: RestingCrew;
beforeEach(async () => {
  crew = await openRestingCrew();
});
afterEach(() => crew.dispose());

const git = (...args: string[]) => crew.git(crew.repo, ...args);
const tip = (ref = 'main') => git('rev-parse', ref);
const books = () => join(crew.sandbox.dir('crewmux'), 'tips');
const kept = () => existsSync(books()) && readdirSync(books()).some((name) => name.endsWith('.json'));
const untested = { test_command: '' };

/** A worker whose sandbox keeps no branch from its commands; its tips are kept when it returns. */
async function unwalled(more: { file?: string } = {}): Promise<Resting> {
  const worker = more.file === undefined ? await crew.worker() : await crew.author(more.file, 'text\n');
  const launch = { ...worker.launch, sandbox: 'partial' as const, holes: ['no walls'], writesRefs: true };
  await crew.note(worker, { phase: 'live', launch });
  await eventually('the tips are kept', kept);
  return worker;
}

/** Another commit on the branch, as a worker would put it there: no checkout tells of it. */
function forge(branch = 'main'): string {
  const forged = git('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'Forged\u001b[2J');
  writeFileSync(join(crew.repo, '.git/refs/heads', branch), `${forged}\n`);
  return forged;
}

const status = z.looseObject({
  attention: z.array(z.looseObject({ waiting_for: z.string(), title: z.string(), answer_with: z.array(z.string()) })),
});
const needs = async () =>
  (await crew.call(crewStatus, status)).attention.filter(({ waiting_for }) => waiting_for === 'ref_moved');
const movedEvents = async (of: Resting) => (await crew.events(of)).filter(({ type }) => type === 'ref_moved');

it('a branch that a worker moved takes no landing, is told once, and names who could have moved it', async () => {
  const from = tip();
  const ada = await unwalled({ file: 'a.txt' });
  const to = forge();
  const refused = { code: 'target_moved', hint: expect.stringContaining('crewmux trust --branch main') };
  await expect(land(crew, ada, untested)).rejects.toMatchObject(refused);
  await expect(land(crew, ada, { ...untested, dry_run: true })).rejects.toMatchObject(refused);
  expect(tip()).toBe(to);
  expect(await movedEvents(ada)).toEqual([
    { type: 'ref_moved', data: { in: crew.repo, branch: 'main', from, to, workers: [ada.name] } },
  ]);
  expect(await needs()).toEqual([
    expect.objectContaining({
      session_id: ada.id,
      title: `The branch main of ${crew.repo} was moved from ${from.slice(0, 12)} to ${to.slice(0, 12)}`,
      detail: expect.stringContaining(ada.name),
      answer_with: [`cd ${crew.repo} && crewmux trust --branch main`],
    }),
  ]);
});

it("a fork does not begin at a closed worker's branch that another moved", async () => {
  await unwalled();
  const bea = await crew.author('b.txt', 'text\n');
  await crew.note(bea, { phase: 'closed' });
  await land(crew, bea, { ...untested, dry_run: true });
  forge(bea.branch);
  const config = join(crew.sandbox.home, '.config/crewmux/config.json');
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify({ commands: { claude: '/bin/true' } }));
  const order = { project: crew.repo, agentType: 'claude', sandbox: false, resume: bea.id, fork: true };
  const calm = { signal: new AbortController().signal, tell: () => undefined };
  expect((await crew.crew.start({ workers: [order] }, calm)).failed).toMatchObject([
    { step: 'worktree', error: expect.stringContaining(`target_moved: The branch ${bea.branch} of`) },
  ]);
});

it('a start from it and a pull request to it fail, and make nothing', async () => {
  const ada = await unwalled({ file: 'a.txt' });
  forge();
  const worktrees = git('worktree', 'list');
  const config = join(crew.sandbox.home, '.config/crewmux/config.json');
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify({ commands: { claude: '/bin/true' } }));
  await expect(crew.call(openPullRequest, z.unknown(), { session_id: ada.id })).rejects.toMatchObject({
    code: 'target_moved',
  });
  const calm = { signal: new AbortController().signal, tell: () => undefined };
  const bases = ['main', 'refs/heads/main', 'HEAD', 'main~1'];
  const orders = bases.map((base, at) => ({
    project: crew.repo,
    name: `bea-${at}`,
    agentType: 'claude',
    sandbox: false,
    worktree: { base },
  }));
  const { failed } = await crew.crew.start({ workers: orders }, calm);
  expect(failed.map(({ step, error }) => [step, error.split(':')[0]])).toEqual(
    bases.map(() => ['worktree', 'target_moved']),
  );
  expect(git('worktree', 'list')).toBe(worktrees);
});

it('one set back to where it was is no trouble any more', async () => {
  const from = tip();
  const ada = await unwalled({ file: 'a.txt' });
  forge();
  await expect(land(crew, ada, untested)).rejects.toMatchObject({ code: 'target_moved' });
  git('reset', '-q', '--hard', from);
  expect(await land(crew, ada, untested)).toMatchObject({ outcome: 'landed' });
  expect(await needs()).toEqual([]);
});

it('a commit, a pull and a rebase of the user in the main checkout ask nothing while eight workers live', async () => {
  const elsewhere = join(crew.sandbox.root, 'elsewhere');
  git('clone', '-q', crew.repo, elsewhere);
  git('remote', 'add', 'origin', elsewhere);
  const workers: Resting[] = [];
  for (let at = 0; at < 8; at += 1) workers.push(await unwalled({ file: `f${at}.txt` }));
  const [first, second, third, fourth] = workers;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error();
  crew.commit(crew.repo, 'mine.txt', 'mine\n');
  git('commit', '-q', '--amend', '-m', 'Mine');
  expect(await land(crew, first, untested)).toMatchObject({ outcome: 'landed' });
  crew.commit(elsewhere, 'theirs.txt', 'theirs\n');
  git('pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main');
  expect(await land(crew, second, untested)).toMatchObject({ outcome: 'landed' });
  crew.commit(elsewhere, 'more.txt', 'more\n');
  crew.commit(crew.repo, 'again.txt', 'again\n');
  git('pull', '-q', '--rebase', 'origin', 'main');
  git('checkout', '-q', '-b', 'wip');
  crew.commit(crew.repo, 'wip.txt', 'wip\n');
  git('checkout', '-q', 'main');
  git('rebase', '-q', 'wip');
  git('stash', 'list');
  expect(await land(crew, third, untested)).toMatchObject({ outcome: 'landed' });
  git('reset', '-q', '--hard', 'HEAD~1');
  git('gc', '-q', '--prune=now');
  git('reflog', 'expire', '--expire=now', '--all');
  crew.commit(crew.repo, 'last.txt', 'last\n');
  expect(await land(crew, fourth, untested)).toMatchObject({ outcome: 'landed' });
  const events = await Promise.all(workers.map(movedEvents));
  expect(events.flat()).toEqual([]);
  expect(await needs()).toEqual([]);
});

it('a commit of the user on what a worker forged does not make that his own', async () => {
  const ada = await unwalled({ file: 'a.txt' });
  forge();
  crew.commit(crew.repo, 'mine.txt', 'mine\n');
  await expect(land(crew, ada, untested)).rejects.toMatchObject({ code: 'target_moved' });
});

it('a landing on a branch that no checkout is on moves it for everybody', async () => {
  git('branch', 'release');
  const ada = await unwalled({ file: 'a.txt' });
  const bea = await unwalled({ file: 'b.txt' });
  expect(await land(crew, ada, { ...untested, into: 'release' })).toMatchObject({ outcome: 'landed' });
  expect(await land(crew, bea, { ...untested, into: 'release' })).toMatchObject({ outcome: 'landed' });
  forge('release');
  await expect(land(crew, bea, { ...untested, into: 'release' })).rejects.toMatchObject({ code: 'target_moved' });
});

it('what the last such worker moved before its end is found, and what moves after it is the user', async () => {
  const ada = await unwalled({ file: 'a.txt' });
  const bea = await crew.author('b.txt', 'b\n');
  const cara = await crew.author('c.txt', 'c\n');
  const from = tip();
  forge();
  await crew.note(ada, { phase: 'dead', endedAt: Date.now() });
  await expect(land(crew, bea, untested)).rejects.toMatchObject({ code: 'target_moved' });
  git('reset', '-q', '--hard', from);
  expect(await land(crew, bea, untested)).toMatchObject({ outcome: 'landed' });
  expect(kept()).toBe(false);
  forge();
  git('reset', '-q', '--hard');
  expect(await land(crew, cara, untested)).toMatchObject({ outcome: 'landed' });
});

it('of workers that are walled, or in no sandbox, nothing is kept', async () => {
  const ada = await crew.author('a.txt', 'a\n');
  const bea = await crew.author('b.txt', 'b\n');
  await crew.note(ada, { phase: 'live', launch: { ...ada.launch, sandbox: 'on', writesRefs: false } });
  await crew.note(bea, { phase: 'live', launch: { ...bea.launch, sandbox: 'off' } });
  forge();
  git('reset', '-q', '--hard');
  expect(await land(crew, ada, untested)).toMatchObject({ outcome: 'landed' });
  expect(kept()).toBe(false);
});
