// Rules in the words of Codex: its sandbox, and rules about how a command begins.
import { fileTools, mapRules, parseRule, type Rules } from '../../model/rule.ts';
import type { AgentRules } from '../agent-rules.ts';

/**
 * An allow needs no words: Codex does not ask about what its sandbox permits, and a rule of Codex's that allows a
 * command would take it out of the sandbox.
 */
export const codexRules: AgentRules = {
  lacks(rules, { skips, hasWorktree }) {
    const hasWords = (rule: string) => hasWorktree && prefixOf(rule) !== undefined;
    return mapRules((list) => {
      if (list === 'allow') return [];
      return rules[list].filter((rule) => !hasWords(rule) && !(list === 'deny' && !skips && isAllEditing(rule)));
    });
  },
  file: {
    path: '.codex/rules/crewmux.rules',
    isLive: false,
    written: (_, { want }) => ({ text: textOf(want), added: want }),
  },
};

/** Whether the rules forbid every change of a file, which its sandbox can enforce. */
export const deniesEditing = (rules: Rules): boolean => rules.deny.some(isAllEditing);

const isAllEditing = (rule: string): boolean => rule === 'Edit(./**)' || fileTools.includes(rule);

function textOf({ ask, deny }: Rules): string | undefined {
  const lines = [
    ...deny.flatMap((rule) => ruleLine(rule, 'forbidden')),
    ...ask.flatMap((rule) => ruleLine(rule, 'prompt')),
  ];
  return lines.length === 0
    ? undefined
    : ['# crewmux writes this file for one worker, anew at each start.', ...lines, ''].join('\n');
}

function ruleLine(rule: string, decision: 'forbidden' | 'prompt'): readonly string[] {
  const prefix = prefixOf(rule);
  if (prefix === undefined) return [];
  const why = JSON.stringify(`A rule of this crew: ${rule}`);
  return [`prefix_rule(pattern=${JSON.stringify(prefix)}, decision="${decision}", justification=${why})`];
}

/** The words with which a command begins; undefined for a rule that says anything else. */
function prefixOf(text: string): readonly string[] | undefined {
  const { tool, pattern = '' } = parseRule(text);
  const words = /^([\w./@=+,:-]+(?: [\w./@=+,:-]+)*?)(?::\*| \*)$/.exec(pattern)?.[1];
  return tool === 'Bash' ? words?.split(' ') : undefined;
}
