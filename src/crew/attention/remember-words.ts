// What each choice of `remember` makes hold, in words. Pure.
import type { Agent } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { type Remember, type RememberProposal, remembers } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import { suggestionLine } from '../../wire/attention.ts';

type Choices = Readonly<Partial<Record<Remember, string>>>;
type Named = Pick<WorkerRecord, 'name' | 'role' | 'projectPath'>;

export const proposalOf = (
  { projectPath }: Named,
  { suggestions = [] }: AgentRequest,
  { permissionHook }: Pick<Agent, 'permissionHook'>,
): RememberProposal => permissionHook?.proposed(suggestions, projectPath) ?? { rules: [] };

/** A line for each choice. */
export function suggestionsOf(record: Named, asked: AgentRequest, agent: Pick<Agent, 'permissionHook'>): string[] {
  const choices = choicesOf(record, { asked, proposal: proposalOf(record, asked, agent), decision: 'allow' });
  return remembers.flatMap((choice) => {
    const words = choices[choice];
    return words === undefined ? [] : [suggestionLine(choice, words)];
  });
}

interface Deciding {
  readonly asked: Pick<AgentRequest, 'waitingFor' | 'tool' | 'held' | 'personOnly'>;
  readonly proposal: RememberProposal;
  readonly decision: 'allow' | 'deny';
}

/** Only what can be used: none where the agent's screen takes the answer, or where a person decides each time. */
export function choicesOf(
  { name, role, projectPath }: Named,
  { asked, proposal: { rules, edits }, decision }: Deciding,
): Choices {
  if (asked.waitingFor !== 'permission' || asked.held !== true || asked.personOnly === true) return {};
  const isAllowed = decision === 'allow';
  const byRule = isAllowed && rules.length > 0;
  const what = byRule ? rules.join(', ') : `only this very call of ${asked.tool}, its whole input byte by byte,`;
  const holds = `${what} ${byRule && rules.length > 1 ? 'are' : 'is'} ${isAllowed ? 'allowed' : 'denied'}`;
  const untilRestart = `until ${name} restarts`;
  return {
    session: `${holds} ${untilRestart}`,
    worker: `${holds} for ${name}, also after a restart`,
    ...defined({
      role: role === undefined ? undefined : `${holds} for every worker with the role ${role}`,
      edits: isAllowed && edits !== undefined ? `${edits} in ${projectPath} are accepted ${untilRestart}` : undefined,
    }),
  };
}
