// The hook's next step for a question.
import type { HookQuestion, PermissionHook } from '../agents/agent.ts';
import { defined } from '../model/defined.ts';
import type { RequestAnswer } from '../model/request.ts';

export interface Why {
  readonly rule?: string;
  /** Only a person may allow it. */
  readonly personOnly?: true;
}

export const whyOf = ({ rule, personOnly }: Why) => defined({ rule, person_only: personOnly });

type Answer = Pick<RequestAnswer, 'decision' | 'message'>;

export type Next =
  | { readonly is: 'decided'; readonly answer: Answer }
  /** It waits until somebody answers. */
  | ({ readonly is: 'parked' } & Why)
  /** A person answers it in the agent's own dialog. */
  | ({ readonly is: 'shown' } & Why)
  /** The hook says nothing, and the agent asks or does not ask as without it. */
  | { readonly is: 'left' };

export interface Known {
  /** Why only a person may allow it. */
  readonly personReason?: string | undefined;
  /** An earlier decision about this very input. */
  readonly remembered?: 'allow' | 'deny' | undefined;
  /** What answers for a person that nobody is to ask. */
  readonly unasked?: Answer;
}

export function nextFor(
  { when, kind, hidesDialog, asksInVain }: Pick<HookQuestion, 'when' | 'kind' | 'hidesDialog' | 'asksInVain'>,
  { personReason, remembered, unasked }: Known,
  { asksWhenTold }: Pick<PermissionHook, 'asksWhenTold'>,
): Next {
  if (personReason !== undefined) {
    // While such a hook waits no person could see the question.
    if (when === 'asking') return { is: hidesDialog ? 'shown' : 'parked', rule: personReason, personOnly: true };
    if (asksWhenTold && !asksInVain) return { is: 'decided', answer: { decision: 'let-go', message: personReason } };
    const message = `${personReason} Leave it, and tell your manager what the user should do.`;
    return { is: 'decided', answer: { decision: 'deny', message } };
  }
  // The agent's own rules to ask and to deny hold all the same.
  if (when === 'before') return unasked?.decision === 'allow' ? { is: 'decided', answer: unasked } : { is: 'left' };
  if (remembered === 'deny') return { is: 'decided', answer: { decision: 'deny', message: deniedBefore } };
  if (unasked !== undefined && kind === 'permission') return { is: 'decided', answer: unasked };
  return remembered === 'allow' ? { is: 'decided', answer: { decision: 'allow' } } : { is: 'parked' };
}

const deniedBefore = 'This very act was denied before, and that was to be remembered. Do it in another way.';
