// Whether workers run in the sandbox of their agent.

import { platform } from 'node:os';
import type { BuiltInAgent } from '../../../model/worker.ts';
import { commandOf, type Settings } from '../../../settings/settings.ts';
import type { Finding } from '../../../wire/doctor.ts';
import { ok, warn } from '../../../wire/doctor.ts';
import { findCommand } from '../../lifecycle/launch.ts';
import { troubleWith } from '../../lifecycle/worker-sandbox.ts';
import type { Check, DoctorSources } from './sources.ts';

const check = 'sandbox';

export const checkSandbox = (sources: DoctorSources): Check => ({
  check,
  look: async () => [sandboxFinding(sources.loaded.settings.defaults.sandbox, await lookAt(sources))],
});

/** Of an agent that is installed: why its sandbox does not work, undefined where it does. */
export interface Seen {
  readonly type: string;
  readonly trouble: string | undefined;
}

async function lookAt({ agents, loaded, project, workerEnv: env }: DoctorSources): Promise<readonly Seen[]> {
  const types: readonly BuiltInAgent[] = ['claude', 'codex'];
  const looked = types.map(async (type): Promise<readonly Seen[]> => {
    const at = { agent: type, path: env.PATH ?? '', cwd: project };
    const command = await findCommand(commandOf(loaded.settings, type) ?? [], at).catch(() => undefined);
    if (command === undefined) return [];
    const probes = agents[type].sandbox?.probes({ platform: platform(), command }) ?? [];
    return [{ type, trouble: await troubleWith(probes, env) }];
  });
  return (await Promise.all(looked)).flat();
}

/** Pure. */
export function sandboxFinding(wish: Settings['defaults']['sandbox'], seen: readonly Seen[]): Finding {
  if (wish === 'off') return ok(check, 'defaults.sandbox is "off": code that workers run may do whatever you may');
  const without = seen.flatMap(({ type, trouble }) => (trouble === undefined ? [] : [`${type}: ${trouble}`]));
  if (seen.length === 0) return ok(check, 'no agent is installed');
  if (without.length === 0) return ok(check, `${seen.map(({ type }) => type).join(' and ')} workers run in a sandbox`);
  const what =
    wish === 'on'
      ? 'defaults.sandbox is "on", so these workers do not start'
      : 'workers run without a sandbox, and their code may do whatever you may';
  return warn(check, `${what}. ${without.join(' ')}`, 'Do what the detail says, then run doctor again.');
}
