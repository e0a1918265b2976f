import { describe, expect, it } from 'vitest';
import type { Work } from '../../../src/crew/api.ts';
import type { Task } from '../../../src/model/task.ts';
import { atWork } from '../../../src/model/task-progress.ts';
import { performTask } from '../../../src/work/drive/perform.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { ended, facts, job, task, work, worker } from '../parts.ts';
import { landing } from '../world.ts';

const checked = {
  state: 'landing',
  worker,
  round: 1,
  overAt: 30,
  evidence: { claimed: true, commits: ['a one'] },
} as const;

async function act(what: 'land' | 'propose', one: Task, commits: readonly string[], seen: Partial<Work> = {}) {
  const done: string[] = [];
  const stub = stubCrew(() => undefined);
  const change = await performTask(
    {
      crew: {
        ...stub,
        branchOf: async () => ({ branch: 'ada', commits, behind: 0, dirtyFiles: 0 }),
        async land() {
          done.push('land');
          return landing({ outcome: 'landed', target: 'lane' });
        },
        async propose(...given) {
          done.push('propose');
          return stub.propose(...given);
        },
      },
      ...{ folder: '/never', run: { signal: new AbortController().signal, tell: () => undefined }, claimed: new Set() },
      facts: () => facts({ tasks: [one], works: [work({ turn: ended(), ...seen })] }),
    },
    what,
    one,
  );
  return { done, change };
}

describe.each([
  ['land', job(checked)],
  ['propose', task({ ...checked, onComplete: 'pr' })],
] as const)('%s', (what, one) => {
  it('takes the branch as it was checked', async () => {
    expect((await act(what, one, ['a one'])).done).toEqual([what]);
  });

  it('takes nothing with a commit that was made after the check, and has it checked in another round', async () => {
    const { done, change } = await act(what, one, ['b two', 'a one']);
    expect(done).toEqual([]);
    expect(change).toEqual({ progress: { is: 'landing', isUnchecked: true, overAt: 30 }, round: 2, reason: null });
  });

  it('takes nothing of a worker that was at work meanwhile', async () => {
    const { done, change } = await act(what, one, ['a one'], { turn: { ...ended(), endedAt: 40 } });
    expect(done).toEqual([]);
    expect(change).toEqual({ progress: atWork, reason: null });
  });

  it('is not kept from its end by a branch that a landing has left without commits', async () => {
    expect((await act(what, one, [])).done).toEqual([what]);
  });
});
