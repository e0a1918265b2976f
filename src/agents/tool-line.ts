// A tool call in one line: what it is about, and the first line of its failure.
import { fieldsIn, listOf, wordOf } from '../model/json.ts';
import { oneLine } from '../model/plain-text.ts';
import type { AgentToolCall } from '../model/turn.ts';
import type { ToolUse } from './agent.ts';
import { patchedPaths } from './patched-paths.ts';

/** Where tools say what they are about, the most telling first. */
const telling = [
  'command',
  'cmd',
  'file_path',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'path',
  'description',
  'subject',
  'skill',
] as const;

/** Of a tool's input: its command, file, pattern or address, else all of it. Pure. */
export function gistOf(input: string): string {
  const fields = fieldsIn(input);
  const [found] = telling.flatMap((name) => wordIn(fields[name]) ?? []);
  return oneLine(found ?? (patchedPaths(input).join(', ') || input));
}

const longestAbout = 80;

/** The calls that can be told from one another, each with what it is about. Pure. */
export const callsOf = (uses: readonly ToolUse[]): readonly AgentToolCall[] =>
  uses.flatMap(({ id, name: tool, input }) => (id === undefined ? [] : [{ id, tool, about: cut(gistOf(input)) }]));

/** Without half a character at its end. */
const cut = (line: string): string =>
  line.length <= longestAbout ? line : `${line.slice(0, longestAbout - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** A shell's script stands for the shell. */
function wordIn(value: unknown): string | undefined {
  const words = listOf(value).map(String);
  const [shell = '', flag = '', script] = words;
  if (words.length === 3 && script !== undefined && /(^|\/)\w*sh$/.test(shell) && /^-\w*c$/.test(flag)) return script;
  return words.length > 0 ? words.join(' ') : wordOf(value) || undefined;
}

const longestFailure = 120;

/** With its exit status where it has one. Pure. */
export function failureLine(output: string, exit?: string): string {
  const first = output.split('\n').find((line) => line.trim() !== '') ?? '';
  const words = [exit === undefined ? '' : `exit ${exit}`, oneLine(first)].filter(Boolean).join(': ');
  return words.length > longestFailure ? `${words.slice(0, longestFailure - 1)}…` : words || 'it failed';
}
