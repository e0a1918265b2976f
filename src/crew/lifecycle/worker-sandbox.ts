// Decides whether a worker's commands run in its agent's own sandbox, and what that sandbox allows.
import { mkdir, realpath, rm } from 'node:fs/promises';
import { platform, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Agent, LaunchSpec, SandboxProbe, SandboxSpec } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { absolute } from '../../model/path.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { realPaths } from '../../system/disk.ts';
import { run } from '../../system/exec.ts';
import { guardedFromCommit, writtenByCommit } from '../../worktree/git-places.ts';
import { cacheFolders, credentialPlaces } from '../../worktree/landing/sandbox-places.ts';
import type { CrewContext } from '../workers/roster.ts';
import { wallsOf } from './git-walls.ts';

type Env = Readonly<Record<string, string>>;

export interface SandboxChoice {
  readonly isOn: boolean;
  /** A start with a hole that nobody wished is refused. */
  readonly mustHold: boolean;
  /** Why it does not work, where it is off for that reason alone. */
  readonly missing?: string;
}

export interface SandboxRequest {
  readonly agent: Agent;
  readonly command: readonly string[];
  readonly settings: Settings;
  /** What the order asks for; undefined leaves it to the configuration. */
  readonly asked: boolean | undefined;
  readonly env: Env;
}

/** Rejects with `start_failed` where the sandbox must be on and does not work. */
export async function chooseSandbox(request: SandboxRequest): Promise<SandboxChoice> {
  const { agent, asked, settings, env, command } = request;
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

/** Makes the folder for temporary files, which `forgetTemp` removes. */
export async function sandboxOf(
  context: CrewContext,
  record: WorkerRecord,
  at: { readonly agent: Agent; readonly env: Env; readonly git: LaunchSpec['git'] },
): Promise<SandboxSpec> {
  const { agent, env, git } = at;
  const { sandbox } = context.settingsFor(record.mainRepoPath ?? record.projectPath).settings;
  const { HOME: home = '/' } = env;
  const temp = tempOf(record, env);
  await mkdir(temp, { recursive: true, mode: 0o700 });
  const isLinked = git !== undefined && git.gitDir !== git.commonDir;
  const { walls, holes } = await wallsOf(context, record, at);
  const isBare = isLinked && walls === undefined;
  const forGit = isBare && agent.sandbox?.guardsGit ? writtenByCommit(git) : [];
  return {
    root: await realpath(record.worktreePath ?? record.projectPath),
    temp: await realpath(temp),
    writable: await realPaths([
      ...cacheFolders(env),
      ...sandbox.allow_write.map((path) => absolute(path, { cwd: '/', userHome: home })),
      ...forGit,
    ]),
    // Where the walls do not hold, Claude Code's own still do.
    unwritable: isBare || (isLinked && !agent.sandbox?.guardsGit) ? await realPaths(guardedFromCommit(git)) : [],
    unreadable: await realPaths([context.home.root, ...tmuxFolders(context.serverEnv), ...credentialPlaces(env)]),
    allowedDomains: sandbox.allowed_domains,
    excludedCommands: sandbox.excluded_commands,
    allowUnixSockets: sandbox.allow_unix_sockets,
    allowLocalBinding: sandbox.allow_local_binding,
    holes,
    ...defined({ walls }),
  };
}

/** The folders of the tmux sockets: whoever reaches one can type into any pane. */
const tmuxFolders = ({ TMUX_TMPDIR: folder = '/tmp', TMUX: around = '' }: Env): readonly string[] => [
  join(folder, `tmux-${userInfo().uid}`),
  dirname(around.split(',')[0] ?? ''),
];

const tempOf = ({ id }: Pick<WorkerRecord, 'id'>, env: Env): string => join(env.TMPDIR ?? '/tmp', `crewmux-${id}`);

/** Removes the temporary files of a closed worker. Never rejects. */
export const forgetTemp = (record: Pick<WorkerRecord, 'id'>, env: Env): Promise<void> =>
  rm(tempOf(record, env), { recursive: true, force: true }).catch(() => undefined);
