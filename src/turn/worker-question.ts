// Questions that a worker asks its manager with its own tool. While the tool waits, the worker waits;
// after that a message brings the answer.
import type { QuestionSignal } from '../model/turn.ts';

export interface WorkerQuestion {
  readonly requestId: string;
  readonly at: number;
  readonly text: string;
  readonly options: readonly string[];
  /** The tool has not returned yet. */
  readonly waits: boolean;
}

type Questions = readonly WorkerQuestion[];

export function noteQuestion(questions: Questions, signal: QuestionSignal): Questions {
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
export function questionsAfterTurn(questions: Questions, overAt: number | undefined): Questions {
  if (overAt === undefined || !questions.some(({ waits, at }) => waits && at <= overAt)) return questions;
  return questions.map((one) => (one.at <= overAt ? { ...one, waits: false } : one));
}

export const waitingQuestion = (questions: Questions): WorkerQuestion | undefined =>
  questions.find(({ waits }) => waits);

const shownChars = 120;

export function questionLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > shownChars ? `${line.slice(0, shownChars - 1)}…` : line;
}
