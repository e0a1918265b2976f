// What the server of a worker knows of it, in a file: a look at the crew begins with that and reads only what is newer.
import { join } from 'node:path';
import { fieldsOf } from '../../model/json.ts';
import { readHeldSync } from '../../system/atomic.ts';
import { noFacts } from '../../turn/facts.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { ConversationSoFar } from './conversation.ts';

/** A worktree whose links to its repository changed. */
export interface MovedTree {
  readonly words: string;
  readonly at: number;
}

export interface LastWord {
  readonly v: 2;
  readonly state: TurnState;
  /** How far the lines of its hooks are in `state`. */
  readonly signalsAt: number;
  readonly transcript: { readonly path: string; readonly at: number; readonly soFar: ConversationSoFar };
  readonly agentSessionId: string;
  /** Other workers, or the base, with which its work would conflict. */
  readonly conflictsWith: readonly string[];
  readonly moved?: MovedTree;
}

export const lastWordFile = 'last-word.json';

/** Undefined where there is none, or none of this version. Written by rename, so never half. */
export const readLastWord = (launchDir: string): LastWord | undefined =>
  readHeldSync(join(launchDir, lastWordFile), isLastWord);

/** Every field that the facts of this version begin with is there, and of the same type. Pure. */
export function isLastWord(held: unknown): held is LastWord {
  const { v, state, signalsAt, transcript, agentSessionId, conflictsWith } = fieldsOf(held);
  const { is, evidence, since, lastActivityAt, requests, questions, facts } = fieldsOf(state);
  const { path, at, soFar } = fieldsOf(transcript);
  const { exchanges, totals } = fieldsOf(soFar);
  const isKnown = ['starting', 'idle', 'working', 'waiting', 'unknown', 'gone'].some((one) => one === is);
  const counts = [signalsAt, since, lastActivityAt, at];
  return (
    v === 2 &&
    isKnown &&
    counts.every((one) => typeof one === 'number') &&
    [path, agentSessionId].every((one) => typeof one === 'string') &&
    [requests, questions, conflictsWith, exchanges].every(Array.isArray) &&
    [evidence, totals].every((one) => typeof one === 'object' && one !== null) &&
    Object.entries(noFacts(0)).every(([name, value]) => isLike(value, fieldsOf(facts)[name]))
  );
}

const isLike = (known: unknown, held: unknown): boolean =>
  known === undefined || (typeof known === typeof held && Array.isArray(known) === Array.isArray(held));
