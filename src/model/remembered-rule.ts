// The narrowest rule that would have decided an act, for the next time. Pure.
import type { Act, Ground, RuleList } from './permission.ts';
import { readRule } from './permission-rule.ts';
import { ruleOn } from './permission-ruling.ts';

/**
 * Undefined where no rule says exactly this: a line of several commands, a name with characters that mean more in a
 * pattern, a tool that asks somebody. What is returned decides this very act, and nothing wider than its tool and object.
 */
export function ruleFor(act: Act, list: Extract<RuleList, 'allow' | 'deny'>, ground: Ground): string | undefined {
  const rule = written(act, ground);
  if (rule === undefined || 'reason' in readRule(rule)) return undefined;
  const layer = { scope: 'remembered', allow: [], confirm: [], deny: [], [list]: [rule] };
  const ruling = ruleOn([layer], act, ground);
  return ruling.decision === list && ruling.by?.rule === rule ? rule : undefined;
}

function written({ tool, command, paths, url }: Act, ground: Ground): string | undefined {
  if (command !== undefined) return exact(tool, command);
  const [path, ...more] = paths ?? [];
  if (path !== undefined) return more.length === 0 ? exact(tool, asWritten(path, ground)) : undefined;
  if (url !== undefined) return exact(tool, `domain:${hostIn(url)}`);
  return tool;
}

/** Below the worktree a path is written from there, so that it fits in another one, too. */
function asWritten(path: string, { root }: Ground): string {
  if (path.startsWith(`${root}/`)) return `.${path.slice(root.length)}`;
  return path.startsWith('/') ? `/${path}` : `./${path}`;
}

/** A star, a bracket or a backslash would say more than itself. */
const exact = (tool: string, object: string): string | undefined =>
  object === '' || /[*?[\]{}()\\\n]/.test(object) ? undefined : `${tool}(${object})`;

const hostIn = (url: string): string => /^\w+:\/\/([^/:?#@]+)(?:[/:?#]|$)/.exec(url)?.[1] ?? '';
