// The keys by which a person answers a need in `crewmux answer`. Pure.
import { type AttentionView, isYesOrNo, suggestionOf } from '../wire/attention.ts';
import type { CommandAct } from './act.ts';

/** One key each. */
export const mostOptions = 9;

export interface Choice {
  readonly key: string;
  readonly label: string;
  /** The label has rows of its own. */
  readonly isLong?: true;
  readonly does:
    | { readonly is: 'call'; readonly tool: 'answer_worker' | 'restart_workers'; readonly args: CommandAct['argsFor'] }
    /** The line that the person types is the message of the answer; an empty one may be none. */
    | {
        readonly is: 'ask';
        readonly question: string;
        readonly args: (line: string) => CommandAct['argsFor'] | undefined;
      }
    | { readonly is: 'attach' | 'skip' | 'quit' }
    /** The need stays before the person. */
    | { readonly is: 'last' }
    | { readonly is: 'view' };
}

/** The keys that allow, and make it hold. */
const remembering = [
  ['a', 'worker'],
  ['e', 'edits'],
] as const;

/** The keys for a need; the last four are always there. Pure. */
export function choicesFor(need: AttentionView, isCut = false): readonly Choice[] {
  return [
    ...answersTo(need),
    ...(isCut ? [{ key: 'v', label: 'view all of it', does: { is: 'view' } } as const] : []),
    { key: 'u', label: 'the last answer', does: { is: 'last' } },
    { key: 'o', label: 'open its pane', does: { is: 'attach' } },
    { key: 's', label: 'skip', does: { is: 'skip' } },
    { key: 'q', label: 'quit', does: { is: 'quit' } },
  ];
}

function answersTo(need: AttentionView): readonly Choice[] {
  const { waiting_for: kind, request_id: requestId, options = [] } = need;
  const args =
    (rest: object): CommandAct['argsFor'] =>
    () => ({
      session_id: need.session_id,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...rest,
    });
  const call = (rest: object): Choice['does'] => ({ is: 'call', tool: 'answer_worker', args: args(rest) });
  if (kind === 'dead') {
    const restart = {
      is: 'call' as const,
      tool: 'restart_workers' as const,
      args: () => ({ session_ids: [need.session_id] }),
    };
    return [{ key: 'r', label: 'restart', does: restart }];
  }
  if (isYesOrNo(need)) {
    const deny = (line: string) => args({ decision: 'deny', ...(line === '' ? {} : { message: line }) });
    return [
      { key: 'y', label: 'allow', does: call({ decision: 'allow' }) },
      ...remembering.flatMap(([key, remember]): readonly Choice[] => {
        const label = suggestionOf(need, remember);
        return label === undefined ? [] : [{ key, label, isLong: true, does: call({ decision: 'allow', remember }) }];
      }),
      {
        key: 'n',
        label: 'deny',
        does: { is: 'ask', question: 'Why not (Enter for no reason, C-c sends nothing)? ', args: deny },
      },
    ];
  }
  // Without a call that answers, only a person in its pane can.
  const isAnswerable = requestId !== undefined || need.answer_with.some((call) => call.startsWith('answer_worker '));
  const numbered = (isAnswerable ? options : [])
    .slice(0, mostOptions)
    .map((option, at): Choice => ({ key: String(at + 1), label: option, does: call({ decision: 'choose', option }) }));
  if (requestId === undefined) return numbered;
  const text = (line: string) => (line === '' ? undefined : args({ decision: 'text', message: line }));
  return [
    ...numbered,
    {
      key: 't',
      label: 'type an answer',
      does: { is: 'ask', question: 'Your answer (an empty one is not sent): ', args: text },
    },
  ];
}
