// Writes a worker's rules into the file of its worktree that its agent reads, and says from when on they hold.
import { join } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import { messageOf } from '../../model/errors.ts';
import { isEmpty, noRules, type Rules, rulesWithout } from '../../model/rule.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { givenRules, noteGiven } from '../../store/given-rules.ts';
import { writeAtomic } from '../../system/atomic.ts';
import { withLock } from '../../system/lock.ts';
import type { RuledWorker } from '../../wire/permissions.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import { checkOwnFile, hideOwnFile, type OwnFile, readOwnFile, removeOwnFile } from '../../worktree/git/own-file.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { agentEnvironment } from '../workers/private-options.ts';
import { lockTimeoutMs, notePlace, ruledAs, rulesOfWorker, startModeOf } from './permissions.ts';

interface Ruled {
  readonly record: WorkerRecord;
  readonly agent: Agent;
}

/** Before a start: the launch brings the rules, or the file holds them. Throws where the file cannot. */
export async function giveRules(
  context: CrewContext,
  { record, agent, launchDir }: Ruled & { readonly launchDir: string },
  rules: Rules,
): Promise<void> {
  await notePlace(context, record);
  await alone(context, async () => {
    await noteGiven(launchDir, rules);
    if (agent.rules.file?.isLive === false) await writeRules(context, { record, agent }, rules);
    else await takeOut(context, record);
  });
}

/** After a worker has ended: nothing of ours stays in its worktree. Where that fails the log says so. */
export const takeRulesBack = (context: CrewContext, record: WorkerRecord): Promise<void> =>
  alone(context, () => takeOut(context, record));

async function takeOut(context: CrewContext, record: WorkerRecord): Promise<void> {
  try {
    await writeRules(context, { record, agent: context.agents.of(record) }, noRules);
  } catch (error) {
    context.logger.write('warn', `rules of ${record.name} stay in its worktree`, error);
  }
}

/** Gives every living worker its rules as they are now, whichever server manages it: the rules are the user's. */
export async function refreshRules(
  context: CrewContext,
  counts: (record: WorkerRecord) => boolean,
): Promise<readonly RuledWorker[]> {
  const living = context.roster.records().filter(({ phase }) => phase === 'live' || phase === 'spawning');
  const ruled = living.filter(counts);
  if (ruled.length === 0) return [];
  return alone(context, () => Promise.all(ruled.map((record) => refreshOne(context, record))));
}

// Between reading the rules and writing what follows from them nobody else may write what followed from older ones.
const alone = <T>(context: CrewContext, act: () => Promise<T>): Promise<T> =>
  withLock(context.home.lockPath('policies'), act, { me: context.me, timeoutMs: lockTimeoutMs });

async function refreshOne(context: CrewContext, record: WorkerRecord): Promise<RuledWorker> {
  const named = { session_id: record.id, name: record.name };
  const agent = context.agents.of(record);
  const want = await rulesOfWorker(context, ruledAs(record));
  const given = await givenRules(record.launch.dir);
  const [more, gone] = [rulesWithout(want, given), rulesWithout(given, want)];
  if (agent.rules.file?.isLive !== true) {
    return { ...named, holds: isEmpty(more) && isEmpty(gone) ? 'now' : 'next_start' };
  }
  try {
    const isChanged = await writeRules(context, { record, agent }, more);
    const why = await modeAhead(context, { record, agent });
    if (why !== undefined) return { ...named, holds: 'next_start', why };
    if (!isEmpty(gone)) return { ...named, holds: 'next_start', why: 'it has started with rules that are taken away' };
    return { ...named, holds: isChanged ? 'within_3_seconds' : 'now' };
  } catch (error) {
    return { ...named, holds: 'next_start', why: messageOf(error) };
  }
}

/** A mode cannot be changed from outside: under another preset an agent goes on as it has started. */
async function modeAhead(context: CrewContext, { record, agent }: Ruled): Promise<string | undefined> {
  const { permissionMode: now, worktreePath, choosesMode = false } = record;
  if (!choosesMode) return undefined;
  const env = await agentEnvironment(context, record);
  const next = await startModeOf(context, agent, { ...ruledAs(record), hasWorktree: worktreePath !== undefined, env });
  return next === now ? undefined : `it works in the permission mode ${now}, and starts in ${next} the next time`;
}

/** False where the file has them all already. Throws, naming the file, where it is not ours to write. */
async function writeRules(context: CrewContext, { record, agent }: Ruled, want: Rules): Promise<boolean> {
  const { file } = agent.rules;
  if (file === undefined) return false;
  const dir = await context.home.workerDir(record.id);
  const had = await givenRules(dir);
  if (isEmpty(had) && isEmpty(want)) return false;
  const own = await ownFileOf(context, record, file.path);
  await checkOwnFile(own);
  const path = join(own.root, own.path);
  const before = await readOwnFile(own);
  const { text, added } = file.written(before, { had, want });
  // First: a server that is killed in between then removes too much rather than leave a rule that nobody knows is ours.
  await noteGiven(dir, added);
  if (text === before) return false;
  if (text === undefined) await removeOwnFile(own);
  else {
    await hideOwnFile(own);
    await writeAtomic(path, text);
  }
  return true;
}

async function ownFileOf(
  context: CrewContext,
  { worktreePath, projectPath, name }: WorkerRecord,
  path: string,
): Promise<OwnFile> {
  if (worktreePath === undefined)
    throw new Error(`${name} has no worktree of its own, so ${path} is not crewmux's to write.`);
  const folder = await inspectFolder({ path: projectPath, env: context.environment.git });
  if (folder?.worktreeRoot === undefined) throw new Error(`${worktreePath} is no worktree any more.`);
  const { worktreeRoot, subfolder, gitCommonDir } = folder;
  return { root: join(worktreeRoot, subfolder), subfolder, gitCommonDir, env: context.environment.git, path };
}
