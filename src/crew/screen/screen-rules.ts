// What the worker's rules leave to a manager in a permission dialog that no hook of ours holds.
import type { Agent } from '../../agents/agent.ts';
import type { PermissionAsked } from '../../model/asked.ts';
import type { Act, Policy, Ruling } from '../../model/permission.ts';
import { ruleOn } from '../../model/permission-ruling.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../state/launch-place.ts';
import { groundOf, readPolicy } from '../../state/policy.ts';

/** Why nobody but a person may allow what the dialog asks; undefined where a manager may. */
export function personsReason(
  record: WorkerRecord,
  { dialog, asked, agent }: { dialog: Dialog; asked: readonly PermissionAsked[]; agent: Pick<Agent, 'actOf'> },
): string | undefined {
  if (dialog.waitingFor !== 'permission') return undefined;
  const marked = asked.find(({ personOnly }) => personOnly === true);
  if (marked !== undefined) return marked.rule ?? `${marked.tool} is a person's to allow.`;
  const policy = readPolicy(launchPlace(record.launch.dir).workerDir);
  if (policy === undefined) return undefined;
  const known = asked.map(({ tool, input }) => agent.actOf(tool, input, record.projectPath));
  return refusedIn(policy.layers, [...known, ...actsShown(dialog, record.projectPath)], groundOf(policy));
}

/** Whether the dialog is about a known request cannot be told for sure, so every line of it is read as a command, too. */
const actsShown = ({ text }: Dialog, cwd: string): readonly Act[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^[\s$│]+/u, '').trim())
    .filter((line) => line !== '')
    .map((command) => ({ tool: 'Bash', cwd, command }));

function refusedIn(policy: Policy, acts: readonly Act[], ground: Parameters<typeof ruleOn>[2]): string | undefined {
  const isRefused = ({ decision, catastrophic }: Ruling) => decision === 'deny' || catastrophic !== undefined;
  return acts.map((act) => ruleOn(policy, act, ground)).find(isRefused)?.reason;
}
