import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DestinationRequest, destinationOf, targetsAmong } from '../../../src/worktree/removal/destination.ts';
import { layGround } from '../../support/ground.ts';

const { box, folder: repo } = await layGround();

const git = (...args: string[]) => box.git(repo.mainRepoPath, ...args);
const destination = (more: Partial<DestinationRequest> = {}) =>
  destinationOf({ repo, commit: git('rev-parse', 'work'), branch: 'work', targets: ['main'], start, ...more });
function commit(name: string, message: string) {
  writeFileSync(join(repo.mainRepoPath, name), name);
  git('add', '-A');
  git('commit', '-q', '-m', message);
}
const start = git('rev-parse', 'HEAD');
git('checkout', '-q', '-b', 'work');
commit('one', 'One');
commit('two', 'Two');

test.each<[string, () => void]>([
  ['by a merge', () => git('merge', '-q', '--no-ff', '-m', 'Merge', 'work')],
  [
    'as one commit, with others after it',
    () => {
      git('merge', '-q', '--squash', 'work');
      git('commit', '-q', '-m', 'Squashed');
      commit('later', 'Later');
    },
  ],
  [
    'one by one on another start',
    () => {
      commit('other', 'Other');
      git('cherry-pick', 'main..work');
    },
  ],
])('work that has gone into its target %s is merged', async (_, land) => {
  git('checkout', '-q', 'main');
  land();
  expect(await destination()).toEqual({ is: 'merged', into: 'main' });
});

test('work that is in no branch it was meant for has gone nowhere, its own branch notwithstanding', async () => {
  expect(await destination()).toEqual({ is: 'nowhere' });
  expect(await destination({ targets: ['work', 'heads/work', 'refs/heads/work'] })).toEqual({ is: 'nowhere' });
});

test('what only a merge commit has changed is not merged', async () => {
  git('checkout', '-q', 'main');
  git('merge', '-q', '--squash', 'work');
  git('commit', '-q', '-m', 'Squashed');
  git('checkout', '-q', '-B', 'work', start);
  git('merge', '-q', '--no-ff', '--no-commit', 'main');
  commit('only here', 'Merge main');
  git('checkout', '-q', 'main');
  commit('unrelated', 'On');
  git('checkout', '-q', 'work');
  expect(await destination()).toEqual({ is: 'nowhere' });
});

test('a worktree without a commit of its own holds nothing', async () => {
  expect(await destination({ commit: start })).toEqual({ is: 'nothing' });
});

test('work a remote has is pushed, and merged where the remote has merged it', async () => {
  const remote = box.dir('remote.git');
  box.git(remote, 'init', '-q', '--bare');
  git('remote', 'add', 'origin', remote);
  git('push', '-q', 'origin', 'work', 'main');
  expect(await destination()).toEqual({ is: 'pushed', to: 'origin/work' });
  git('push', '-q', 'origin', 'work:main');
  expect(await destination()).toEqual({ is: 'merged', into: 'origin/main' });
});

test('a target is its branch and what every remote has under that name', () => {
  const refs = ['refs/heads/main', 'refs/heads/work', 'refs/remotes/origin/main', 'refs/remotes/fork/feature/main'];
  const among = (targets: string[]) => targetsAmong(refs, { branch: 'work', targets });
  expect(among(['main'])).toEqual(['refs/heads/main', 'refs/remotes/origin/main']);
  expect(among(['origin/main'])).toEqual(['refs/remotes/origin/main']);
  expect(among(['feature/main', 'work', ''])).toEqual(['refs/remotes/fork/feature/main']);
});
