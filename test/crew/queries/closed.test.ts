import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { closeWorkers } from '../../../src/tools/close-workers.ts';
import { examineWorker } from '../../../src/tools/examine-worker.ts';
import { listWorkers } from '../../../src/tools/list-workers.ts';
import { workerRecord } from '../../support/records.ts';
import { openRestingCrew, type RestingCrew } from '../../support/resting-crew.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

const worker = z.looseObject({ session_id: z.string(), status: z.string(), project_path: z.string() });
const listed = z.looseObject({ workers: z.array(worker) });

it('a closed worker shows its worktree for as long as that is there, and the project from then on', async () => {
  const { pane } = workerRecord({ paneId: '%77' });
  const { id, worktreePath } = await crew.worker(pane === undefined ? {} : { record: { pane } });
  const seen = async () => {
    const { workers } = await crew.call(listWorkers, listed, { include_closed: true });
    return [workers.find((one) => one.session_id === id), await crew.call(examineWorker, worker, { session_id: id })];
  };
  await crew.note({ id }, { phase: 'closed', endedAt: 1 });
  for (const one of await seen()) {
    expect(one).toMatchObject({ status: 'closed', project_path: worktreePath, worktree_path: worktreePath });
  }
  await crew.call(closeWorkers, z.looseObject({}), { session_ids: [id] });
  for (const one of await seen()) {
    expect(one).toMatchObject({ status: 'closed', project_path: crew.repo });
    expect(one).not.toHaveProperty('worktree_path');
  }
});
