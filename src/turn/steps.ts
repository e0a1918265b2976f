// How far a turn is, line by line of its transcript: the calls without an answer, and what the model does beside them.
import type { AgentToolCall, Doing, TranscriptSignal } from '../model/turn.ts';

export interface Steps {
  /** Oldest first. */
  readonly calls: readonly (AgentToolCall & { readonly at: number })[];
  /** What the model does while no tool runs; undefined where no line tells. */
  readonly model: Doing | undefined;
  /** The newest request of which no answer has begun, and how often it was sent. */
  readonly request: { readonly id: string; readonly times: number } | undefined;
}

export const noSteps: Steps = { calls: [], model: undefined, request: undefined };

/** A model that has been asked thinks, until a part of its answer is there. */
const asked = (since: number): Steps => ({ ...noSteps, model: { kind: 'thinking', since } });

/** Pure. */
export function noteStep(steps: Steps, signal: TranscriptSignal): Steps {
  switch (signal.kind) {
    case 'prompt':
      return asked(signal.at);
    case 'dequeued':
      return signal.absorbed ? steps : asked(signal.at);
    case 'stop-marker':
      return signal.goesOn ? asked(signal.at) : steps;
    case 'ended':
      return noSteps;
    case 'request':
      return noteRequest(steps, signal);
    case 'activity':
      return noteActivity(steps, signal);
    default:
      return steps;
  }
}

function noteRequest(steps: Steps, { id, at }: Extract<TranscriptSignal, { kind: 'request' }>): Steps {
  if (steps.request?.id !== id) return { ...steps, request: { id, times: 1 } };
  const times = steps.request.times + 1;
  const detail = `attempt ${times}`;
  return { ...steps, request: { id, times }, model: { ...doing(steps, 'retrying', at), detail } };
}

function noteActivity(
  steps: Steps,
  { at, does, calls = [], answered = [] }: Extract<TranscriptSignal, { kind: 'activity' }>,
): Steps {
  const left = steps.calls.filter(({ id }) => !answered.includes(id));
  // The model is asked once more when its last call has an answer.
  if (answered.length > 0 && left.length === 0) return asked(at);
  if (does === undefined && calls.length === 0) return { ...steps, calls: left };
  return {
    calls: [...left, ...calls.map((call) => ({ ...call, at }))],
    model: does === undefined ? steps.model : doing(steps, does, at),
    request: undefined,
  };
}

/** What it goes on with, it does since then. */
const doing = ({ model }: Steps, kind: Doing['kind'], at: number): Doing => ({
  kind,
  since: model?.kind === kind ? model.since : at,
});
