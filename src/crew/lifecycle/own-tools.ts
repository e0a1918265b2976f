// The MCP server of a worker's own tools: this program again, with the token of one launch.
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { OwnTools } from '../../agents/agent.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { issueToken, tokenVariable, type WorkerLimits } from '../../store/worker-token.ts';
import type { CrewContext } from '../workers/roster.ts';

/** Not `crewmux`: a user may have the manager's server under that name. */
export const ownServerName = 'crew';

/** Longer than any question waits, so that the agent never ends a call of its own accord. */
const longestCallSeconds = 1_860;

/** Writes the token, and refuses earlier launches from then on. Undefined where the settings want no tools. */
export async function ownTools(
  context: CrewContext,
  { id, mainRepoPath, projectPath }: Pick<WorkerRecord, 'id' | 'mainRepoPath' | 'projectPath'>,
  launch: number,
): Promise<OwnTools | undefined> {
  const [command, ...leading] = context.program;
  const { settings } = context.settingsFor(mainRepoPath ?? projectPath);
  if (command === undefined || !settings.defaults.worker_tools) return undefined;
  const launchDir = await context.home.launchDir(id, launch);
  const path = await issueToken(
    { workerId: id, launch, limits: limitsOf(settings) },
    { workerDir: await context.home.workerDir(id), launchDir },
  );
  return {
    name: ownServerName,
    command,
    args: [...leading, 'worker'],
    env: { [tokenVariable]: path, CREWMUX_HOME: context.home.root },
    longestCallSeconds,
    canStart: [command, ...leading].filter(isAbsolute).every(existsSync),
  };
}

const limitsOf = ({ limits }: Settings): WorkerLimits => ({
  callsPerMinute: limits.worker_calls_per_minute,
  noteChars: limits.note_chars,
  waitingNotes: limits.waiting_notes,
  openQuestions: limits.open_questions,
  openSubtasks: limits.open_subtasks,
  subtaskDepth: limits.subtask_depth,
});
