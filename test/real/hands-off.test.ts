// A crew as it comes, with nothing configured: six workers do everyday work at once, nobody is asked, and all of it lands.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlanOutput, planStatusOutput } from '../../src/wire/plans.ts';
import { waitTasksOutput } from '../../src/wire/tasks.ts';
import { eventsOf } from './asking.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew } from './crew.ts';

let crew: RealCrew;
let busy: ChildProcess | undefined;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
  const { repo } = crew;
  mkdirSync(join(repo, 'src'));
  writeFileSync(join(repo, 'package.json'), JSON.stringify({ name: 'shop', scripts: { test: 'node check.mjs' } }));
  writeFileSync(join(repo, 'src/shop.txt'), 'shop\n');
  writeFileSync(join(repo, 'check.mjs'), `console.log('all is well');\n`);
  crew.home.sandbox.git(repo, 'add', '-A');
  crew.home.sandbox.git(repo, 'commit', '-q', '-m', 'A shop');
});
afterAll(async () => {
  busy?.kill('SIGKILL');
  await crew?.dispose();
});

const agents = { ada: 'claude', ben: 'claude', cleo: 'claude', dan: 'claude', eve: 'codex', finn: 'codex' } as const;
const names = Object.keys(agents);

/** A person's prompt leads to such commands; each notes how it ended, and the notes land with the work. */
function everyday(name: string, round: number): string {
  const own = `src/${name}-${round}`;
  const commands = [
    `sed -i s/first/second/ ${own}.txt && git add -A && git commit -qm "Write ${own}"`,
    `for i in 1 2 3; do echo "line $i" >>${own}.txt; done`,
    'git stash -q && git stash pop -q',
    `n=$(wc -l <${own}.txt); export COUNT=$n; if [ "$COUNT" -ge 3 ]; then echo enough; fi`,
    `find src -name "*.txt" -exec cat {} \\; | head -3`,
    `mkdir -p tmp && touch tmp/x && rm -r tmp`,
    `(cd src && ls) && git commit -qam "Lengthen ${own}"`,
    'git rebase -q main',
    'npm test',
  ].map((line) => `BASH { ${line}; } && echo ok >>${own}.codes || echo "failed: $?" >>${own}.codes`);
  const byTools = [`WRITE ${own}.txt first`, `READ ${own}.txt`, `EDIT ${own}.txt first => first of ${name}`];
  const byCommand = [`BASH echo first of ${name} >${own}.txt`];
  const isClaude = name !== 'eve' && name !== 'finn';
  const last = `BASH git add -A && git commit -qm "Check ${own}"`;
  return [...(isClaude ? byTools : byCommand), ...commands, last, `SAY ${own} is done`].join('\n');
}
const commandCount = 9;

test.each([
  ['on a quiet machine', 1],
  ['again, beside a busy loop', 2],
])('six workers with nothing configured ask nobody, and each lands its own commits %s', async (_, round) => {
  const { sandbox } = crew.home;
  const git = (...args: string[]) => sandbox.git(crew.repo, ...args);
  if (round === 2) busy = spawn(process.execPath, ['-e', 'for (;;);'], { env: sandbox.env, stdio: 'ignore' });
  const since = Date.now();
  const { plan_id, warnings } = await crew.call('create_plan', createPlanOutput, {
    name: `hands-off-${round}`,
    project_path: crew.repo,
    test_command: 'npm test',
    on_complete: 'merge',
    jobs: Object.entries(agents).map(([name, agent_type]) => ({
      ...{ name, agent_type, prompt: everyday(name, round), touch_set: [`src/${name}-*`] },
      depends_on: name === 'finn' ? ['ada', 'eve'] : [],
    })),
  });
  expect(warnings).toEqual([]);
  const ended = await crew.call('wait_tasks', waitTasksOutput, { plan_id, timeout: 500, on_attention: 'any' });
  expect(ended).toMatchObject({ all_ended: true, timed_out: false, attention: [] });
  expect(ended.checkpoint).toBeUndefined();

  const { state, jobs = [] } = await crew.call('plan_status', planStatusOutput, { plan_id });
  expect(state).toBe('completed');
  for (const { name, state: end, worker, evidence } of jobs) {
    expect([name, end]).toEqual([name, 'landed']);
    const own = `src/${name}-${round}`;
    expect(git('show', `main:${own}.codes`).split('\n'), name).toEqual(Array(commandCount).fill('ok'));
    expect(git('show', `main:${own}.txt`)).toMatch(/^second/);
    const record = await crew.look(worker?.session_id ?? '');
    expect([name, record.sandbox]).toEqual([name, 'on']);
    expect(evidence?.commits.length, name).toBeGreaterThan(0);
    const asked = (await eventsOf(crew, record, since)).filter(({ type }) => /waiting|sandbox_failed/.test(type));
    expect(asked).toEqual([]);
  }
  expect(new Set(jobs.map(({ evidence }) => evidence?.landed_at)).size).toBe(names.length);
});
