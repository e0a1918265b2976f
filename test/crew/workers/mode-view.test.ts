import { expect, it } from 'vitest';
import { workerView } from '../../../src/crew/workers/view.ts';
import type { WorkerRecord } from '../../../src/model/worker.ts';
import { workerRecord } from '../../support/records.ts';
import { hookPrompt, type Loose, launched, play, ready } from '../../turn/turn-signals.ts';

const modeOf = (record: WorkerRecord, ...signals: readonly Loose[]) =>
  workerView(record, {
    turn: play([launched, ready, ...signals]),
    managerAlive: true,
    mine: true,
    attach: undefined,
  }).permission_mode;
const accepts: Loose = { from: 'hook', kind: 'prompt', text: 'go', mode: 'acceptEdits' };
const plain = workerRecord();
const skipping = workerRecord({
  permissionMode: 'bypassPermissions',
  launch: { ...plain.launch, skipPermissions: true },
});

it.each<[string, string, WorkerRecord, readonly Loose[]]>([
  ['as it was spawned, while its agent tells nothing', 'manual', plain, [hookPrompt()]],
  ['what its agent told last', 'acceptEdits', plain, [accepts, hookPrompt()]],
  ['as it was spawned, after the next launch', 'manual', plain, [accepts, launched, ready]],
  ['that it skips permissions, whatever its agent calls that', 'bypassPermissions', skipping, [accepts]],
])('the permission mode of a worker is shown %s', (_, mode, record, signals) => {
  expect(modeOf(record, ...signals)).toBe(mode);
});
