// The agents' programs: there, and of a release that was tested.

import type { Agent } from '../../../agents/agent.ts';
import { asCrewError } from '../../../model/errors.ts';
import { type AgentType, isBuiltIn } from '../../../model/worker.ts';
import { commandOf, knownAgents } from '../../../settings/settings.ts';
import { run } from '../../../system/exec.ts';
import type { Finding } from '../../../wire/doctor.ts';
import { fail, ok, warn } from '../../../wire/doctor.ts';
import { findCommand } from '../../lifecycle/launch.ts';
import { compareReleases, readRelease, releaseText } from './release.ts';
import type { Check, DoctorSources } from './sources.ts';

const versionCeilingMs = 4_000;

export const checkAgents = (sources: DoctorSources): readonly Check[] =>
  knownAgents(sources.loaded.settings).map((type) => ({
    check: `agent_${type}`,
    look: async () => [await lookAt(sources, type)],
  }));

async function lookAt(
  { workerEnv: env, project, loaded: { settings, origins }, agents }: DoctorSources,
  type: AgentType,
): Promise<Finding> {
  const check = `agent_${type}`;
  const at = { agent: type, path: env.PATH ?? '', cwd: project };
  const found = await findCommand(commandOf(settings, type) ?? [], at).catch((error: unknown) => asCrewError(error));
  if (found instanceof Error) {
    if (settings.defaults.agent_type === type) return fail(check, found.message, found.hint);
    const isAskedFor = !isBuiltIn(type) || origins[`commands.${type}`] !== undefined;
    if (isAskedFor) return warn(check, found.message, found.hint);
    return ok(check, `not installed, and needed for ${type} workers only`);
  }
  const [program = '', ...args] = found;
  // What a program nobody knows makes of --version is not known either.
  if (!isBuiltIn(type))
    return ok(check, `${program}, read by its screen as agents.${type} says; no release of it is tested`);
  const result = await run(program, [...args, '--version'], {
    env,
    timeoutMs: versionCeilingMs,
    wholeTree: 'when-stopped',
  });
  const told = result.timedOut ? undefined : readRelease(result.stdout);
  if (told !== undefined) return releaseFinding(check, { program, told, tested: agents[type].tested });
  const why = result.timedOut
    ? `says nothing within ${versionCeilingMs / 1_000} s`
    : `ends with ${result.exitCode ?? result.signal}`;
  return warn(check, `${program} --version ${why}`, `Run it in a terminal to see why; workers may fail to start.`);
}

/** Pure. */
export function releaseFinding(
  check: string,
  { program, told, tested }: { program: string; told: readonly number[]; tested: Agent['tested'] },
): Finding {
  const detail = `${releaseText(told)} at ${program}`;
  const from = readRelease(tested?.testedFrom ?? '');
  const to = readRelease(tested?.testedTo ?? '');
  if (from === undefined || to === undefined) return ok(check, detail);
  const range = compareReleases(from, to) === 0 ? releaseText(from) : `${releaseText(from)} to ${releaseText(to)}`;
  if (compareReleases(told, from) >= 0 && compareReleases(told, to) <= 0) return ok(check, `${detail}, tested`);
  const newer = compareReleases(told, to) > 0;
  return warn(
    check,
    `${detail}; tested is ${range}`,
    newer
      ? 'It will most likely work. If a state or a dialog is misread, look for a newer crewmux, or install the tested release.'
      : 'Update it.',
  );
}
