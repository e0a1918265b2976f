// User lines: prompts, tool results, interrupts, and the traces of local commands.

import { defined } from '../../model/defined.ts';
import type { Signal } from '../../model/turn.ts';
import type { DecodedLine } from '../agent.ts';
import { sandboxBroke, sandboxFailure } from '../sandbox-failure.ts';
import { failureLine } from '../tool-line.ts';
import { textOf, toolResult, type UserLine, userLine } from './transcript-line.ts';

const nothing: DecodedLine = { signals: [] };

/** Claude Code sends this prompt itself when a usage limit is over. */
const ownContinuation = 'auto-continuation';

export function decodeUser(value: unknown): DecodedLine | undefined {
  const { data } = userLine.safeParse(value);
  if (data === undefined) return undefined;
  const isOwn = data.origin?.kind === ownContinuation;
  if ((data.isMeta === true && !isOwn) || data.isCompactSummary === true) return nothing;
  const { content } = data.message;
  if (typeof content !== 'string' && content.some((block) => block.type === 'tool_result')) return resultsIn(data);
  const text = textOf(content);
  if (isInterrupt(data, text)) return interrupted(data.timestamp, text);
  const isPrinted = data.origin === undefined && data.promptSource === undefined;
  const notice = isPrinted ? continuation(data.timestamp, text) : undefined;
  return notice ?? localCommand(data.timestamp, text) ?? prompt(data, text);
}

function resultsIn(line: UserLine): DecodedLine {
  const { content } = line.message;
  const results = typeof content === 'string' ? [] : content.flatMap((block) => toolResult.safeParse(block).data ?? []);
  const detail = line.toolDenialKind === undefined ? 'tool result' : `tool call refused: ${line.toolDenialKind}`;
  const failures = results.filter(({ is_error }) => is_error === true).map((result) => textOf(result.content));
  const failed = failures.join('\n');
  const kept = defined({ keptIn: sandboxFailure(failed), sandboxBroke: sandboxBroke(failed) });
  const answered = results.map(({ tool_use_id }) => tool_use_id);
  return {
    signals: [{ from: 'transcript', kind: 'activity', at: line.timestamp, detail, answered, ...kept }],
    toolResults: results.map((result) => {
      const output = textOf(result.content);
      const failure = result.is_error === true ? failureIn(output) : undefined;
      return { id: result.tool_use_id, output, ...defined({ failure }) };
    }),
  };
}

/** A command's failure begins with its exit status; a tool's own complaint has a tag around it. */
function failureIn(output: string): string {
  const [head = '', exit] = /^Exit code (\S+)\n?/.exec(output) ?? [];
  return failureLine(output.slice(head.length).replace(/^<tool_use_error>|<\/tool_use_error>$/g, ''), exit);
}

/** A person may type these words too; then the line has an origin or a source. */
const isInterrupt = (line: UserLine, text: string): boolean =>
  text.startsWith('[Request interrupted by user') && line.origin === undefined && line.promptSource === undefined;

const interrupted = (at: number, text: string): DecodedLine => ({
  signals: [{ from: 'transcript', kind: 'ended', how: 'interrupted', backgroundTasks: 0, at, detail: text }],
});

/** A command that ran inside Claude Code and not in the model; shown as the person typed it. */
export function localCommand(at: number, text: string): DecodedLine | undefined {
  const typed = commandTyped(text);
  if (typed !== undefined) return { signals: [], entry: { role: 'user', content: typed, at } };
  return /^\s*<(?:local-command-|bash-|command-)[a-z]+>/.test(text) ? nothing : undefined;
}

function commandTyped(text: string): string | undefined {
  if (/^\s*<command-(?:name|message)>/.test(text)) {
    const name = tagged(text, 'command-name');
    const args = tagged(text, 'command-args');
    return name === undefined ? undefined : [name, args].filter(Boolean).join(' ');
  }
  const shell = /^\s*<bash-input>/.test(text) ? tagged(text, 'bash-input') : undefined;
  return shell === undefined ? undefined : `!${shell}`;
}

/** Claude Code says whether it goes on by itself when a usage limit is over. The words of a notice, or what a command of its own has printed. */
export function continuation(at: number, words: string): DecodedLine | undefined {
  const isSo = /^Usage limit reached(?: again)? · continuing automatically\b/i.test(words);
  const isNot =
    /^(?:<local-command-stdout>)?Automatic continue (?:cancelled|stopped|was turned off|did not run)\b/.test(words);
  return isSo || isNot ? { signals: [{ from: 'transcript', kind: 'goes-on-later', isSo, at }] } : undefined;
}

function tagged(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from < 0 || to < 0 ? undefined : text.slice(from + tag.length + 2, to).trim();
}

function prompt(line: UserLine, text: string): DecodedLine {
  const at = line.timestamp;
  const byPerson = (line.origin?.kind ?? 'human') === 'human' && !/^\s*<task-notification>/.test(text);
  const signal: Signal = { from: 'transcript', kind: 'prompt', text, at, origin: byPerson ? 'person' : 'notice' };
  return { signals: [signal], entry: { role: 'user', content: text, at } };
}
