// Rules as Claude Code reads them: in the settings of a launch, and live in the worktree's own settings.
import { CrewError } from '../../model/errors.ts';
import { type Fields, fieldsIn, fieldsOf, isFields, listOf, parseJson } from '../../model/json.ts';
import { isEmpty, mapRules, noRules, type Rules, ruleLists } from '../../model/rule.ts';
import type { AgentRules } from '../agent-rules.ts';

/** Claude Code counts a path with one leading `/` from the folder of the settings, which is not always the worktree. */
export const fromWorktree = (rules: Rules): Rules =>
  mapRules((list) => rules[list].map((rule) => rule.replace(/^(\w+\()\/(?!\/)/, '$1./')));

export const claudeRules: AgentRules = {
  // With permissions skipped it never asks, whatever the rules.
  lacks: (rules, { skips }) => (skips ? { ...noRules, ask: rules.ask } : noRules),
  file: {
    path: '.claude/settings.local.json',
    isLive: true,
    written(text, { had, want }) {
      const settings = read(text);
      const permissions = fieldsOf(settings.permissions);
      const theirs = mapRules((list) => textsOf(permissions[list]).filter((rule) => !had[list].includes(rule)));
      const wanted = fromWorktree(want);
      const added = mapRules((list) => wanted[list].filter((rule) => !theirs[list].includes(rule)));
      if (isEmpty(had) && isEmpty(added)) return { text, added };
      const { permissions: _, ...others } = settings;
      const { allow: __, ask: ___, deny: ____, ...rest } = permissions;
      const lists = ruleLists.flatMap((list) => {
        const odd = listOf(permissions[list]).filter((rule) => typeof rule !== 'string');
        const all = [...odd, ...theirs[list], ...added[list]];
        return all.length === 0 ? [] : [[list, all]];
      });
      const held = { ...rest, ...Object.fromEntries(lists) };
      const next = { ...others, ...(Object.keys(held).length === 0 ? {} : { permissions: held }) };
      return { text: Object.keys(next).length === 0 ? undefined : `${JSON.stringify(next, null, 2)}\n`, added };
    },
  },
};

/** The rules in a project's settings that only take something away. What cannot be read has none. */
export function strictRulesIn(text: string): Rules {
  const permissions = fieldsOf(fieldsIn(text).permissions);
  return { allow: [], ask: textsOf(permissions.ask), deny: textsOf(permissions.deny) };
}

function read(text: string | undefined): Fields {
  const settings = text === undefined ? {} : parseJson(text);
  if (isFields(settings)) return settings;
  throw new CrewError(
    'state_unreadable',
    '.claude/settings.local.json of the worktree holds no settings.',
    'Mend the file or remove it.',
  );
}

const textsOf = (value: unknown): readonly string[] => listOf(value).filter((one) => typeof one === 'string');
