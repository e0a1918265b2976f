// What a worker at work does, by its transcript, its state file and its hooks; a screen never tells.
import { defined } from '../model/defined.ts';
import { counted } from '../model/plural.ts';
import type { Doing } from '../model/turn.ts';
import { backgroundTasks, type TurnFacts } from './facts.ts';
import type { TurnState } from './reduce-turn.ts';

/** Undefined for a worker that is not at work, and where no source tells. Pure. */
export function doingOf({ is, facts }: Pick<TurnState, 'is' | 'facts'>): Doing | undefined {
  if (is !== 'working') return undefined;
  if (isInTurn(facts)) return inTurn(facts);
  return newlyAsked(facts) ?? behindTurns(facts);
}

/** The transcript shows a turn that nothing later has ended. */
function isInTurn({ transcript, agent, witness: { end } }: TurnFacts): boolean {
  if (transcript?.open !== true) return false;
  const rests = agent?.status === 'idle' || agent?.status === 'background' ? agent.at : 0;
  return Math.max(rests, end?.at ?? 0) <= transcript.at;
}

function inTurn({ steps, trouble }: TurnFacts): Doing | undefined {
  // The transcript does not tell what the screen shows then, and its last word is no news.
  if (trouble !== undefined) return undefined;
  const [call] = steps.calls;
  if (call === undefined) return steps.model;
  const { tool, about, at: since } = call;
  return { kind: 'tool', tool, ...defined({ detail: about || undefined }), since };
}

/** A hook tells of a prompt before the transcript does. */
function newlyAsked({ witness: { promptAt, end }, transcript, agent }: TurnFacts): Doing | undefined {
  const rests = agent !== undefined && agent.status !== 'busy' ? agent.at : 0;
  const isNew = promptAt !== undefined && end === undefined && promptAt > Math.max(transcript?.at ?? 0, rests);
  return isNew ? { kind: 'thinking', since: promptAt } : undefined;
}

function behindTurns(facts: TurnFacts): Doing | undefined {
  const { agent, witness, launchedAt } = facts;
  const count = backgroundTasks(facts);
  const isShell = agent?.status === 'background';
  if (count === 0 && !isShell) return undefined;
  const since = witness.end?.at ?? (isShell ? agent.at : launchedAt);
  return { kind: 'background', ...(count === 0 ? {} : { detail: counted(count, 'background task') }), since };
}
