// Decides whether a worker's commands run in a sandbox, what it allows, and what of the git folder they see there.
import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import type { Agent, GitWalls, LaunchSpec, SandboxHole, SandboxProbe, SandboxSpec } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { realPaths } from '../../system/disk.ts';
import { run } from '../../system/exec.ts';
import type { TrackerFolder } from '../../trackers/tracker-folder.ts';
import { excludedByUser, guardedFromCommit, makeEmpty, writtenByCommit } from '../../worktree/git/git-places.ts';
import { ownCaches } from '../../worktree/landing/own-caches.ts';
import { reachingVariables, secretPlaces } from '../../worktree/landing/sandbox-places.ts';
import { bubblewrapOnPath } from '../../worktree/landing/sandbox-probe.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { allowedFolders, apartFrom, refuseHolding } from './allow-write.ts';
import { makeTemp } from './worker-temp.ts';
import { openedTracker } from './worker-tracker.ts';

type Env = Readonly<Record<string, string>>;

export interface SandboxChoice {
  readonly isOn: boolean;
  /** A start with a hole that nobody wished is refused. */
  readonly mustHold: boolean;
  /** Why it does not work, where it is off for that reason alone. */
  readonly missing?: string;
  /** Ways out that are known before the launch. */
  readonly holes?: readonly SandboxHole[];
}

export interface SandboxRequest {
  readonly agent: Agent;
  readonly command: readonly string[];
  readonly settings: Settings;
  /** What the order asks for; undefined leaves it to the configuration. */
  readonly asked: boolean | undefined;
  readonly env: Env;
  readonly context: Pick<CrewContext, 'program'> & {
    readonly environment: Pick<CrewContext['environment'], 'server'>;
  };
}

/** Rejects with `start_failed` where the sandbox must be on and does not work, or a setting would open it wide. */
export async function chooseSandbox(request: SandboxRequest): Promise<SandboxChoice> {
  const choice = await chosen(request);
  const { settings, env, command, context } = request;
  const { program, environment } = context;
  if (choice.isOn)
    await refuseHolding(settings.sandbox.allow_write, { program, serverEnv: environment.server, command, env });
  return choice;
}

async function chosen({ agent, asked, settings, env, command }: SandboxRequest): Promise<SandboxChoice> {
  const choice = asked === undefined ? settings.defaults.sandbox : asked ? 'on' : 'off';
  const mustHold = choice === 'on';
  if (choice === 'off') return { isOn: false, mustHold };
  const trouble =
    agent.sandbox === undefined
      ? `crewmux knows no sandbox of ${agent.type}.`
      : await troubleWith(agent.sandbox.probes({ platform: platform(), command }), env);
  if (trouble === undefined) return { isOn: true, mustHold };
  if (choice === 'auto') return { isOn: false, mustHold, ...(agent.sandbox && { missing: trouble }) };
  throw new CrewError(
    'start_failed',
    `The sandbox of ${agent.type} is to be on and does not work here: ${trouble}`,
    'Do what the message says, or pass sandbox: false.',
  );
}

const warned = new WeakSet<CrewContext>();

/** Warns of the first worker of this server that runs without a sandbox. */
export function withoutSandbox(
  context: CrewContext,
  { name, agent, sandbox }: { readonly name: string; readonly agent: Agent; readonly sandbox: SandboxChoice },
): readonly string[] {
  if (sandbox.missing === undefined || warned.has(context)) return [];
  warned.add(context);
  return [`${name} runs without the sandbox of ${agent.type}, and so may whatever you may: ${sandbox.missing}`];
}

const probeMs = 4_000;
const probed = new Map<string, Promise<string | undefined>>();

/** Why the sandbox does not work, undefined where it does; a probe that succeeds runs once in the life of the server. */
export async function troubleWith(probes: readonly SandboxProbe[], env: Env): Promise<string | undefined> {
  const answers = await Promise.all(
    probes.map((one) => {
      const key = JSON.stringify([one.argv, env.PATH, env.HOME]);
      const answer = probed.get(key) ?? probe(one, env, () => probed.delete(key));
      probed.set(key, answer);
      return answer;
    }),
  );
  return answers.find((answer) => answer !== undefined);
}

async function probe({ argv, fix }: SandboxProbe, env: Env, forget: () => void): Promise<string | undefined> {
  const [program = '', ...args] = argv;
  const options = { env, timeoutMs: probeMs, wholeTree: 'when-stopped' } as const;
  const { exitCode, stderr, timedOut, startError } = await run(program, args, options);
  if (exitCode === 0) return undefined;
  // A busy machine may be free the next time, and a person may install what is missing.
  forget();
  const last = stderr.trim().split('\n').at(-1);
  const why = timedOut ? `no answer within ${probeMs} ms` : (startError ?? (last || `exit ${exitCode}`));
  return `${program} does not work: ${why}. ${fix}`;
}

/** Makes the folder for temporary files and caches, which `forgetTemp` removes. */
export async function sandboxOf(
  context: CrewContext,
  record: WorkerRecord,
  at: { readonly agent: Agent; readonly env: Env; readonly git: LaunchSpec['git'] },
): Promise<SandboxSpec> {
  const { agent, env, git } = at;
  const { sandbox } = context.settingsFor(record.mainRepoPath ?? record.projectPath).settings;
  const temp = await makeTemp(record, env);
  const isLinked = git !== undefined && git.gitDir !== git.commonDir;
  const { walls, holes } = await wallsOf(context, record, at);
  const isBare = isLinked && walls === undefined;
  const forGit = isBare && agent.sandbox?.guardsGit ? writtenByCommit(git) : [];
  // Where the walls do not hold, Claude Code's own still do.
  const needsGuard = isBare || (isLinked && !agent.sandbox?.guardsGit);
  const guardedOfGit = needsGuard ? await realPaths(guardedFromCommit(git)) : [];
  const root = await realpath(record.worktreePath ?? record.projectPath);
  const tracker = await openedTracker(context, record, root);
  const byAgent = walls === undefined ? tracker : undefined;
  const allowed = allowedFolders(sandbox.allow_write, env);
  const secrets = [context.home.root, ...secretPlaces({ ...context.environment.server, ...env }, 'keys')];
  return {
    root,
    temp,
    writable: await realPaths([...allowed, ...forGit]),
    writableByCommands: byAgent === undefined ? [] : [byAgent.folder],
    unwritable: [...guardedOfGit, ...(byAgent === undefined ? [] : await realPaths(guardedPaths(byAgent)))],
    unreadable: await apartFrom(await realPaths(secrets), await realPaths(sandbox.allow_unix_sockets)),
    commandEnv: {
      // zsh keeps here-documents in files below this, and not in TMPDIR.
      set: { ...ownCaches(temp, env, [...allowed, ...(await realPaths(allowed))]), TMPPREFIX: join(temp, 'zsh') },
      unset: reachingVariables.filter((name) => !sandbox.allow_unix_sockets.some((path) => env[name]?.includes(path))),
    },
    allowedDomains: sandbox.allowed_domains,
    excludedCommands: sandbox.excluded_commands,
    allowUnixSockets: sandbox.allow_unix_sockets,
    allowLocalBinding: sandbox.allow_local_binding,
    holes: [...holes, ...openSockets(sandbox.allow_unix_sockets), ...(byAgent === undefined ? [] : removable(byAgent))],
    ...defined({ walls: walls && { ...walls, ...defined({ tracker }) } }),
  };
}

const guardedPaths = ({ folder, guarded }: TrackerFolder): readonly string[] =>
  guarded.map(({ name }) => join(folder, name));

/** A mount keeps what is there. Seatbelt keeps a path. */
const removable = ({ folder }: TrackerFolder): readonly SandboxHole[] =>
  platform() === 'darwin'
    ? []
    : [
        {
          words: `its commands can make what somebody removes of the settings in ${folder} while it works`,
          isWished: false,
        },
      ];

const openSockets = (paths: readonly string[]): readonly SandboxHole[] =>
  paths.map((path) => ({ words: `sandbox.allow_unix_sockets opens ${path} to its commands`, isWished: true }));

type Git = NonNullable<LaunchSpec['git']>;

interface Walls {
  readonly walls?: GitWalls;
  readonly holes: readonly SandboxHole[];
}

const hole = (words: string): Walls => ({ holes: [{ words, isWished: false, writesRefs: true }] });

/** Makes the worker's own folders, and the files that must be there before anybody can guard them. */
async function wallsOf(
  context: CrewContext,
  record: WorkerRecord,
  { agent, git, env }: { readonly agent: Agent; readonly git: LaunchSpec['git']; readonly env: Env },
): Promise<Walls> {
  if (git === undefined) return { holes: [] };
  const { worktreePath, branch, branchFolder: branches } = record;
  if (git.gitDir === git.commonDir || worktreePath === undefined) {
    if (agent.sandbox?.guardsGit) return { holes: [] };
    return hole('it works in a checkout that it shares, and its commands write the git folder there');
  }
  if (branches === undefined)
    return hole(`its branch ${branch ?? 'HEAD'} has no folder of its own, so its commands can move other branches`);
  const found = platform() === 'linux' ? await bubblewrapOnPath(env) : undefined;
  if (found === undefined) return hole(`${noBwrap()}, so its commands can move other branches`);
  await Promise.all([makePlain(join(git.commonDir, 'packed-refs')), makePlain(join(git.gitDir, 'config.worktree'))]);
  const ownDir = context.home.ownRefsPath(record.id);
  await Promise.all(
    ['refs/notes', 'logs/refs'].map((name) => mkdir(join(ownDir, name), { recursive: true, mode: 0o700 })),
  );
  const excludes = join(ownDir, 'excludes');
  await writeFile(excludes, await excluded(agent, git, env));
  const { gitDir, commonDir } = git;
  return {
    walls: {
      ...{ bwrap: await realpath(found), worktree: await realpath(worktreePath) },
      ...{ commonDir, gitDir, branches, ownDir, excludes },
    },
    holes: [],
  };
}

const noBwrap = (): string =>
  platform() === 'linux' ? 'bubblewrap is not installed' : 'only bubblewrap on Linux guards the branches of others';

/** Throws where something else than a plain file is there. */
async function makePlain(path: string): Promise<void> {
  await makeEmpty(path);
  if (!(await lstat(path)).isFile()) throw new Error(`${path} is no plain file.`);
}

/** The agent's stand-ins, which `git add -A` would add, together with whatever the user excludes. */
async function excluded(agent: Agent, git: Git, env: Env): Promise<string> {
  const { standIns = [] } = agent.sandbox ?? {};
  return `${[...standIns.map((name) => `/${name}`), await excludedByUser(git.commonDir, env)].join('\n')}\n`;
}
