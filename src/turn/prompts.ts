// Prompts that are still to come, and what a prompt that the agent has taken up changes.
import { stillOpen } from './agent-request.ts';
import { launchMessageId, type TurnFacts } from './facts.ts';
import { afterPrompt } from './turn-end.ts';

/** Two texts are the same prompt when they differ in outer blank and unicode form at most. */
export const samePrompt = (a: string, b: string): boolean => a.trim().normalize('NFC') === b.trim().normalize('NFC');

export function promptTaken(facts: TurnFacts, prompt: { at: number; text: string }): TurnFacts {
  const known = facts.witness.promptAt;
  // The hook and the transcript both report one prompt; the later report does not open a second turn.
  const fresh = known === undefined || prompt.at > known;
  // The prompt's line may be read after the dialog of its own turn has opened.
  const isNewer = (asked: { readonly at: number } | undefined) => asked !== undefined && asked.at > prompt.at;
  return {
    ...facts,
    asked: stillOpen(facts, prompt.at),
    dialog: isNewer(facts.dialog) ? facts.dialog : undefined,
    sends: withoutFirst(facts.sends, prompt.text),
    returned: [],
    witness: fresh ? afterPrompt(facts.witness, prompt.at) : facts.witness,
  };
}

/** A queued prompt begins its turn before its own line comes: the agent's last "idle" no longer counts. */
export const queueTakenUp = (facts: TurnFacts, at: number): TurnFacts =>
  at > (facts.witness.promptAt ?? 0) ? { ...facts, witness: afterPrompt(facts.witness, at) } : facts;

export const queuedByAgent = (facts: TurnFacts, text: string): TurnFacts => ({
  ...facts,
  sends: withoutFirst(facts.sends, text),
  queued: [...facts.queued, text],
});

/** Without a text the oldest is meant. */
export function unqueued(facts: TurnFacts, text: string | undefined): TurnFacts {
  const index = text === undefined ? 0 : facts.queued.findIndex((queued) => samePrompt(queued, text));
  return { ...facts, queued: withoutIndex(facts.queued, index) };
}

export const withoutMessage = (facts: TurnFacts, messageId: string): TurnFacts => ({
  ...facts,
  sends: facts.sends.filter((send) => send.messageId !== messageId),
  handed: facts.handed.filter((one) => one.messageId !== messageId),
});

const withoutFirst = (sends: TurnFacts['sends'], text: string): TurnFacts['sends'] =>
  withoutIndex(
    sends,
    sends.findIndex((send) => send.messageId === launchMessageId || samePrompt(send.text, text)),
  );

const withoutIndex = <T>(items: readonly T[], index: number): readonly T[] =>
  index < 0 ? items : items.filter((_, i) => i !== index);
