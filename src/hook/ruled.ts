// What the worker's rules say of a question, and what the hook makes of that.
import type { HookQuestion, PermissionHook } from '../agents/agent.ts';
import type { Ruling } from '../model/permission.ts';
import { ruleOn } from '../model/permission-ruling.ts';
import type { RequestAnswer } from '../model/request.ts';
import { readLaunchRules } from '../state/launch-rules.ts';
import { groundOf, readPolicy } from '../state/policy.ts';

/** Undefined where no rules can be read: then nothing is decided here. */
export function rulingOn(
  { workerDir, launchDir }: { readonly workerDir: string; readonly launchDir: string },
  hook: PermissionHook,
  question: HookQuestion,
): Ruling | undefined {
  const policy = readPolicy(workerDir);
  if (policy === undefined) return undefined;
  const layers = [...readLaunchRules(launchDir), ...policy.layers];
  return ruleOn(layers, hook.actOf(question.tool, question.input, question.cwd), groundOf(policy));
}

export interface Put {
  readonly rule?: string;
  /** Whatever the rules say, only a person may allow it. */
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

/** What becomes of a question under a ruling. Pure. */
export function nextFor(
  question: Pick<HookQuestion, 'when' | 'isBypass' | 'hidesDialog'>,
  ruling: Ruling | undefined,
  hook: Pick<PermissionHook, 'asksWhenTold'>,
): Next {
  if (ruling?.decision === 'deny') return { is: 'said', answer: { decision: 'deny', message: deniedBy(ruling) } };
  if (ruling?.decision === 'allow') {
    return question.when === 'before' ? { is: 'left' } : { is: 'said', answer: { decision: 'allow' } };
  }
  const isMeant = ruling?.by !== undefined || ruling?.catastrophic !== undefined;
  const put: Put = {
    ...(ruling !== undefined && isMeant ? { rule: ruling.reason } : {}),
    ...(ruling?.catastrophic === undefined ? {} : { personOnly: true }),
  };
  const hasDialog = hook.asksWhenTold || question.when === 'asking';
  if (put.personOnly && !hasDialog) return { is: 'said', answer: { decision: 'deny', message: personsOnly(ruling) } };
  if (question.when === 'asking') {
    // While such a hook waits no person could see the question.
    return { is: put.personOnly && question.hidesDialog ? 'shown' : 'put', ...put };
  }
  // An act that no rule names goes the agent's own way, unless that is to ask nobody.
  if (!isMeant && !question.isBypass) return { is: 'left' };
  if (!hook.asksWhenTold) return { is: 'put', ...put };
  return { is: 'said', answer: { decision: 'let-go', message: askedBy(ruling) } };
}

const deniedBy = ({ reason }: Ruling): string =>
  `A rule of this crew forbids it. ${reason} Do it in another way, or tell your manager why it is needed.`;

const personsOnly = (ruling: Ruling | undefined): string =>
  `${ruling?.reason ?? ''} Only a person may allow this. Leave it, and tell your manager what the user should do.`;

const askedBy = (ruling: Ruling | undefined): string => ruling?.reason ?? 'The rules of this crew could not be read.';
