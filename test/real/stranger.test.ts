// A stranger's repository, three real agents on it, and a user who goes on editing: nothing of the stranger's runs by our
// hand, nothing of the user's is touched, and nothing looks undone.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

const landing = z.looseObject({ outcome: z.string(), checkout: z.string(), files: z.array(z.string()) });
const seen = z.looseObject({ worktrees: z.array(z.looseObject({ path: z.string() })) });

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

/** A configuration that names programs and wishes, in a commit. */
function commitStrangers(trap: string): void {
  const { repo } = crew;
  mkdirSync(join(repo, '.crewmux'));
  const named = {
    commands: { claude: [trap], codex: [trap] },
    defaults: { skip_permissions: true },
    worktrees: { setup_commands: [trap], dir: join(crew.home.sandbox.root, 'elsewhere') },
    notifications: { command: [trap], events: ['idle'] },
    merge: { test_command: trap },
  };
  writeFileSync(join(repo, '.crewmux/config.json'), JSON.stringify(named));
  writeFileSync(join(repo, 'notes.txt'), 'one\n');
  crew.home.sandbox.git(repo, 'add', '-A');
  crew.home.sandbox.git(repo, 'commit', '-q', '-m', "A stranger's");
}

/** What code can write that a worker without a sandbox runs. */
function plant(trap: string, { bob, cod }: Readonly<Record<'bob' | 'cod', Worker>>): void {
  const { repo } = crew;
  const config = join(repo, '.git/config');
  const drivers = `[filter "x"]\n clean = ${trap}\n smudge = ${trap}\n[diff]\n external = ${trap}\n`;
  writeFileSync(config, `[core]\n fsmonitor = ${trap}\n${drivers}`, { flag: 'a' });
  writeFileSync(join(bob.project_path, '.gitattributes'), '* filter=x\n');
  for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction'])
    copyFileSync(trap, join(repo, '.git/hooks', hook));
  writeFileSync(join(cod.project_path, '.git'), `gitdir: ${repo}/.git\n`);
}

test('a repository that names programs, and a worker that plants some, run none of them', async () => {
  const { repo } = crew;
  const { sandbox } = crew.home;
  const git = (...args: string[]) => sandbox.git(repo, ...args);
  const ran = join(sandbox.root, 'ran');
  const trap = join(sandbox.root, 'trap');
  writeFileSync(trap, `#!/bin/sh\necho "\${CREWMUX_WORKER:+agent }$0 $*" >>'${ran}'\n[ -t 0 ] || cat\n`, {
    mode: 0o755,
  });
  commitStrangers(trap);
  const made = await crew.spawn(
    {
      name: 'ada',
      prompt: 'WRITE ada.txt by ada\nBASH git add . && git commit -q -m Ada\nSAY done',
      skip_permissions: true,
    },
    { name: 'bob', prompt: 'WRITE bob.txt by bob\nSAY done', skip_permissions: true },
    { name: 'cod', prompt: 'PATCH cod.txt|by cod\nSAY done', skip_permissions: true, agent_type: 'codex' },
  );
  const [ada, bob, cod] = made.sessions;
  if (ada === undefined || bob === undefined || cod === undefined) throw new Error(JSON.stringify(made.failed));
  const all = [ada, bob, cod];
  await crew.wait(all.map((one) => one.session_id));
  expect(existsSync(join(sandbox.root, 'elsewhere'))).toBe(false);

  plant(trap, { bob, cod });
  for (const worker of [bob, cod]) await crew.message(worker, 'SAY again', { wait_mode: 'all', timeout: 120 });
  // The agents may ask git something by themselves.
  const traps = () =>
    (existsSync(ran) ? readFileSync(ran, 'utf8') : '').split('\n').filter((line) => !line.startsWith('agent '));
  const before = traps();

  writeFileSync(join(repo, 'notes.txt'), 'one\nof the user\n');
  const looked = await crew.call('list_worktrees', seen, { repo_path: repo });
  expect(JSON.stringify(looked.worktrees)).toContain('is not tied any more');
  const landed = await crew.call('merge_worker', landing, { session_id: 'ada', test_command: '' });
  expect(landed).toMatchObject({ outcome: 'landed', checkout: 'updated', files: ['ada.txt'] });
  await expect(crew.call('merge_worker', landing, { session_id: 'cod', test_command: '' })).rejects.toThrow(
    'is not tied any more to where it was made',
  );
  const closed = await crew.call('close_workers', z.looseObject({ results: z.record(z.string(), z.looseObject({})) }), {
    session_ids: all.map((one) => one.session_id),
    force: true,
  });
  expect(closed.results[cod.session_id]).toMatchObject({ worktree: 'removed', salvage: expect.any(String) });

  expect(readFileSync(join(repo, 'notes.txt'), 'utf8')).toBe('one\nof the user\n');
  expect(readFileSync(join(repo, 'ada.txt'), 'utf8').trim()).toBe('by ada');
  const quiet = ['core.fsmonitor=', 'core.hooksPath=/dev/null', 'filter.x.clean=', 'diff.external='].flatMap((one) => [
    '-c',
    one,
  ]);
  expect(git(...quiet, 'status', '--porcelain', '--', '*.txt').trim()).toBe('M notes.txt');
  const saved = String(closed.results[cod.session_id]?.salvage);
  expect(git(...quiet, 'show', `${saved}:cod.txt`)).toContain('by cod');
  expect(traps()).toEqual(before);
});
