// The command line that starts a configured agent.
import type { LaunchPlan, LaunchSpec } from '../agent.ts';
import { shortArgv } from '../long-argv.ts';
import type { Configuration } from './configuration.ts';

/** What it has no words for is left out; whoever asks for it is refused before. */
export function launch(spec: LaunchSpec, config: Configuration | undefined): LaunchPlan {
  const { model, resume, skipPermissions } = spec;
  const words = [
    ...spec.command,
    ...(resume === undefined ? [] : filled(config?.resume_args, 'id', resume.agentSessionId)),
    ...(skipPermissions ? (config?.skip_permissions_args ?? []) : []),
    ...(model === undefined ? [] : filled(config?.model_args, 'model', model)),
  ];
  const { argv, files } = shortArgv(words, spec.launchDir);
  return { argv, files, env: { ...spec.env, CREWMUX_WORKER: spec.workerId } };
}

const filled = (args: readonly string[] = [], name: string, value: string): readonly string[] =>
  args.map((arg) => arg.replaceAll(`{${name}}`, value));
