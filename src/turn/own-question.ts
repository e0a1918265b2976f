// What a worker asks its manager with its own tool: while the tool waits so does the worker, later the answer is a message. Pure.
import type { Signal } from '../model/turn.ts';
import type { TurnFacts } from './turn-facts.ts';

export interface OwnQuestion {
  readonly requestId: string;
  readonly at: number;
  readonly text: string;
  readonly options: readonly string[];
  /** The tool has not returned yet. */
  readonly waits: boolean;
}

type Questions = readonly OwnQuestion[];

/** What stands after a signal; a new launch has asked nothing. */
export function noteQuestion(questions: Questions, signal: Signal): Questions {
  if (signal.from === 'us' && signal.kind === 'launched') return [];
  if (signal.from !== 'worker') return questions;
  const { requestId } = signal;
  switch (signal.kind) {
    case 'asks': {
      const { at, text, options } = signal;
      return [...questions.filter((one) => one.requestId !== requestId), { requestId, at, text, options, waits: true }];
    }
    case 'asks-on':
      return questions.map((one) => (one.requestId === requestId ? { ...one, waits: false } : one));
    case 'asked':
      return questions.filter((one) => one.requestId !== requestId);
  }
}

/** A turn that is over has no tool that waits, whatever became of its process. */
export function released(questions: Questions, { agent, witness }: Pick<TurnFacts, 'agent' | 'witness'>): Questions {
  const overAt = agent === undefined ? witness.end?.at : agent.status === 'idle' ? agent.at : undefined;
  if (overAt === undefined || !questions.some(({ waits, at }) => waits && at <= overAt)) return questions;
  return questions.map((one) => (one.at <= overAt ? { ...one, waits: false } : one));
}

export const waitingQuestion = (questions: Questions): OwnQuestion | undefined => questions.find(({ waits }) => waits);

const shownChars = 120;

export function questionLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > shownChars ? `${line.slice(0, shownChars - 1)}…` : line;
}
