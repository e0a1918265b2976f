import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openStand, type Stand } from './crew.ts';
import { addGithub, fakeGh } from './gh.ts';

let stand: Stand;
let source: string;
beforeEach(() => {
  stand = openStand();
  source = stand.sandbox.repo('source');
  for (const subject of ['One', 'Two']) git(source, 'commit', '-q', '--allow-empty', '-m', subject);
});
afterEach(() => stand.dispose());

const git = (at: string, ...args: string[]) => stand.sandbox.git(at, ...args);
const below = (name: string) => join(stand.sandbox.root, name);
const clone = (name: string, ...how: string[]) => {
  git(stand.sandbox.root, 'clone', '-q', ...how, `file://${source}`, name);
  git(below(name), 'remote', 'remove', 'origin');
  return below(name);
};

it.each([
  ['bare', () => clone('bare.git', '--bare')],
  ['shallow', () => clone('shallow', '--depth=1')],
  ['oddly placed', () => clone("a place'with ü")],
])('in a %s repository work is synced and proposed', async (kind, make) => {
  const repo = make();
  const bare = addGithub(stand.sandbox, repo);
  const server = await stand.serve({ PATH: fakeGh(stand.sandbox).path });
  const ada = await server.one({ prompt: 'SAY ready', project_path: repo });
  await server.wait([ada]);
  const [worktree = '', branch = ''] = [ada.worktree_path, ada.branch];
  git(worktree, 'commit', '-q', '--allow-empty', '-m', 'Own');
  const mover = below('mover');
  git(repo, 'worktree', 'add', '-q', '--detach', mover, 'main');
  mkdirSync(join(mover, 'd ü'));
  writeFileSync(join(mover, 'd ü', 'line\nend'), kind);
  git(mover, 'add', '-A');
  git(mover, 'commit', '-q', '-m', 'Gain');
  git(repo, 'update-ref', 'refs/heads/main', git(mover, 'rev-parse', 'HEAD'));
  const call = (tool: string) => server.call(tool, z.looseObject({}), { session_id: ada.name });
  expect(await call('sync_worker')).toMatchObject({ outcome: 'synced', commits_replayed: 1 });
  expect([git(worktree, 'status', '--porcelain'), git(repo, 'rev-parse', `${branch}~1`)]).toEqual([
    '',
    git(repo, 'rev-parse', 'main'),
  ]);
  git(repo, 'push', '-q', 'origin', 'main');
  expect(await call('open_pull_request')).toMatchObject({ success: true, base: 'main', commits: 1 });
  expect(git(bare, 'rev-parse', branch)).toBe(git(repo, 'rev-parse', branch));
});
