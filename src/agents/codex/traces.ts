// The transcript of Codex: a file that Codex names only when it gets the first prompt.
import { join } from 'node:path';
import { dayMs } from '../../model/time-zone.ts';
import type { Agent } from '../agent.ts';

export const codexHome = (env: Readonly<Record<string, string>>): string =>
  env.CODEX_HOME || join(env.HOME ?? '/', '.codex');

/** A rollout is named by the time of the conversation's start, which its id holds too, and lies in that day's folder. */
export const traces: Agent['traces'] = ({ agentSessionId, env }) => {
  const startedAt = startOf(agentSessionId);
  if (startedAt === undefined) return {};
  // The folders go by the local time of the process that started it.
  const days = [0, -1, 1].map((days) => new Date(startedAt + days * dayMs).toISOString().slice(0, 10));
  const home = codexHome(env);
  return {
    transcriptAmong: {
      dirs: [...days.map((day) => join(home, 'sessions', ...day.split('-'))), join(home, 'archived_sessions')],
      ending: `-${agentSessionId}.jsonl`,
    },
  };
};

/** Undefined for an id that is no UUID of version 7. */
function startOf(id: string): number | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}
