// The main job as a user sees it, with scripted agents in place of models.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const task = (name: string) =>
  [`Please write ${name}.txt.`, `WRITE ${name}.txt by ${name}`, commitOf(name), `SAY ${name} is done`].join('\n');
const commitOf = (name: string) => `BASH git add ${name}.txt && git commit -q -m "Add ${name}"`;

it('two workers write, commit, answer and go on; the repository gains two branches and nothing else', async () => {
  const { repo, sandbox } = stand;
  const git = (...args: string[]) => sandbox.git(repo, ...args);
  const before = { head: git('rev-parse', 'HEAD'), files: readdirSync(repo).sort() };

  const made = await server.spawn(
    { prompt: task('A'), annotation: 'task A', skip_permissions: true },
    { prompt: task('B'), annotation: 'task B', skip_permissions: true },
  );
  expect(made.failed).toEqual([]);
  const [a, b] = made.sessions;
  if (a === undefined || b === undefined) throw new Error('two workers were asked for');
  expect(await server.wait([a, b])).toMatchObject({ all_idle: true, timed_out: false, attention: [] });
  for (const [name, worker] of Object.entries({ A: a, B: b })) {
    expect(await server.lastWords(worker)).toBe(`${name} is done`);
    expect(git('show', `${worker.branch}:${name}.txt`)).toBe(`by ${name}`);
    expect(git('log', '--format=%s', `${before.head}..${worker.branch}`)).toBe(`Add ${name}`);
  }

  const again = await server.message(a, 'SAY and again', { wait_mode: 'all', timeout: 60 });
  expect(again).toMatchObject({ success: true, verdict: 'submitted', turn: { ended_by: 'completed' } });
  expect(await server.lastWords(a)).toBe('and again');

  expect(await server.close(a)).toEqual({ success: true, worktree: 'removed', branch: a.branch });
  expect(await server.close(b)).toEqual({ success: true, worktree: 'removed', branch: b.branch });
  expect(git('rev-parse', 'HEAD')).toBe(before.head);
  expect(git('status', '--porcelain')).toBe('');
  expect(readdirSync(repo).filter((name) => name !== '.worktrees')).toEqual(before.files);
  const branches = git('for-each-ref', '--format=%(refname:short)').split('\n').sort();
  expect(branches).toEqual([a.branch, b.branch, 'main'].sort());
});

const brief = z.looseObject({ name: z.string(), doing: z.looseObject({}).optional() });
const seen = z.object({ workers: z.array(brief) });

it('who looks at three workers pays little for it, and reads what each of them does', async () => {
  const [ada, ben, cleo] = (
    await server.spawn(
      { name: 'ada', prompt: 'SAY all of it is done', annotation: 'Checkout form' },
      { name: 'ben', prompt: 'BASH sleep 60', annotation: 'Payment page', skip_permissions: true },
      { name: 'cleo', prompt: 'HOLD little', annotation: 'List of orders' },
    )
  ).sessions;
  if (ada === undefined || ben === undefined || cleo === undefined) throw new Error('three workers were asked for');
  await server.until(ada.session_id, 'idle');
  const doing = async (name: string) =>
    (await server.call('list_workers', seen)).workers.find((one) => one.name === name)?.doing;
  await eventually('ben uses a tool', async () => (await doing('ben'))?.kind === 'tool');
  await eventually('cleo thinks', async () => (await doing('cleo'))?.kind === 'thinking');
  const listed = await server.call('list_workers', seen);
  const asAtHome = (answer: unknown) => JSON.stringify(answer).replaceAll(stand.repo, '/home/ada/web-shop');
  const { workers } = z.object({ workers: z.array(z.looseObject({})) }).parse(JSON.parse(asAtHome(listed)));
  const lengths = workers.map(({ doing: _, ...one }) => JSON.stringify(one).length);
  expect(lengths.filter((length) => length > 550)).toEqual([]);
  expect(listed.workers.map(({ doing }) => doing)).toMatchObject([
    undefined,
    { kind: 'tool', tool: 'Bash', detail: 'sleep 60' },
    { kind: 'thinking' },
  ]);
  const status = await server.call('crew_status', z.looseObject({ workers: z.looseObject({}) }));
  expect(asAtHome(status).length).toBeLessThanOrEqual(2_000);
  expect(status.workers).toMatchObject({ working: [{ detail: 'Bash sleep 60' }, { detail: 'thinking' }] });
  for (const worker of [ada, ben, cleo]) await server.close(worker, true);
});
