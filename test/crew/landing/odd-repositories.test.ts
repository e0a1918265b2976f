import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openPullRequest } from '../../../src/tools/open-pull-request.ts';
import { syncWorker } from '../../../src/tools/sync-worker.ts';
import { addGithub, fakeGh } from '../../e2e/gh.ts';
import { restingCrewIn } from '../../support/resting-crew.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let source: string;
beforeEach(() => {
  sandbox = makeSandbox();
  source = sandbox.repo('source');
  for (const subject of ['One', 'Two']) git(source, 'commit', '-q', '--allow-empty', '-m', subject);
});
afterEach(() => sandbox.dispose());

const git = (at: string, ...args: string[]) => sandbox.git(at, ...args);
const below = (name: string) => join(sandbox.root, name);
const clone = (name: string, ...how: string[]) => {
  git(sandbox.root, 'clone', '-q', ...how, `file://${source}`, name);
  git(below(name), 'remote', 'remove', 'origin');
  return below(name);
};

it.each([
  ['bare', () => clone('bare.git', '--bare')],
  ['shallow', () => clone('shallow', '--depth=1')],
  ['oddly placed', () => clone("a place'with ü")],
])('in a %s repository work is synced and proposed', async (kind, make) => {
  const repo = make();
  const bare = addGithub(sandbox, repo);
  const crew = await restingCrewIn(sandbox, repo, { PATH: fakeGh(sandbox).path });
  try {
    const { id, worktreePath, branch } = await crew.worker();
    git(worktreePath, 'commit', '-q', '--allow-empty', '-m', 'Own');
    const mover = below('mover');
    git(repo, 'worktree', 'add', '-q', '--detach', mover, 'main');
    mkdirSync(join(mover, 'd ü'));
    crew.commit(mover, 'd ü/line\nend', kind, 'Gain');
    git(repo, 'update-ref', 'refs/heads/main', git(mover, 'rev-parse', 'HEAD'));
    const call = (tool: typeof syncWorker) => crew.call(tool, z.looseObject({}), { session_id: id });
    expect(await call(syncWorker)).toMatchObject({ outcome: 'synced', commits_replayed: 1 });
    expect([git(worktreePath, 'status', '--porcelain'), git(repo, 'rev-parse', `${branch}~1`)]).toEqual([
      '',
      git(repo, 'rev-parse', 'main'),
    ]);
    git(repo, 'push', '-q', 'origin', 'main');
    expect(await call(openPullRequest)).toMatchObject({ success: true, base: 'main', commits: 1 });
    expect(git(bare, 'rev-parse', branch)).toBe(git(repo, 'rev-parse', branch));
  } finally {
    await crew.dispose();
  }
});
