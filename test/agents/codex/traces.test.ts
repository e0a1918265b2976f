import { expect, it } from 'vitest';
import { traces } from '../../../src/agents/codex/traces.ts';

it('a transcript is looked for in the days around the start that its conversation’s id tells', () => {
  const agentSessionId = '01a1fca3-b185-7c62-bd3d-3b87c19475a2';
  // Codex takes an empty CODEX_HOME for none.
  expect(traces({ cwd: '/p', agentSessionId, env: { HOME: '/home/a', CODEX_HOME: '' } })).toEqual({
    transcriptAmong: {
      dirs: [
        '/home/a/.codex/sessions/2026/11/21',
        '/home/a/.codex/sessions/2026/11/20',
        '/home/a/.codex/sessions/2026/11/22',
        '/home/a/.codex/archived_sessions',
      ],
      ending: `-${agentSessionId}.jsonl`,
    },
  });
});

it('an id that tells no time is looked for nowhere', () => {
  for (const agentSessionId of ['', 'b1b1b1b1-0000-4000-8000-000000000000']) {
    expect(traces({ cwd: '/p', agentSessionId, env: {} })).toEqual({});
  }
});
