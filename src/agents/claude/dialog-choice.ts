// Which label says yes or no, in Claude Code's words.
import type { Dialog, WaitingFor } from '../../model/turn.ts';
import type { DialogDecision } from '../agent.ts';
import { onlyLabel } from '../only-label.ts';

type Words = Partial<Readonly<Record<DialogDecision, RegExp>>>;

/** Yes for this once: every other yes remembers something, and has to be chosen by its label. */
const words: Partial<Readonly<Record<WaitingFor, Words>>> = {
  question: { text: /^Type something\.?$/ },
  permission: { allow: /^Yes$/, deny: /^No\b/ },
  plan_approval: { allow: /^Yes\b/, deny: /^No\b/ },
  trust: { allow: /^Yes, I trust this folder$/, deny: /^No, exit$/ },
  mcp_approval: { allow: /^Use this MCP server$/, deny: /^Continue without using this MCP server$/ },
};

export const choiceFor = (dialog: Dialog, decision: DialogDecision): string | undefined => {
  const means = words[dialog.waitingFor]?.[decision];
  return means && onlyLabel(dialog.options, means);
};
