// The work of real agents is reviewed, its conflict foreseen, sent back, solved by its worker, and landed.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

const clashes = z.object({
  pairs: z.array(z.object({ a: z.string(), b: z.string(), conflicts: z.array(z.string()) })),
});
const diff = z.object({ diff: z.string(), files: z.array(z.object({ path: z.string(), status: z.string() })) });
const landing = z.looseObject({
  success: z.boolean(),
  outcome: z.string(),
  checkout: z.string(),
  leftovers_committed: z.number(),
  conflicts: z.array(z.object({ file: z.string(), theirs: z.array(z.object({ owner: z.string().optional() })) })),
});

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const git = (...args: string[]) => crew.home.sandbox.git(crew.repo, ...args);
const land = (of: Worker, more = {}) => crew.call('merge_worker', landing, { session_id: of.name, ...more });
const task = (line: string) =>
  `BASH echo ${line} > shared.txt && git add . && git commit -q -m "Say ${line}"\nSAY done`;

test('a clash between a Claude and a Codex worker is foreseen, sent back and solved, and both have landed', async () => {
  const made = await crew.spawn(
    { name: 'ada', prompt: task('ada'), skip_permissions: true },
    { name: 'ben', prompt: task('ben'), skip_permissions: true, agent_type: 'codex' },
  );
  const [ada, ben] = made.sessions;
  if (ada === undefined || ben === undefined) throw new Error(`two were asked for: ${JSON.stringify(made.failed)}`);
  await crew.wait([ada.session_id, ben.session_id]);

  const foreseen = await crew.call('check_conflicts', clashes, {});
  expect(foreseen.pairs).toMatchObject([{ a: 'ada', b: 'ben', conflicts: ['shared.txt'] }]);
  const seen = await crew.call('diff_worker', diff, { session_id: 'ben' });
  expect(seen.files).toMatchObject([{ path: 'shared.txt', status: 'added' }]);
  expect(seen.diff).toContain('+ben');

  expect(await land(ada)).toMatchObject({ success: true, outcome: 'landed', checkout: 'updated' });
  const bounced = await land(ben, { send_back: true });
  expect(bounced).toMatchObject({ success: false, conflicts: [{ file: 'shared.txt', theirs: [{ owner: 'ada' }] }] });
  await crew.idle(ben);
  const asked = crew.home.model.requests.filter((r) => r.cwd === ben.project_path).at(-1);
  expect(asked?.prompt).toContain('does not merge with main');

  const solve = 'git merge -q main; printf "ada\\nben\\n" > shared.txt; git add . && git commit -q -m "Say both"';
  await crew.message(ben, `BASH ${solve}\nSAY solved`, { wait_mode: 'all', timeout: 120 });
  expect(existsSync(ben.project_path)).toBe(true);
  expect(await land(ben, { close: true })).toMatchObject({ success: true, outcome: 'landed', leftovers_committed: 0 });
  expect(git('show', 'main:shared.txt')).toBe('ada\nben');
  expect(git('status', '--porcelain')).toBe('');
  expect(existsSync(ben.project_path)).toBe(false);
  expect([...crew.falseIdles(ada), ...crew.falseIdles(ben)]).toEqual([]);
});
