// The main job as a user sees it: two workers, two tasks, their answers, and nothing else changed.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openRealCrew, type RealCrew } from './crew.ts';

const logPage = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const closed = z.object({
  results: z.record(
    z.string(),
    z.object({ success: z.boolean(), worktree: z.string(), branch: z.string().nullable() }),
  ),
});

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew();
});
afterAll(() => crew.dispose());

const task = (name: string) =>
  [`Please write ${name}.txt.`, `WRITE ${name}.txt by ${name}`, commitOf(name), `SAY ${name} is done`].join('\n');
const commitOf = (name: string) => `BASH git add ${name}.txt && git commit -q -m "Add ${name}"`;

test('two workers write, commit, answer and go on; the repository gains two branches and nothing else', async () => {
  const { repo, home } = crew;
  const git = (...args: string[]) => home.sandbox.git(repo, ...args);
  const before = { head: git('rev-parse', 'HEAD'), files: readdirSync(repo).sort() };

  const made = await crew.spawn(
    { prompt: task('A'), annotation: 'task A', skip_permissions: true },
    { prompt: task('B'), annotation: 'task B', skip_permissions: true },
  );
  expect(made.failed).toEqual([]);
  const [a, b] = made.sessions;
  if (a === undefined || b === undefined) throw new Error('two workers were asked for');
  expect(await crew.wait([a.session_id, b.session_id])).toMatchObject({ all_idle: true, timed_out: false });

  for (const [name, worker] of Object.entries({ A: a, B: b })) {
    const said = await crew.call('read_worker_logs', logPage, { session_id: worker.session_id });
    expect(said.messages.at(-1)).toMatchObject({ role: 'assistant', content: `${name} is done` });
    expect(git('show', `${worker.branch}:${name}.txt`)).toBe(`by ${name}`);
    expect(git('log', '--format=%s', `${before.head}..${worker.branch}`)).toBe(`Add ${name}`);
  }

  const again = await crew.message(a, 'SAY and again', { wait_mode: 'all', timeout: 30 });
  expect(again).toMatchObject({ success: true, verdict: 'submitted', turn: { ended_by: 'completed' } });
  const page = await crew.call('read_worker_logs', logPage, { session_id: a.name });
  expect(page.messages.slice(-2)).toMatchObject([{ content: 'SAY and again' }, { content: 'and again' }]);

  const { results } = await crew.call('close_workers', closed, { session_ids: [a.name, b.session_id] });
  expect(results[a.name]).toEqual({ success: true, worktree: 'removed', branch: a.branch });
  expect(results[b.session_id]).toEqual({ success: true, worktree: 'removed', branch: b.branch });
  expect(crew.falseIdles(a)).toEqual([]);
  expect(crew.falseIdles(b)).toEqual([]);

  expect(git('rev-parse', 'HEAD')).toBe(before.head);
  expect(git('status', '--porcelain')).toBe('');
  expect(readdirSync(repo).filter((name) => name !== '.worktrees')).toEqual(before.files);
  const branches = git('for-each-ref', '--format=%(refname:short)').split('\n').sort();
  expect(branches).toEqual([a.branch, b.branch, 'main'].sort());
});
