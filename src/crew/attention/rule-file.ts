// Rules in the file of a worker's worktree, and from when on its agent goes by them.
import { join } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import { messageOf } from '../../model/errors.ts';
import { isEmpty, noRules, type Rules, rulesWithout } from '../../model/rule.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { givenRules, noteGiven } from '../../store/given-rules.ts';
import { readText, writeAtomic } from '../../system/atomic.ts';
import { withLock } from '../../system/lock.ts';
import type { RuledWorker } from '../../wire/permissions.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import { checkOwnFile, hideOwnFile, type OwnFile, removeOwnFile } from '../../worktree/own-file.ts';
import type { House } from '../house.ts';
import { lockTimeoutMs, notePlace, ruledAs, rulesOfWorker } from './permissions.ts';

/** Before a start: its rules come with the launch, or stand in the file. Throws where they cannot stand there. */
export async function giveRules(
  house: House,
  { record, agent, launchDir }: { readonly record: WorkerRecord; readonly agent: Agent; readonly launchDir: string },
  rules: Rules,
): Promise<void> {
  await notePlace(house, record);
  await alone(house, async () => {
    await noteGiven(launchDir, rules);
    if (agent.rules.file?.isLive === false) await writeRules(house, { record, agent }, rules);
    else await takeOut(house, record);
  });
}

/** When a worker has ended: nothing of ours stays in its worktree. Where that fails the log says so. */
export const takeRulesBack = (house: House, record: WorkerRecord): Promise<void> =>
  alone(house, () => takeOut(house, record));

async function takeOut(house: House, record: WorkerRecord): Promise<void> {
  try {
    await writeRules(house, { record, agent: house.agentOf(record) }, noRules);
  } catch (error) {
    house.logger.write('warn', `rules of ${record.name} stay in its worktree`, error);
  }
}

/** Hands every living worker its rules as they are now; the rules are the user's, whichever server manages it. */
export async function refreshRules(
  house: House,
  counts: (record: WorkerRecord) => boolean,
): Promise<readonly RuledWorker[]> {
  const living = house.roster.records().filter(({ phase }) => phase === 'live' || phase === 'spawning');
  const ruled = living.filter(counts);
  if (ruled.length === 0) return [];
  return alone(house, () => Promise.all(ruled.map((record) => refreshOne(house, record))));
}

// Between reading the rules and writing what follows from them nobody else may write what followed from older ones.
const alone = <T>(house: House, act: () => Promise<T>): Promise<T> =>
  withLock(house.home.lockPath('policies'), act, { me: house.me, timeoutMs: lockTimeoutMs });

async function refreshOne(house: House, record: WorkerRecord): Promise<RuledWorker> {
  const named = { session_id: record.id, name: record.name };
  const agent = house.agentOf(record);
  const want = await rulesOfWorker(house, ruledAs(record));
  const given = await givenRules(record.launch.dir);
  const [more, gone] = [rulesWithout(want, given), rulesWithout(given, want)];
  if (agent.rules.file?.isLive !== true) {
    return { ...named, holds: isEmpty(more) && isEmpty(gone) ? 'now' : 'next_start' };
  }
  try {
    const isChanged = await writeRules(house, { record, agent }, more);
    if (!isEmpty(gone)) return { ...named, holds: 'next_start', why: 'it has started with rules that are taken away' };
    return { ...named, holds: isChanged ? 'within_3_seconds' : 'now' };
  } catch (error) {
    return { ...named, holds: 'next_start', why: messageOf(error) };
  }
}

/** False where all stands there already. Throws, naming the file, where it is not ours to write. */
async function writeRules(
  house: House,
  { record, agent }: { readonly record: WorkerRecord; readonly agent: Agent },
  want: Rules,
): Promise<boolean> {
  const { file } = agent.rules;
  if (file === undefined) return false;
  const dir = await house.home.workerDir(record.id);
  const had = await givenRules(dir);
  if (isEmpty(had) && isEmpty(want)) return false;
  const own = await ownFileOf(house, record, file.path);
  await checkOwnFile(own);
  const path = join(own.root, own.path);
  const before = await readText(path);
  const { text, added } = file.written(before, { had, want });
  // Whoever is killed in between takes away too much rather than leave a rule that nobody knows to be ours.
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
  house: House,
  { worktreePath, projectPath, name }: WorkerRecord,
  path: string,
): Promise<OwnFile> {
  if (worktreePath === undefined)
    throw new Error(`${name} has no worktree of its own, so ${path} is not crewmux's to write.`);
  const folder = await inspectFolder({ path: projectPath, env: house.env });
  if (folder?.worktreeRoot === undefined) throw new Error(`${worktreePath} is no worktree any more.`);
  const { worktreeRoot, subfolder, gitCommonDir } = folder;
  return { root: join(worktreeRoot, subfolder), subfolder, gitCommonDir, env: house.env, path };
}
