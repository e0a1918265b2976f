// Prompts that are still to come: which of them a text that shows up is.
import type { TurnFacts } from './turn-facts.ts';

/** The id under which the prompt given at launch is awaited. */
export const launchMessageId = 'launch';

/** Two texts are the same prompt when they differ in outer blank and unicode form at most. */
export const samePrompt = (a: string, b: string): boolean => a.trim().normalize('NFC') === b.trim().normalize('NFC');

export const withoutMessage = (facts: TurnFacts, messageId: string): TurnFacts => ({
  ...facts,
  sends: facts.sends.filter((send) => send.messageId !== messageId),
  handed: facts.handed.filter((one) => one.messageId !== messageId),
});

/** Messages that have no turn yet. */
export const pending = ({ sends, queued, handed }: TurnFacts): number => sends.length + queued.length + handed.length;

/** Escape stops the agent's own queue, too, until the next turn ends by itself. */
export const isQueuePaused = ({ handed, witness }: TurnFacts): boolean =>
  handed.length > 0 && witness.end?.how === 'interrupted';

/** Without a text the oldest is meant. */
export function unqueued(facts: TurnFacts, text: string | undefined): TurnFacts {
  if (text === undefined) return { ...facts, queued: facts.queued.slice(1) };
  return { ...facts, queued: withoutFirstText(facts.queued, text) };
}

export function withoutFirst(sends: TurnFacts['sends'], text: string): TurnFacts['sends'] {
  const index = sends.findIndex((send) => send.messageId === launchMessageId || samePrompt(send.text, text));
  return index < 0 ? sends : sends.filter((_, i) => i !== index);
}

function withoutFirstText(texts: readonly string[], text: string): readonly string[] {
  const index = texts.findIndex((queued) => samePrompt(queued, text));
  return index < 0 ? texts : texts.filter((_, i) => i !== index);
}
