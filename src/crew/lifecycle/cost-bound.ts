// Whether the agent of some work can be held to a bound on its cost. Pure.
import type { Agent } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';

interface Bound {
  /** Of the job or task. */
  readonly name: string;
  readonly agent: Pick<Agent, 'type' | 'tellsCost'>;
}

/** Throws `invalid_argument` where an agent never tells its cost; warns of those that tell it late. */
export function costWarnings(bound: readonly Bound[]): readonly string[] {
  const unheld = bound.find(({ agent }) => agent.tellsCost === 'never');
  if (unheld !== undefined) {
    const { name, agent } = unheld;
    throw new CrewError(
      'invalid_argument',
      `${name} has max_cost_usd, and its agent ${agent.type} does not tell what it costs, so nothing would hold it.`,
      'Leave max_cost_usd out; max_turns and timeout_minutes bound every agent.',
    );
  }
  const late = bound.filter(({ agent }) => agent.tellsCost === 'late').map(({ name }) => name);
  if (late.length === 0) return [];
  return [
    `The max_cost_usd of ${late.join(', ')} is looked at late: the agent tells its cost when its conversation is cleared or ends. max_turns counts at once.`,
  ];
}
