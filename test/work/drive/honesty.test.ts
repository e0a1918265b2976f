import { expect, it } from 'vitest';
import type { Crew } from '../../../src/crew/api.ts';
import { ended } from '../../../src/model/task-progress.ts';
import { performTask } from '../../../src/work/drive/perform.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { facts, task, work, worker } from '../parts.ts';

const run = { signal: new AbortController().signal, tell: () => undefined };

function act(what: 'stop' | 'close', given: TaskGiven, crew: Partial<Crew>) {
  const one = task({ worker, attempt: 1, ...given });
  const acting = {
    crew: { ...stubCrew(() => undefined), ...crew },
    ...{ folder: '/never', run, claimed: new Set<string>() },
    facts: () => facts({ tasks: [one], works: [work({ status: 'working', isIdle: false })] }),
  };
  return performTask(acting, what, one);
}

it('a cancelled task says that its worker may still be at work where nothing shows its end', async () => {
  const interrupt: Crew['interrupt'] = async () => ({
    w: { success: false, outcome: 'unconfirmed', detail: 'ada still shows working after 5 s' },
  });
  const change = await act('stop', { state: 'running', isCancelled: true }, { interrupt });
  expect(change).toMatchObject({
    progress: { is: 'ended', how: 'cancelled' },
    reason: 'cancelled; ada may still be at work: ada still shows working after 5 s',
  });
});

it('a landed task says why its worker was not closed', async () => {
  const close: Crew['close'] = async () => ({
    w: { success: false, worktree: 'kept', branch: 'ada', warning: 'worker_busy: ada is working.' },
  });
  const change = await act('close', { state: 'landed' }, { close });
  expect(change).toEqual({
    progress: { ...ended('landed'), isSeenTo: true },
    reason: 'its worker was not closed: worker_busy: ada is working.',
  });
});
