// The state folder, what dead processes left in it, and whether the hooks of living workers are heard.

import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { advise, call } from '../../../model/advice.ts';
import { counted } from '../../../model/plural.ts';
import { isBuiltIn, isSandboxed, type WorkerRecord } from '../../../model/worker.ts';
import { earlierSignalsPath, signalsPath } from '../../../store/question-line.ts';
import { deadLocks } from '../../../system/lock.ts';
import { isAlive } from '../../../system/process.ts';
import { type Finding, fail, ok, warn } from '../../../wire/doctor.ts';
import { type PaneVerdict, paneFactsOf, verdictOn } from '../../workers/pane-facts.ts';
import type { Checks, DoctorSources } from './sources.ts';

const mebibyte = 1024 * 1024;
const littleBytes = 1024 * mebibyte;
const tooLittleBytes = 100 * mebibyte;
/** So many are worth a warning. */
const manyFolders = 500;

export const stateChecks: Checks = {
  state_home: lookAtMode,
  disk: lookAtRoom,
  workers: lookAtWorkers,
  managers: lookAtManagers,
  locks: lookAtLocks,
  ended_workers: lookAtEnded,
  hooks: lookAtHooks,
  worker_sandboxes: async ({ records }) => sandboxesFinding(await records()),
};

async function lookAtMode({ home }: DoctorSources): Promise<Finding> {
  const found = await stat(home).catch(() => undefined);
  if (found === undefined) return ok('state_home', `${home} is not there yet; the first server makes it`);
  if (!found.isDirectory()) return fail('state_home', `${home} is not a folder`, 'Move it away, or set CREWMUX_HOME.');
  const mode = found.mode & 0o777;
  if ((mode & 0o077) === 0) return ok('state_home', `${home} is its owner's alone`);
  const detail = `${home} has mode 0${mode.toString(8)}: others can look into it`;
  return warn('state_home', detail, `chmod 700 ${JSON.stringify(home)}`);
}

async function lookAtRoom({ home, project, loaded }: DoctorSources): Promise<readonly Finding[]> {
  const worktrees = join(project, loaded.settings.worktrees.dir);
  return Promise.all([home, worktrees].map(async (path) => spaceFinding(path, await freeBytes(path))));
}

/** Of the nearest folder that is there. */
async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (dirname(path) === path) throw error;
    return freeBytes(dirname(path));
  }
}

/** Pure. */
export function spaceFinding(path: string, free: number): Finding {
  const detail = `${Math.floor(free / mebibyte)} MiB free for ${path}`;
  if (free < tooLittleBytes) return fail('disk', detail, 'Make room: state and worktrees cannot be written without.');
  return free < littleBytes ? warn('disk', detail, 'Make room before more workers start.') : ok('disk', detail);
}

async function lookAtWorkers({ records, panesOf, loaded }: DoctorSources): Promise<Finding> {
  const living = (await records()).filter(({ phase }) => phase === 'live');
  const list = async (socket: string) => {
    const panes = await panesOf(socket);
    return { panes, server: panes[0]?.ref };
  };
  const factsOf = await paneFactsOf(living, { socket: loaded.settings.tmux.socket, list });
  return workersFinding(living.map((record) => ({ name: record.name, verdict: verdictOn(record, factsOf(record)) })));
}

/** Pure. */
export function workersFinding(living: readonly { readonly name: string; readonly verdict: PaneVerdict }[]): Finding {
  const check = 'workers';
  const those = (is: 'unknown' | 'ended') =>
    living.flatMap(({ name, verdict }) => (verdict.is === is ? [`${name}: ${verdict.detail}`] : []));
  const [unknown, ended] = [those('unknown'), those('ended')];
  if (unknown.length > 0)
    return warn(
      check,
      `unknown, since nobody can tell whether they live: ${unknown.join('; ')}`,
      'Nothing is done to them until tmux answers. Do what the detail says, or look at tmux itself.',
    );
  if (ended.length > 0)
    return warn(
      check,
      `not in their panes any more: ${ended.join('; ')}`,
      'Nothing to do: their server notes it, or the next one that starts.',
    );
  return ok(check, `${counted(living.length, 'living worker')}, each in its pane`);
}

async function lookAtManagers({ records }: DoctorSources): Promise<Finding> {
  const living = (await records()).filter(({ phase }) => phase === 'live' || phase === 'spawning');
  const alive = await Promise.all(living.map(({ manager }) => isAlive(manager)));
  const left = living.filter((_, index) => !alive[index]);
  if (left.length === 0) return ok('managers', `${counted(living.length, 'living worker')}, each with a manager`);
  const names = left.map(({ name, manager }) => `${name} (pid ${manager.pid} has ended)`).join(', ');
  const fix = advise`The next server that starts takes them over; ${call('adopt_worker does so in one that runs', 'a manager that runs can do so as well')}.`;
  return warn('managers', `no living manager: ${names}`, fix);
}

async function lookAtLocks({ home }: DoctorSources): Promise<Finding> {
  const dead = await deadLocks(join(home, 'locks'));
  if (dead.length === 0) return ok('locks', 'none is held by a process that has ended');
  const fix = 'Nothing to do: whoever needs such a lock next takes it over.';
  return warn('locks', `held by processes that have ended: ${dead.join(', ')}`, fix);
}

/** Pure. */
export function sandboxesFinding(records: readonly WorkerRecord[]): Finding {
  const check = 'worker_sandboxes';
  const living = records.filter((record) => record.phase === 'live' && isSandboxed(record.launch));
  const open = living.flatMap(({ name, launch: { holes = [] } }) => holes.map((words) => `${name}: ${words}`));
  const broken = living.flatMap(({ name, launch: { sandboxBroke } }) =>
    sandboxBroke === undefined
      ? []
      : [`${name}: bubblewrap failed, and a command did not run (times: ${sandboxBroke.count})`],
  );
  const trouble = [...open, ...broken];
  if (trouble.length === 0) return ok(check, `${counted(living.length, 'living worker')} in a sandbox, each whole`);
  return warn(check, trouble.join('; '), 'docs/SECURITY.md says what each means; close a worker that must not run so.');
}

async function lookAtEnded({ home, records }: DoctorSources): Promise<Finding> {
  const folders = await readdir(join(home, 'workers')).catch(() => []);
  const kept = new Set((await records()).filter(({ phase }) => phase !== 'closed').map(({ id }) => id));
  const ended = folders.filter((id) => !kept.has(id));
  const detail = `launch files of ${counted(ended.length, 'closed worker')} lie in ${join(home, 'workers')}`;
  if (ended.length < manyFolders) return ok('ended_workers', detail);
  return warn(
    'ended_workers',
    detail,
    'Run `crewmux doctor --clean`; what is left, remove by hand where the worker will not be restarted.',
  );
}

/** An agent that was started with a prompt runs its first hook long before. */
const firstHookMs = 60_000;

async function lookAtHooks({ records, clock }: DoctorSources): Promise<Finding> {
  const due = (await records()).filter((record) => isHookDue(record, clock.now()));
  const heard = await Promise.all(
    due.map(async ({ launch: { dir } }) => {
      const found = [signalsPath(dir), earlierSignalsPath(dir)].map((path) => stat(path).catch(() => undefined));
      return (await Promise.all(found)).some((one) => (one?.size ?? 0) > 0);
    }),
  );
  const silent = due.filter((_, index) => heard[index] !== true);
  if (silent.length === 0) return ok('hooks', `heard of every worker that should have run one (${due.length})`);
  const names = silent.map(({ name, agentType, launch }) => `${name} (${agentType}: ${launch.command.join(' ')})`);
  const fix =
    'Their state rests on weaker sources. See whether hooks are switched off (disableAllHooks, a managed policy) or a wrapper drops the settings argument.';
  return warn('hooks', `launched, and no hook was ever heard of: ${names.join(', ')}`, fix);
}

/** Launched by crewmux, with a prompt, some time ago, as an agent that has hooks. Pure. */
export const isHookDue = ({ phase, source, agentType, launch }: WorkerRecord, now: number): boolean =>
  phase === 'live' &&
  source !== 'adopted' &&
  isBuiltIn(agentType) &&
  launch.withPrompt &&
  now - launch.startedAt > firstHookMs;
