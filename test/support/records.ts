// Worker records for tests, with everything that does not matter filled in.
import type { WorkerRecord } from '../../src/model/worker.ts';

export function workerRecord(change: Partial<WorkerRecord> & { readonly paneId?: string } = {}): WorkerRecord {
  const { paneId, ...rest } = change;
  const pane = {
    socket: 's',
    serverPid: 1,
    serverStartedAt: 1,
    paneId: paneId ?? '%0',
    windowId: '@0',
    session: 'crew',
    pid: 2,
  };
  return {
    id: '00000000',
    name: 'ada',
    agentType: 'claude',
    phase: 'live',
    crew: 'crew',
    projectPath: '/repo',
    ownsWorktree: false,
    permissionMode: 'manual',
    colour: 'colour39',
    source: 'spawned',
    manager: { pid: 1, processStart: '1' },
    createdAt: 1_000,
    restarts: 0,
    launch: {
      number: 1,
      dir: '/launch',
      command: ['claude'],
      agentSessionId: 'u',
      transcriptPath: '/t.jsonl',
      skipPermissions: false,
      startedAt: 1_000,
      withPrompt: false,
    },
    ...(paneId === undefined ? {} : { pane }),
    ...rest,
  };
}
