import { expect } from 'vitest';
import { inspectFolder } from '../../src/worktree/git/inspect.ts';
import { addWorktree } from '../../src/worktree/making/add.ts';
import { removeWorktree } from '../../src/worktree/removal/remove.ts';
import { workState } from '../../src/worktree/state/work-state.ts';
import { harmless, manyFiles, oddNames } from '../support/odd-repositories.ts';
import { workThrough, write } from '../support/odd-way.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { drill, type Luck } from './drill.ts';

const inSandbox = (round: (box: Sandbox, luck: Luck) => Promise<void>) => async (luck: Luck) => {
  const box = makeSandbox();
  try {
    await round(box, luck);
  } finally {
    box.dispose();
  }
};

const strategies = ['ff-only', 'squash', 'merge'] as const;

for (const [turn, [title, build]] of Object.entries(harmless).entries()) {
  drill(
    `${title} is worked in, looked at, landed from and cleaned as any other is`,
    inSandbox(async (box, { seed }) => {
      const round = turn + seed - 1;
      const oddName = oddNames[round % oddNames.length] ?? '';
      await workThrough(box, build(box, 'odd'), { strategies: [strategies[round % 3] ?? 'merge'], oddName });
    }),
  );
}

drill(
  'ten thousand files are checked out, looked at and taken away again',
  inSandbox(async (box) => {
    const { path } = manyFiles(box, 'many');
    const folder = await inspectFolder({ path, env: box.env });
    if (folder === undefined) throw new Error('no repository');
    const name = { workerName: 'ada', workerId: '0a1b2c3d' };
    const added = await addWorktree({ folder, root: '.worktrees', name, base: 'many' });
    write(added.path, 'd7/7.txt', 'changed\n');
    const state = await workState({ worktreePath: added.path, env: box.env });
    expect(state).toMatchObject({ dirtyFiles: 1, untrackedFiles: 0 });
    const { salvage } = await removeWorktree({ repo: folder, path: added.path, force: true, workerId: 'w' });
    expect(box.git(path, 'show', `${salvage?.ref}:d7/7.txt`)).toBe('changed');
  }),
);
