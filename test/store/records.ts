// Worker records for tests.
import type { WorkerRecord } from '../../src/model/worker.ts';

export const workerRecord = (id: string, change: Partial<WorkerRecord> = {}): WorkerRecord => ({
  id,
  name: `name-${id}`,
  agentType: 'claude',
  phase: 'live',
  crew: 'crew',
  projectPath: '/project',
  ownsWorktree: true,
  base: { ref: 'main' },
  permissionMode: 'default',
  colour: 'colour39',
  source: 'spawned',
  manager: { pid: 1, processStart: '1' },
  createdAt: 0,
  restarts: 0,
  launch: {
    number: 1,
    dir: '/launch',
    command: ['claude'],
    agentSessionId: 'x',
    transcriptPath: '/transcript',
    skipPermissions: false,
    startedAt: 0,
    withPrompt: true,
  },
  ...change,
});
