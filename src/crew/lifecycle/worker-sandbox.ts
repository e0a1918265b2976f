// Whether a worker's commands run in the sandbox of its agent, and what that sandbox is told.
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { platform, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Agent, LaunchSpec, SandboxProbe, SandboxSpec } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import { absolute } from '../../model/path.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import { realPaths } from '../../system/disk.ts';
import { run } from '../../system/exec.ts';
import { excludedByUser, guardedFromCommit, writtenByCommit } from '../../worktree/git-places.ts';
import { cacheFolders, credentialPlaces } from '../../worktree/landing/sandbox-places.ts';
import type { CrewContext } from '../workers/roster.ts';

type Env = Readonly<Record<string, string>>;

export interface SandboxChoice {
  readonly isOn: boolean;
  /** Why it is off, where nobody has switched it off. */
  readonly missing?: string;
}

export interface SandboxWish {
  readonly agent: Agent;
  readonly command: readonly string[];
  readonly settings: Settings;
  /** What was asked for this worker; the configuration decides where nothing was. */
  readonly asked: boolean | undefined;
  readonly env: Env;
}

/** Rejects with `start_failed` where the sandbox is to be on and does not work. */
export async function chooseSandbox(wish: SandboxWish): Promise<SandboxChoice> {
  const { agent, asked, settings, env, command } = wish;
  const choice = asked === undefined ? settings.defaults.sandbox : asked ? 'on' : 'off';
  if (choice === 'off') return { isOn: false };
  const trouble =
    agent.sandbox === undefined
      ? `crewmux knows no sandbox of ${agent.type}.`
      : await troubleWith(agent.sandbox.probes({ platform: platform(), command }), env);
  if (trouble === undefined) return { isOn: true };
  if (choice === 'auto') return agent.sandbox === undefined ? { isOn: false } : { isOn: false, missing: trouble };
  throw new CrewError(
    'start_failed',
    `The sandbox of ${agent.type} is to be on and does not work here: ${trouble}`,
    'Do what the message says, or pass sandbox: false.',
  );
}

const warned = new WeakSet<CrewContext>();

/** A warning for the first worker of this server that goes without. */
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

/** Why the sandbox does not work; each probe is run once, as long as the process lives. */
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
  const told = await run(program, args, { env, timeoutMs: probeMs, wholeTree: 'when-stopped' });
  if (told.exitCode === 0) return undefined;
  // A machine that was busy once may be free the next time, and what is missing may be installed.
  forget();
  const last = told.stderr.trim().split('\n').at(-1);
  const why = told.timedOut ? `no answer within ${probeMs} ms` : (told.startError ?? (last || `exit ${told.exitCode}`));
  return `${program} does not work: ${why}. ${fix}`;
}

/** The folder for temporary files is made here; `forgetTemp` takes it away. */
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
  const forGit = isLinked && agent.sandbox?.guardsGit ? writtenByCommit(git) : [];
  return {
    root: await realpath(record.worktreePath ?? record.projectPath),
    temp: await realpath(temp),
    writable: await realPaths([
      ...cacheFolders(env),
      ...sandbox.allow_write.map((path) => absolute(path, { cwd: '/', userHome: home })),
      ...forGit,
    ]),
    unwritable: isLinked ? await realPaths(guardedFromCommit(git)) : [],
    unreadable: await realPaths([context.home.root, ...tmuxFolders(context.serverEnv), ...credentialPlaces(env)]),
    allowedDomains: sandbox.allowed_domains,
    excludedCommands: sandbox.excluded_commands,
    allowUnixSockets: sandbox.allow_unix_sockets,
    allowLocalBinding: sandbox.allow_local_binding,
    ...(isLinked ? await excludes(agent, { git, env }) : {}),
  };
}

/** Where the sockets of tmux lie, by which any pane could be typed into. */
const tmuxFolders = ({ TMUX_TMPDIR: folder = '/tmp', TMUX: around = '' }: Env): readonly string[] => [
  join(folder, `tmux-${userInfo().uid}`),
  dirname(around.split(',')[0] ?? ''),
];

const tempOf = ({ id }: Pick<WorkerRecord, 'id'>, env: Env): string => join(env.TMPDIR ?? '/tmp', `crewmux-${id}`);

/** A worker that is closed leaves no temporary files behind. Never rejects. */
export const forgetTemp = (record: Pick<WorkerRecord, 'id'>, env: Env): Promise<void> =>
  rm(tempOf(record, env), { recursive: true, force: true }).catch(() => undefined);

/** The stand-ins would be in the way of a `git add -A`; beside them the user's own excludes go on to hold. */
async function excludes(
  agent: Agent,
  { git, env }: { readonly git: NonNullable<LaunchSpec['git']>; readonly env: Env },
): Promise<Pick<SandboxSpec, 'excludesFile'>> {
  const { standIns = [] } = agent.sandbox ?? {};
  if (standIns.length === 0) return {};
  const excludesFile = join(git.gitDir, 'crewmux-excludes');
  const lines = [...standIns.map((name) => `/${name}`), await excludedByUser(git.commonDir, env)];
  await writeFile(excludesFile, `${lines.join('\n')}\n`);
  return { excludesFile };
}
