// What a tool call of Codex does, in words the rules know.

import type { Act } from '../../model/act.ts';
import { fieldsOf, wordOf } from '../../model/json.ts';
import { quote } from '../../model/quote.ts';
import { patchedPaths } from '../patched-paths.ts';

export function actOf(tool: string, input: unknown, cwd: string): Act {
  const fields = fieldsOf(input);
  if (tool === 'Bash') return { tool, cwd, command: commandOf(fields.command) };
  if (tool === 'apply_patch') return { tool: 'Edit', cwd, paths: patchedPaths(wordOf(fields.command) ?? '') };
  if (tool === 'view_image')
    return { tool: 'Read', cwd, paths: [wordOf(fields.path) ?? ''].filter((path) => path !== '') };
  if (tool === 'web_search') return { tool: 'WebSearch', cwd };
  return { tool, cwd };
}

/** A line for the shell, or a program with its arguments. */
function commandOf(command: unknown): string {
  if (typeof command === 'string') return command;
  return Array.isArray(command) ? command.map((word) => quote(String(word))).join(' ') : '';
}

/** The patch without the rows around it; undefined for every other tool. */
export const changeOf = (tool: string, input: unknown): string | undefined =>
  tool === 'apply_patch'
    ? (wordOf(fieldsOf(input).command) ?? '').replace(/^\*\*\* (?:Begin|End) Patch\n?/gm, '').trimEnd()
    : undefined;
