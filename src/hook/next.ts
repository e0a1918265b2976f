// What the hook makes of a question.
import type { HookQuestion, PermissionHook } from '../agents/agent.ts';
import type { RequestAnswer } from '../model/request.ts';

export interface Put {
  readonly rule?: string;
  /** Only a person may allow it. */
  readonly personOnly?: true;
}

export const whyOf = ({ rule, personOnly }: Put) => ({
  ...(rule === undefined ? {} : { rule }),
  ...(personOnly === undefined ? {} : { person_only: personOnly }),
});

export type Next =
  | { readonly is: 'said'; readonly answer: Pick<RequestAnswer, 'decision' | 'message'> }
  /** Somebody has to answer. */
  | ({ readonly is: 'put' } & Put)
  /** Its own dialog is where a person answers. */
  | ({ readonly is: 'shown' } & Put)
  /** Not ours to decide at this point: the agent asks, or does not, as it would have done. */
  | { readonly is: 'left' };

export interface Known {
  /** Why only a person may allow it. */
  readonly persons?: string | undefined;
  /** What somebody has decided about this very input. */
  readonly remembered?: 'allow' | 'deny' | undefined;
}

/** What becomes of a question. Pure. */
export function nextFor(
  { when, hidesDialog, asksInVain }: Pick<HookQuestion, 'when' | 'hidesDialog' | 'asksInVain'>,
  { persons, remembered }: Known,
  { asksWhenTold }: Pick<PermissionHook, 'asksWhenTold'>,
): Next {
  if (persons !== undefined) {
    // While such a hook waits no person could see the question.
    if (when === 'asking') return { is: hidesDialog ? 'shown' : 'put', rule: persons, personOnly: true };
    if (asksWhenTold && !asksInVain) return { is: 'said', answer: { decision: 'let-go', message: persons } };
    const message = `${persons} Leave it, and tell your manager what the user should do.`;
    return { is: 'said', answer: { decision: 'deny', message } };
  }
  if (when === 'before') return { is: 'left' };
  if (remembered === 'deny') return { is: 'said', answer: { decision: 'deny', message: deniedBefore } };
  return remembered === 'allow' ? { is: 'said', answer: { decision: 'allow' } } : { is: 'put' };
}

const deniedBefore = 'This very act was denied before, and that was to be remembered. Do it in another way.';
