// A launch as the crew orders it, for tests of the adapters.
import type { LaunchSpec } from '../../src/agents/agent.ts';
import { CrewError } from '../../src/model/errors.ts';
import { noRules } from '../../src/model/rule.ts';

export const launchSpec: LaunchSpec = {
  workerId: '0badcafe',
  name: 'ada',
  cwd: '/project',
  launchDir: '/launch',
  signalsPath: '/launch/signals.jsonl',
  tripwire: [['rm ']],
  rules: noRules,
  command: ['agent'],
  program: ['node', 'crewmux.mjs'],
  agentSessionId: 'unused',
  skipPermissions: false,
  env: { PATH: '/bin' },
};

/** The error of a launch that refuses; undefined where it does not. */
export function refusalOf(launch: () => unknown): CrewError | undefined {
  try {
    launch();
  } catch (thrown) {
    return thrown instanceof CrewError ? thrown : undefined;
  }
  return undefined;
}
