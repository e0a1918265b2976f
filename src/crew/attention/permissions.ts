// The rules that hold for each worker: put together, written where its hook reads them, changed and explained.
import { realpath } from 'node:fs/promises';
import { messageOf } from '../../model/errors.ts';
import type { Ground, Policy } from '../../model/permission.ts';
import { bypassLayer, isStrict, policyOf, type RuleBook, unreadableLayer } from '../../model/permission-book.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { withLock } from '../../state/lock.ts';
import { groundOf, type PolicyPlace } from '../../state/policy.ts';
import { writePolicy } from '../../state/policy-files.ts';
import { readBook } from '../../state/rule-book.ts';
import type { House } from '../house.ts';

type Ruled = Pick<WorkerRecord, 'id' | 'role' | 'mainRepoPath' | 'projectPath' | 'worktreePath' | 'branch'>;

/** What is configured for a project, then what was set while at work; the later adds to the earlier. */
export async function booksFor(house: House, projectPath: string): Promise<readonly [RuleBook, RuleBook]> {
  return [configuredBook(house, projectPath), await readBook(house.home)];
}

function configuredBook(house: House, projectPath: string): RuleBook {
  const { default: always, roles } = house.settingsFor(projectPath).settings.permissions;
  return {
    default: always,
    ...Object.fromEntries(Object.entries(roles).map(([role, rules]) => [`role:${role}`, rules])),
  };
}

/** Never rejects: rules that cannot be read allow nothing. */
export async function policyFor(
  house: House,
  worker: {
    readonly id?: string;
    readonly role?: string | undefined;
    readonly projectPath: string;
    /** It was started to ask nobody. */
    readonly skips?: boolean;
  },
): Promise<Policy> {
  const last = worker.skips === true ? [bypassLayer] : [];
  const configured = configuredBook(house, worker.projectPath);
  const { rulesLost = false } = house.settingsFor(worker.projectPath);
  const lost = rulesLost ? [unreadableLayer('a configuration that cannot be read in full')] : [];
  try {
    return [...lost, ...policyOf([configured, await readBook(house.home)], worker), ...last];
  } catch (error) {
    house.logger.write('error', 'rules could not be read, so none allows anything', error);
    return [unreadableLayer(messageOf(error)), ...policyOf([configured], worker), ...last];
  }
}

/** Writes what holds for a worker into its folder, where its agent's hook looks. */
export const writePolicyOf = (house: House, record: Launched): Promise<void> =>
  alone(house, () => writeOne(house, record));

/** For every worker that lives, whichever server manages it: the rules are the user's. Returns their names. */
export async function refreshPolicies(house: House): Promise<readonly string[]> {
  const living = house.roster.records().filter(({ phase }) => phase === 'live' || phase === 'spawning');
  if (living.length > 0) {
    await alone(house, () => Promise.all(living.map((record) => writeOne(house, record))));
  }
  return living.map(({ name }) => name);
}

type Launched = Ruled & Pick<WorkerRecord, 'launch' | 'permissionMode'>;

// Between reading the rules and writing what follows from them nobody else may write what followed from older ones.
const alone = <T>(house: House, act: () => Promise<T>): Promise<T> =>
  withLock(house.home.lockPath('policies'), act, { me: house.me, timeoutMs: lockTimeoutMs });

export const lockTimeoutMs = 30_000;

export const skips = ({ launch, permissionMode }: Pick<WorkerRecord, 'launch' | 'permissionMode'>): boolean =>
  launch.skipPermissions || permissionMode === 'bypassPermissions';

async function writeOne(house: House, record: Launched): Promise<void> {
  const projectPath = record.mainRepoPath ?? record.projectPath;
  const layers = await policyFor(house, { ...record, projectPath, skips: skips(record) });
  const asksNobody = skips(record) || record.permissionMode === 'auto';
  const dir = await house.home.workerDir(record.id);
  await writePolicy(dir, { ...(await placeOf(house, record)), layers }, isStrict(layers, { asksNobody }));
}

async function placeOf(
  house: House,
  record: Pick<Ruled, 'worktreePath' | 'projectPath' | 'branch'>,
): Promise<PolicyPlace> {
  const root = record.worktreePath ?? record.projectPath;
  return {
    root: await real(root),
    userHome: await real(house.env.HOME ?? '/'),
    stateHome: await real(house.home.root),
    ...(record.branch === undefined ? {} : { branch: record.branch }),
  };
}

export const groundFor = async (
  house: House,
  record: Pick<Ruled, 'worktreePath' | 'projectPath' | 'branch'>,
): Promise<Ground> => groundOf(await placeOf(house, record));

const real = (path: string): Promise<string> => realpath(path).catch(() => path);
