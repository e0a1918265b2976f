// What is left of the conversation of a worker that has ended, and of its folder.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Traces } from '../../agents/agent.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { tryReadGit } from '../../worktree/git/repo.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { agentEnvironment } from '../workers/private-options.ts';
import { transcriptIn, transcriptOf } from '../workers/transcript.ts';
import type { Ended, LeftConversation } from './restart-plan.ts';

/** `record` has the conversation that it had open last. */
export async function leftConversation(context: CrewContext, record: WorkerRecord): Promise<LeftConversation> {
  const agent = context.agents.of(record);
  if (!agent.keepsTranscript) return { is: 'unwritten', resumes: agent.takes.has('resume') };
  const { launch } = record;
  const id = launch.agentSessionId;
  const path = await transcriptLeft(context, record);
  const { totals } = (await transcriptOf(context, path === undefined ? record : at(record, path))).conversation;
  // An agent may leave lines in a transcript in which nobody has said anything; it resumes no such conversation.
  const isBegun = totals.messages > 0 || totals.forkedFrom !== undefined;
  if (path !== undefined && isBegun) return { is: 'there', id, path };
  return isBegun || hasSpoken(record) ? { is: 'gone', id } : { is: 'unbegun' };
}

const at = (record: WorkerRecord, transcriptPath: string): WorkerRecord => ({
  ...record,
  launch: { ...record.launch, transcriptPath },
});

/** A record of an earlier version says only that it was given a prompt. Pure. */
export const hasSpoken = ({ spokenIn, launch }: Pick<WorkerRecord, 'spokenIn' | 'launch'>): boolean =>
  spokenIn === undefined ? launch.withPrompt : spokenIn === launch.agentSessionId;

/** A project that has moved leaves the file where it was, or takes its folder along. */
async function transcriptLeft(context: CrewContext, record: WorkerRecord): Promise<string | undefined> {
  const { agentSessionId, transcriptPath } = record.launch;
  if (transcriptPath !== '' && (await exists(transcriptPath))) return transcriptPath;
  if (agentSessionId === '') return undefined;
  const env = await agentEnvironment(context, record);
  const traces = context.agents.of(record).traces({ cwd: record.projectPath, agentSessionId, env });
  const usual = await transcriptIn(traces);
  if (usual !== undefined && (await exists(usual))) return usual;
  return traces.transcriptBelow && below(traces.transcriptBelow);
}

async function below({ dir, name }: NonNullable<Traces['transcriptBelow']>): Promise<string | undefined> {
  for (const folder of await readdir(dir).catch(() => [])) {
    const path = join(dir, folder, name);
    if (await exists(path)) return path;
  }
  return undefined;
}

/** Whether the folder it worked in is there, or its branch can make it again. Changes nothing. */
export async function leftFolder(context: CrewContext, record: WorkerRecord): Promise<Ended['folder']> {
  const { projectPath: path, worktreePath, branch, mainRepoPath } = record;
  if (await exists(path)) return { path, is: 'there' };
  if (worktreePath === undefined || branch === undefined || mainRepoPath === undefined) return { path, is: 'gone' };
  const repo = { path: mainRepoPath, env: context.environment.git };
  const { exitCode } = await tryReadGit(repo, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
  return { path, is: exitCode === 0 ? 'branch' : 'gone' };
}
