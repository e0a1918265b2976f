// What is known, before a plan starts, to make somebody wait once it runs. Pure.
import type { FactsAhead } from '../../crew/api.ts';
import { isoTime } from '../../model/clock.ts';

export interface PreflightFacts extends Omit<FactsAhead, 'givesTools'> {
  /** Of workers that will ask, and of roles of which not all counts. */
  readonly asking: readonly string[];
  /** By the agent, until when its account has reached a limit. */
  readonly limits: ReadonlyMap<string, number>;
  /** Workers that stand at a login, and their agents. */
  readonly loggedOut: readonly { readonly name: string; readonly agentType: string }[];
  /** Agents of the workers to come. */
  readonly agentTypes: readonly string[];
}

/** A sentence for each. */
export function preflight(facts: PreflightFacts): readonly string[] {
  const { asking, limits, loggedOut, absent, problems, testCommand, missing, agentTypes } = facts;
  const types = [...new Set(agentTypes)];
  const limited = types.flatMap((type) => {
    const until = limits.get(type);
    return until === undefined
      ? []
      : [`The account of ${type} has reached a usage limit: its workers wait until ${isoTime(until)}.`];
  });
  const out = types.flatMap((type) => {
    const at = loggedOut.find(({ agentType }) => agentType === type);
    return at === undefined
      ? []
      : [`${type} is not logged in (${at.name} waits for it): each of its workers would wait.`];
  });
  return [
    ...asking,
    ...absent.map(
      (type) => `The program of ${type} is not found: its workers cannot start. doctor says what is configured.`,
    ),
    ...out,
    ...limited,
    ...problems,
    ...(testCommand === undefined
      ? ['No test command is known: what the jobs make lands untested. Name one with test_command, or "" for none.']
      : []),
    ...missing.map(
      ({ command, program }) => `\`${shown(command)}\` would fail: the program ${program} is not found here.`,
    ),
  ];
}

const mostShown = 100;
const shown = (command: string): string =>
  command.length > mostShown ? `${command.slice(0, mostShown)}…` : command.replaceAll('`', "'");
