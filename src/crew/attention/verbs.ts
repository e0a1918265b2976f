// What workers need somebody for, and the rules by which they ask.
import type { Disposer } from '../../model/clock.ts';
import type { PresetName } from '../../model/rule.ts';
import { deniesEditing } from '../../permissions/rule-book.ts';
import type { AnswerResult, AttentionView } from '../../wire/attention.ts';
import type { PermissionsResult } from '../../wire/permissions.ts';
import type { AnswerOrder, Run } from '../orders.ts';
import { type CrewContext, upToDate } from '../workers/crew-context.ts';
import { roleNow } from '../workers/roles.ts';
import type { AlreadyShown } from './already-shown.ts';
import { answerWorker } from './answer.ts';
import { type UnansweredRequest, watchAsked } from './asked.ts';
import { attentionFor } from './attention.ts';
import { nobodysId, rulesOfWorker } from './permissions.ts';
import { type RuleOrder, setPermissions } from './set-permissions.ts';

export interface Attention {
  /** What they need somebody for now; it counts as told. */
  attention(query: { readonly workers: readonly string[] }): Promise<readonly AttentionView[]>;
  answer(order: AnswerOrder, run: Run): Promise<AnswerResult>;
  /** Calls back with what workers ask a person, oldest first: now, and after each change. */
  onAsked(listen: (asked: readonly UnansweredRequest[]) => void): Disposer;
  setRules(order: RuleOrder): Promise<PermissionsResult>;
  /** Whether the rules of a role keep its workers from changing any file. */
  deniesEditing(query: {
    readonly project: string;
    readonly role: string | undefined;
    /** Of the worker's own, before that of its role. */
    readonly preset?: PresetName | undefined;
  }): Promise<boolean>;
  /** Whoever drives tasks tells what a wait has shown, so that nobody is notified of it. */
  seen(keys: readonly string[]): void;
}

export const verbs = (
  context: CrewContext,
  { alreadyShown }: { readonly alreadyShown: Pick<AlreadyShown, 'note' | 'noteKeys'> },
): Attention => ({
  attention: ({ workers }) =>
    upToDate(context, async () => {
      const needs = workers.flatMap((id) => {
        const found = context.roster.tryResolve(id);
        return 'error' in found ? [] : attentionFor(context, found.record);
      });
      alreadyShown.note(needs);
      return needs;
    }),
  answer: (order, run) => upToDate(context, () => answerWorker(context, order, run)),
  onAsked: (listen) => watchAsked(context, listen),
  setRules: (order) => upToDate(context, () => setPermissions(context, order)),
  deniesEditing: async ({ project, role, preset }) => {
    const roleRules = roleNow(context, role, [project])?.rules;
    return deniesEditing(
      await rulesOfWorker(context, { id: nobodysId, projectPath: project, role, preset, roleRules }),
    );
  },
  seen: (keys) => alreadyShown.noteKeys(keys),
});
