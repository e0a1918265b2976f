// When a worker really was at work, told by what its model was asked.
import type { ModelRequest } from './fake/server.ts';

/** Both ends by `performance.now()`. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** A prompt we were told had arrived, and when we were told. */
export interface Sent {
  readonly cwd: string;
  readonly text: string;
  readonly at: number;
}

/** What a caller was told of one worker, somewhere between `from` and `to`. */
export interface Sample {
  readonly from: number;
  readonly to: number;
  readonly cwd: string;
  readonly status: string;
  readonly waitingFor?: string | undefined;
  /** How the latest turn ended, once it has. */
  readonly endedBy?: string | undefined;
}

/** A turn that a test ended by hand: when it asked for that, and when it had the answer. The turn ended in between. */
export interface End {
  readonly from: number;
  readonly to: number;
}

type Asked = Pick<ModelRequest, 'at' | 'end' | 'cwd' | 'conversation' | 'kind' | 'texts'>;

/** Something a turn is in the middle of when it has ended like this. */
const goesOn = (how: string | undefined): boolean => how === 'tool_use' || how === 'status 529' || how === 'cut';

/**
 * The spans in which `cwd`'s worker was at work. An answer with a tool call reaches to the next request; an accepted
 * prompt counts from its acceptance to its first request. The first of `ends` ends both: there a test ended the turn by
 * hand, which may be before the model was asked, and a later request then repeats the prompt.
 */
export function busySpans(
  cwd: string,
  requests: readonly Asked[],
  facts: { sent: readonly Sent[]; ends: readonly End[] },
): Span[] {
  // Not every request tells the folder; those of one conversation share it.
  const conversations = new Set(requests.flatMap((r) => (r.cwd === cwd ? [r.conversation] : [])));
  const mine = requests.filter((r) => conversations.has(r.conversation) && r.kind !== 'side');
  const endAfter = (since: number) => facts.ends.find(({ to }) => to > since);
  const answers = mine.map((request, i): Span => {
    const end = request.end?.at ?? Number.POSITIVE_INFINITY;
    const next = goesOn(request.end?.how) ? (mine[i + 1]?.at ?? Number.POSITIVE_INFINITY) : end;
    return {
      from: request.at,
      to: Math.min(Math.max(end, next), endAfter(request.at)?.to ?? Number.POSITIVE_INFINITY),
      why: `request ended ${request.end?.how}`,
    };
  });
  const waits = facts.sent.flatMap((sent): Span[] => {
    if (sent.cwd !== cwd) return [];
    const first = mine.find((r) => r.texts.some((text) => text.includes(sent.text)));
    return first === undefined || first.at < sent.at
      ? []
      : [
          {
            from: sent.at,
            to: Math.min(first.at, endAfter(sent.at)?.from ?? first.at),
            why: `accepted, not asked yet: ${JSON.stringify(sent.text.slice(0, 40))}`,
          },
        ];
  });
  return [...answers, ...waits];
}

/** Samples that say idle although the worker was at work for the whole time in which they were taken. */
export const falseIdles = (samples: readonly Sample[], spans: readonly Span[]): string[] =>
  samples.flatMap((sample) => {
    const span = spans.find((s) => s.from <= sample.from && sample.to <= s.to);
    if (sample.status !== 'idle' || span === undefined) return [];
    return [
      `idle ${(sample.from - span.from).toFixed(0)} ms into a span of ${(span.to - span.from).toFixed(0)} ms: ${span.why}`,
    ];
  });
