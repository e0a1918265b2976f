// What the tripwire leaves to a person in a permission dialog that no hook of ours holds.
import type { Agent } from '../../agents/agent.ts';
import type { Act } from '../../model/act.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { personsReason } from '../../permissions/tripwire-look.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { readPlace, realPath } from '../../store/place.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';

/** Why nobody but a person may allow what the dialog asks; undefined where a manager may. */
export async function personsReasonOf(
  record: WorkerRecord,
  { dialog, asked, agent }: { dialog: Dialog; asked: readonly AgentRequest[]; agent: Pick<Agent, 'actOf'> },
): Promise<string | undefined> {
  if (dialog.waitingFor !== 'permission') return undefined;
  const marked = asked.find(({ personOnly }) => personOnly === true);
  if (marked !== undefined) return marked.rule ?? `${marked.tool} is a person's to allow.`;
  const place = readPlace(launchPlace(record.launch.dir).workerDir);
  if (place === undefined) return undefined;
  const known = asked.map(({ tool, input }) => agent.actOf(tool, input, record.projectPath));
  for (const act of [...known, ...actsShown(dialog, record.projectPath)]) {
    const reason = await personsReason(act, { ...place, real: realPath });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether the dialog is about a known request cannot be told for sure, so its lines are read as commands, too. */
const actsShown = ({ text }: Dialog, cwd: string): readonly Act[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^[\s$│]+/u, '').trim())
    // Prose is no command, and must not pass for one that cannot be read.
    .filter((line) => line !== '' && !/['’?]/.test(line.replaceAll(/'[^']*'/g, '')))
    .map((command) => ({ tool: 'Bash', cwd, command }));
