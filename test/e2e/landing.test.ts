import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { mergeWorker } from '../../src/tools/merge-worker.ts';
import { openPullRequest } from '../../src/tools/open-pull-request.ts';
import { syncWorker } from '../../src/tools/sync-worker.ts';
import { submitReport } from '../../src/tools/worker/submit-report.ts';
import { eventually } from '../support/sandbox.ts';
import { unhurriedMs } from '../support/unhurried.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { addGithub, type FakeGh, fakeGh, url } from './gh.ts';

interface Placed extends Worker {
  readonly branch: string;
  readonly worktree_path: string;
}

let stand: Stand;
let server: Server;
let gh: FakeGh;
let bare: string;
let workers: ReadonlyMap<string, Placed>;
beforeAll(async () => {
  stand = openStand();
  gh = fakeGh(stand.sandbox);
  bare = addGithub(stand.sandbox, stand.repo);
  server = await stand.serve({ PATH: gh.path, GH_REPO: 'somebody/else' });
  const { sessions } = await server.spawn(
    { name: 'ada', prompt: 'WRITE same.txt by ada\nSAY done', skip_permissions: true },
    { name: 'ben', prompt: 'WRITE same.txt by ben\nSAY done', skip_permissions: true },
    { name: 'cleo', prompt: 'SAY ready' },
    { name: 'dora', prompt: 'SAY ready' },
  );
  await server.wait(sessions, { timeout: 60 });
  workers = new Map(sessions.map((one) => [one.name, placed(one)]));
}, unhurriedMs);
afterAll(() => stand.dispose());

function placed(of: Worker): Placed {
  const { branch, worktree_path } = of;
  if (branch === undefined || worktree_path === undefined) throw new Error('no worktree');
  return { ...of, branch, worktree_path };
}

function workerNamed(name: string): Placed {
  const found = workers.get(name);
  if (found === undefined) throw new Error(`${name} was not spawned`);
  return found;
}

const git = (cwd: string, ...args: string[]) => stand.sandbox.git(cwd, ...args);
const answered = z.looseObject({ success: z.boolean(), outcome: z.string() });
const land = (of: Worker, more = {}, by = server) =>
  by.call(mergeWorker.name, answered, { session_id: of.name, ...more });
const sync = (of: Worker, by = server) => by.call(syncWorker.name, answered, { session_id: of.name });
const eventsOf = async (of: Worker) => (await server.events()).filter(({ worker_id }) => worker_id === of.session_id);

function commit(at: string, file: string, text: string): string {
  writeFileSync(join(at, file), text);
  git(at, 'add', '-A');
  git(at, 'commit', '-q', '-m', `Write ${file}`);
  return git(at, 'rev-parse', 'HEAD');
}

it(
  'an agent’s work lands and its worker closes, and one that disagrees reads the prompt to solve it',
  async () => {
    const [ada, ben] = [workerNamed('ada'), workerNamed('ben')];
    const [readme, inTheWay] = ['README.md', 'same.txt'].map((name) => join(stand.repo, name));
    writeFileSync(readme ?? '', 'my own words\n');
    writeFileSync(inTheWay ?? '', 'mine\n');
    await expect(land(ada)).rejects.toMatchObject({
      code: 'checkout_in_the_way',
      message: expect.stringMatching(/: same\.txt\./),
    });
    rmSync(inTheWay ?? '');
    const landed = await land(ada, { close: true });
    expect(git(stand.repo, 'status', '--porcelain')).toBe(' M README.md');
    git(stand.repo, 'checkout', '-q', 'README.md');
    expect(landed).toMatchObject({
      ...{ success: true, outcome: 'landed', checkout: 'updated', files: ['same.txt'] },
      ...{ tests: { status: 'none' }, closed: { success: true, worktree: 'removed' } },
    });
    expect(readFileSync(join(stand.repo, 'same.txt'), 'utf8').trim()).toBe('by ada');
    expect(existsSync(ada.worktree_path)).toBe(false);
    const told = await land(ben, { send_back: true });
    expect(told).toMatchObject({ success: false, outcome: 'conflict', sent_back: { verdict: 'submitted' } });
    expect(told.conflicts).toMatchObject([{ file: 'same.txt', theirs: [{ owner: 'ada' }] }]);
    const { prompt } = z.looseObject({ prompt: z.string() }).parse(told);
    await eventually('the worker has the prompt', async () => (await server.prompts(ben)).includes(prompt.trimEnd()));
    expect((await eventsOf(ben)).map(({ type }) => type)).toContain('bounced');
  },
  unhurriedMs,
);

/** A filter holds every checkout of a file in the worktree of a worker until it is let go. */
function slowFile(of: Placed, name: string) {
  const [reached, go] = ['reached', 'go'].map((what) => join(stand.sandbox.root, `${of.name}-${name}-${what}`));
  const script = join(stand.sandbox.root, `${name}.sh`);
  const waits = `case "$PWD" in */${basename(of.worktree_path)}) touch ${reached}; while [ ! -e ${go} ]; do sleep 0.05; done;; esac; cat`;
  writeFileSync(script, waits);
  git(stand.repo, 'config', '--global', 'filter.slow.smudge', `sh ${script}`);
  git(stand.repo, 'config', '--global', 'filter.slow.clean', 'cat');
  writeFileSync(join(stand.repo, '.gitattributes'), 'slow* filter=slow\n');
  commit(stand.repo, `slow-${name}`, `${of.branch}\n`);
  return {
    reached: () => eventually('its files change', () => existsSync(reached ?? '')),
    go: () => writeFileSync(go ?? '', ''),
  };
}

it(
  'a worker that works is left alone, and what is sent to it while it syncs reaches it when its files have changed',
  async () => {
    const cleo = workerNamed('cleo');
    commit(cleo.worktree_path, 'spoken.txt', 'x\n');
    await server.message(cleo, 'HOLD busy\nSAY done');
    await server.until(cleo.session_id, 'working');
    for (const tool of [mergeWorker, syncWorker, openPullRequest]) {
      const call = server.connection.call(tool.name, { session_id: cleo.name });
      await expect(call).rejects.toMatchObject({ code: 'worker_busy' });
    }
    stand.release('busy');
    await server.wait([cleo], { timeout: 60 });
    const slow = slowFile(cleo, 'spoken');
    const synced = sync(cleo);
    await slow.reached();
    let isSent = false;
    const sent = server.message(cleo, 'SAY heard').finally(() => {
      isSent = true;
    });
    await server.look(cleo.session_id);
    expect(isSent).toBe(false);
    slow.go();
    expect(await synced).toMatchObject({ success: true, outcome: 'synced', strategy: 'rebase', commits_replayed: 1 });
    expect(await sent).toMatchObject({ verdict: 'submitted' });
    await server.wait([cleo], { timeout: 60 });
    expect(await server.lastWords(cleo)).toContain('heard');
    expect((await eventsOf(cleo)).map(({ type }) => type)).toContain('synced');
  },
  unhurriedMs,
);

it('a person who begins a turn while a worker syncs is told of', async () => {
  const cleo = workerNamed('cleo');
  const slow = slowFile(cleo, 'typed');
  const synced = sync(cleo);
  await slow.reached();
  stand.keys(cleo, 'HOLD typed', 'Enter');
  await server.until(cleo.session_id, 'working');
  slow.go();
  expect(await synced).toMatchObject({
    outcome: 'synced',
    hint: expect.stringContaining(`${cleo.name} is working by now`),
  });
  stand.release('typed');
  await server.wait([cleo], { timeout: 60 });
});

it('a branch is pushed and proposed, with what its worker has reported, from the name of the worker alone', async () => {
  const dora = workerNamed('dora');
  git(stand.repo, 'push', '-q', 'origin', 'main');
  git(dora.worktree_path, 'reset', '-q', '--hard', 'main');
  commit(dora.worktree_path, 'cart.txt', 'x\n');
  const report = {
    ...{ files_changed: [], what_done: 'The cart.', what_open: '', what_tested: 'npm test' },
    ...{ what_untested: '', next_steps: '', errors_encountered: '' },
  };
  await (await stand.toolsOf(dora)).call(submitReport.name, report);
  const proposed = z.looseObject({ body_path: z.string() });
  const told = await server.call(openPullRequest.name, proposed, { session_id: dora.name });
  expect(told).toMatchObject({
    ...{ success: true, url, pushed: true, existing: false, missing: [], commits: 1 },
    ...{ branch: dora.branch, remote: 'origin', base: 'main', title: 'Write cart.txt' },
  });
  expect(git(bare, 'rev-parse', dora.branch)).toBe(git(stand.repo, 'rev-parse', dora.branch));
  expect(gh.calls().at(-1)).toEqual([
    ...['pr', 'create', '--repo', 'acme/app', '--head', dora.branch, '--base', 'main'],
    ...['--title', 'Write cart.txt', '--body-file', told.body_path],
  ]);
  expect(gh.read('body')).toBe(readFileSync(told.body_path, 'utf8'));
  expect(gh.read('body')).toContain(`${dora.name} reports:\n\n> **Done**\n>\n> The cart.`);
  expect(gh.read('body')).toContain('- Write cart.txt');
  expect(statSync(told.body_path).mode & 0o777).toBe(0o600);
  expect(gh.read('surroundings').trim()).toBe('1 0  not a tty');
  expect(await eventsOf(dora)).toContainEqual(
    expect.objectContaining({
      type: 'proposed',
      data: { url, branch: dora.branch, base: 'main', remote: 'origin', is_new: true },
    }),
  );
});

/** Kills a server once it is in the middle of a call. */
async function killedIn(by: Server, call: Promise<unknown>, middle: () => Promise<unknown>): Promise<void> {
  const lost = call.catch(() => undefined);
  await middle();
  process.kill(by.connection.pid, 'SIGKILL');
  await lost;
}

it(
  'a sync and a landing whose servers are killed in their midst are undone by the next, and then go through',
  async () => {
    const first = await stand.serve();
    const eve = placed(await first.one({ name: 'eve' }));
    const before = commit(eve.worktree_path, 'killed.txt', 'x\n');
    const slow = slowFile(eve, 'killed');
    await killedIn(first, sync(eve, first), slow.reached);
    await expect(sync(eve)).rejects.toMatchObject({
      code: 'would_lose_work',
      message: expect.stringContaining('its git is still at work there'),
    });
    slow.go();
    // The index of the worktree follows its files only at the end, so the files go back first.
    expect(await sync(eve)).toMatchObject({ success: true, outcome: 'synced' });
    expect(await eventsOf(eve)).toContainEqual(
      expect.objectContaining({ type: 'reconciled', data: { what: 'a sync that was cut short', sync: 'undone' } }),
    );
    expect(git(stand.repo, 'merge-base', '--is-ancestor', 'main', eve.branch)).toBe('');
    expect(git(eve.worktree_path, 'status', '--porcelain')).toBe('');
    const kept = git(
      stand.repo,
      'for-each-ref',
      '--format=%(objectname)',
      `refs/crewmux/before-sync/${eve.session_id}`,
    );
    expect(kept.split('\n')).toContain(before);

    const config = join(stand.sandbox.root, 'unboxed.json');
    writeFileSync(config, JSON.stringify({ merge: { sandbox: 'off' } }));
    const second = await stand.serve({ CREWMUX_CONFIG: config });
    const started = join(stand.sandbox.root, 'started');
    const suite = `touch ${started}; while [ -d ${stand.sandbox.root} ]; do sleep 0.1; done`;
    await killedIn(second, land(eve, { test_command: suite }, second), () =>
      eventually('its tests run', () => existsSync(started)),
    );
    expect(await land(eve)).toMatchObject({ outcome: 'landed', checkout: 'updated' });
    expect(git(stand.repo, 'worktree', 'list')).not.toContain('scratch');
    expect(readFileSync(join(stand.repo, 'killed.txt'), 'utf8')).toBe('x\n');
  },
  unhurriedMs,
);
