// Which label says yes or no, in Codex's words.
import type { Dialog, WaitingFor } from '../../model/turn.ts';
import type { DialogDecision } from '../agent.ts';
import { onlyLabel } from '../only-label.ts';

type Words = Partial<Readonly<Record<DialogDecision, RegExp>>>;

/** Yes for this once: every other yes remembers something, and has to be chosen by its label. */
const words: Partial<Readonly<Record<WaitingFor, Words>>> = {
  permission: {
    allow: /^(?:Yes|Yes, proceed|Yes, just this once|Allow|Approve)$/,
    deny: /^(?:No|No, and tell Codex what to do differently|No, continue without .*|Cancel|Deny|Decline)$/,
  },
  trust: { allow: /^Trust and continue$/, deny: /^Back to Agent Command Center$/ },
};

export const choiceFor = (dialog: Dialog, decision: DialogDecision): string | undefined => {
  const means = words[dialog.waitingFor]?.[decision];
  return means && onlyLabel(dialog.options, means);
};
