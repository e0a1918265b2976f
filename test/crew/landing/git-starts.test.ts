import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { closeWorkers } from '../../../src/tools/close-workers.ts';
import { countGitStarts, type GitStarts } from '../../support/git-starts.ts';
import { type Resting, type RestingCrew, restingCrewIn } from '../../support/resting-crew.ts';
import { makeSandbox } from '../../support/sandbox.ts';
import { unhurriedMs } from '../../support/unhurried.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
let starts: GitStarts;
beforeAll(async () => {
  const sandbox = makeSandbox();
  starts = countGitStarts(sandbox);
  crew = await restingCrewIn(sandbox, sandbox.repo('project'), { PATH: starts.path });
});
afterAll(() => crew.dispose());
beforeEach(() => void starts.taken());

/** Of a server that is gone, so that nobody looks after the main checkout at the same time. */
const worker = (): Promise<Resting> =>
  crew.worker({ record: { manager: { pid: process.pid, processStart: 'before' } } });

it(
  'a landing of what is committed starts git at most 20 times',
  async () => {
    const ada = await worker();
    crew.commit(ada.worktreePath, 'committed.txt', 'x\n');
    expect(await land(crew, ada)).toMatchObject({ outcome: 'landed', checkout: 'updated' });
    expect(starts.taken().slice(20)).toEqual([]);
  },
  unhurriedMs,
);

it(
  'a landing that first commits what is left over starts git at most 28 times',
  async () => {
    const ada = await worker();
    writeFileSync(join(ada.worktreePath, 'left.txt'), 'x\n');
    expect(await land(crew, ada)).toMatchObject({ outcome: 'landed', leftovers_committed: 1, checkout: 'updated' });
    expect(starts.taken().slice(28)).toEqual([]);
  },
  unhurriedMs,
);

const closed = z.looseObject({ success_count: z.number() });

it(
  'the closing of a worker whose worktree is clean starts git at most 8 times',
  async () => {
    const ada = await worker();
    crew.commit(ada.worktreePath, 'more.txt', 'x\n');
    expect(await crew.call(closeWorkers, closed, { session_ids: [ada.id] })).toMatchObject({ success_count: 1 });
    expect(starts.taken().slice(8)).toEqual([]);
  },
  unhurriedMs,
);
