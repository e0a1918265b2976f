// A usage limit a worker has run into: what is said of it, and when it is over.
import { resetTimeIn } from '../model/reset-time.ts';
import type { TurnFacts } from './turn-facts.ts';

export interface Limit {
  /** The agent's own words. */
  readonly detail: string;
  /** Epoch ms; undefined where nothing names a time. */
  readonly resetsAt?: number;
  /** The agent has said that it goes on by itself then. */
  readonly goesOn?: true;
}

/** What is known of the limit that a worker waits for. A dialog about it says the same as the end of the turn, or more. */
export function limitOf({ witness: { end }, dialog }: TurnFacts): Limit | undefined {
  if (end?.how === 'limit') {
    const { detail, resetsAt, goesOn } = end;
    return { detail, ...(resetsAt === undefined ? {} : { resetsAt }), ...(goesOn === undefined ? {} : { goesOn }) };
  }
  if (dialog?.dialog.waitingFor !== 'limit') return undefined;
  const { title, text } = dialog.dialog;
  const resetsAt = resetTimeIn(text, { at: dialog.at });
  return { detail: title, ...(resetsAt === undefined ? {} : { resetsAt }) };
}
