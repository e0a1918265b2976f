// tmux, git, gh and the agents' programs: installed, of a tested release, answering, and with a sandbox that works.

import { platform } from 'node:os';
import type { Agent } from '../../../agents/agent.ts';
import { advise, call } from '../../../model/advice.ts';
import { asCrewError } from '../../../model/errors.ts';
import { howToGet, oldestGit, orNewer } from '../../../model/needs.ts';
import { counted } from '../../../model/plural.ts';
import { type AgentType, type BuiltInAgent, isBuiltIn } from '../../../model/worker.ts';
import { commandOf, knownAgents, type Settings } from '../../../settings/settings.ts';
import { run } from '../../../system/exec.ts';
import { type Finding, fail, ok, warn } from '../../../wire/doctor.ts';
import { type Bubblewrap, findBubblewrap } from '../../../worktree/landing/sandbox-probe.ts';
import { findCommand } from '../../lifecycle/launch.ts';
import { troubleWith } from '../../lifecycle/worker-sandbox.ts';
import type { Checks, DoctorSources } from './sources.ts';

const versionCeilingMs = 4_000;

export const programChecks = ({ loaded }: DoctorSources): Checks => ({
  tmux: lookAtTmux,
  tmux_server: lookAtServer,
  git: lookAtGit,
  gh: lookAtGh,
  sandbox: lookAtSandboxes,
  merge_sandbox: async ({ workerEnv }) =>
    mergeSandboxFinding(loaded.settings.merge.sandbox, await findBubblewrap(workerEnv)),
  ...Object.fromEntries(
    knownAgents(loaded.settings).map((type) => [`agent_${type}`, (sources) => lookAtAgent(sources, type)]),
  ),
});

async function lookAtTmux({ terminalHealth }: DoctorSources): Promise<Finding> {
  const { version, missing, isSupported, isFast } = await terminalHealth();
  const install = `Install a newer one: \`${howToGet(['tmux'], platform())}\`.`;
  if (missing !== undefined)
    return fail('tmux', `tmux does not run: ${missing}`, install.replace(' a newer one', ' it'));
  if (!isSupported) return fail('tmux', `${version} is too old; 3.0 is the oldest that works`, install);
  if (isFast) return ok('tmux', version);
  return warn('tmux', `${version} works, with a process for every command`, `From 3.2 on it is fast. ${install}`);
}

async function lookAtServer({ panesOf, loaded }: DoctorSources): Promise<Finding> {
  const { socket } = loaded.settings.tmux;
  const panes = await panesOf(socket);
  if (panes.length === 0) return ok('tmux_server', `socket "${socket}": not running; the first worker starts it`);
  const dead = panes.filter((pane) => pane.dead).length;
  return ok(
    'tmux_server',
    `socket "${socket}": ${counted(panes.length, 'pane')}, ${dead} of them with an ended program`,
  );
}

async function lookAtGit({ env }: DoctorSources): Promise<Finding> {
  const { stdout, startError, timedOut } = await run('git', ['--version'], { env, timeoutMs: versionCeilingMs });
  const install = `Install ${orNewer('git')}: \`${howToGet(['git'], platform())}\`.`;
  if (startError !== undefined) return fail('git', `git does not run: ${startError}`, install);
  const release = readRelease(stdout);
  if (timedOut || release === undefined) return warn('git', 'git tells no version', 'Run `git --version` to see why.');
  const text = `git ${releaseText(release)}`;
  if (compareReleases(release, readRelease(oldestGit) ?? []) >= 0) return ok('git', text);
  return fail('git', `${text} is too old; ${oldestGit} is the oldest that works`, install);
}

/** Only open_pull_request uses gh, so a machine without it is in order. */
async function lookAtGh({ env }: DoctorSources): Promise<Finding> {
  const { stdout, startError } = await run('gh', ['--version'], { env, timeoutMs: versionCeilingMs });
  const release = readRelease(stdout);
  if (startError === undefined && release !== undefined) return ok('gh', `gh ${releaseText(release)}`);
  return ok(
    'gh',
    advise`gh does not run; without it ${call('open_pull_request writes the text and opens nothing', 'nobody opens a pull request')}`,
  );
}

/** The command of an agent with its program's path; throws `agent_missing` when it is not installed. */
export const agentCommand = ({ workerEnv, project, loaded }: DoctorSources, type: AgentType) =>
  findCommand(commandOf(loaded.settings, type) ?? [], { agent: type, path: workerEnv.PATH ?? '', cwd: project });

async function lookAtAgent(sources: DoctorSources, type: AgentType): Promise<Finding> {
  const { workerEnv: env, loaded, agents } = sources;
  const check = `agent_${type}`;
  const found = await agentCommand(sources, type).catch((error: unknown) => asCrewError(error));
  if (found instanceof Error) {
    if (loaded.settings.defaults.agent_type === type) return fail(check, found.message, found.hint);
    const isAskedFor = !isBuiltIn(type) || loaded.origins[`commands.${type}`] !== undefined;
    if (isAskedFor) return warn(check, found.message, found.hint);
    return ok(check, `not installed, and needed for ${type} workers only`);
  }
  const [program = '', ...args] = found;
  // Nobody knows how a configured program takes --version.
  if (!isBuiltIn(type))
    return ok(check, `${program}, read by its screen as agents.${type} says; no release of it is tested`);
  const options = { env, timeoutMs: versionCeilingMs, wholeTree: 'when-stopped' } as const;
  const result = await run(program, [...args, '--version'], options);
  const release = result.timedOut ? undefined : readRelease(result.stdout);
  if (release !== undefined) return releaseFinding(check, { program, release, tested: agents[type].tested });
  const why = result.timedOut
    ? `says nothing within ${versionCeilingMs / 1_000} s`
    : `ends with ${result.exitCode ?? result.signal}`;
  return warn(check, `${program} --version ${why}`, `Run it in a terminal to see why; workers may fail to start.`);
}

/** Pure. */
export function releaseFinding(
  check: string,
  { program, release, tested }: { program: string; release: Release; tested: Agent['tested'] },
): Finding {
  const detail = `${releaseText(release)} at ${program}`;
  const from = readRelease(tested?.testedFrom ?? '');
  const to = readRelease(tested?.testedTo ?? '');
  if (from === undefined || to === undefined) return ok(check, detail);
  const range = compareReleases(from, to) === 0 ? releaseText(from) : `${releaseText(from)} to ${releaseText(to)}`;
  const isNewer = compareReleases(release, to) > 0;
  if (!isNewer && compareReleases(release, from) >= 0) return ok(check, `${detail}, tested`);
  const ifNewer =
    'It will most likely work. If a state or a dialog is misread, look for a newer crewmux, or install the tested release.';
  return warn(check, `${detail}; tested is ${range}`, isNewer ? ifNewer : 'Update it.');
}

export type Release = readonly number[];

/** The first number of two or more parts, as `--version` prints a release; undefined where there is none. */
export const readRelease = (text: string): Release | undefined =>
  /(?<![\d.])\d+(?:\.\d+)+/.exec(text)?.[0].split('.').map(Number);

const releaseText = (release: Release): string => release.join('.');

/** Negative when `a` is the earlier; a part that is missing counts as 0. */
export function compareReleases(a: Release, b: Release): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Of an agent that is installed: why its sandbox does not work, undefined where it does. */
interface AgentSandbox {
  readonly type: BuiltInAgent;
  readonly trouble: string | undefined;
}

async function lookAtSandboxes(sources: DoctorSources): Promise<Finding> {
  const types: readonly BuiltInAgent[] = ['claude', 'codex'];
  const found = types.map(async (type): Promise<readonly AgentSandbox[]> => {
    const command = await agentCommand(sources, type).catch(() => undefined);
    if (command === undefined) return [];
    const probes = sources.agents[type].sandbox?.probes({ platform: platform(), command }) ?? [];
    return [{ type, trouble: await troubleWith(probes, sources.workerEnv) }];
  });
  return sandboxFinding(sources.loaded.settings.defaults.sandbox, (await Promise.all(found)).flat());
}

/** Whether workers run in the sandbox of their agent. Pure. */
export function sandboxFinding(wish: Settings['defaults']['sandbox'], found: readonly AgentSandbox[]): Finding {
  const check = 'sandbox';
  if (wish === 'off') return ok(check, 'defaults.sandbox is "off": code that workers run may do whatever you may');
  if (found.length === 0) return ok(check, 'no agent is installed');
  const without = found.flatMap(({ type, trouble }) => (trouble === undefined ? [] : [`${type}: ${trouble}`]));
  if (without.length === 0) return ok(check, `${found.map(({ type }) => type).join(' and ')} workers run in a sandbox`);
  const what =
    wish === 'on'
      ? 'defaults.sandbox is "on", so these workers do not start'
      : 'workers run without a sandbox, and their code may do whatever you may';
  return warn(
    check,
    `${what}. ${without.join(' ')}`,
    advise`Do what the detail says, then run ${call('doctor', '`crewmux doctor`')} again.`,
  );
}

/** Whether tests and hooks of a landing run in a sandbox; landing works without one. Pure. */
export function mergeSandboxFinding(wish: Settings['merge']['sandbox'], found: Bubblewrap): Finding {
  const check = 'merge_sandbox';
  const without = 'tests and hooks of a landing can do whatever you can do';
  if (wish === 'off') return ok(check, `merge.sandbox is "off": ${without}`);
  if ('program' in found) return ok(check, `tests and hooks of a landing run in ${found.program}`);
  return ok(check, `${found.missing}; ${without}. On Linux bubblewrap changes that: \`apt install bubblewrap\``);
}
