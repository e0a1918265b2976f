// The directives in a prompt, and which of them are due.
import { hasToolResult, hasToolUse, type Message, textsOf } from './body.ts';

const toolWords = [
  ...['BASH', 'WRITE', 'EDIT', 'READ', 'ASK', 'TODO', 'PLAN', 'AGENT', 'TOOL', 'PAR'],
  ...['LEAVE', 'ESCALATE', 'PATCH'],
] as const;
const plainWords = [
  ...['SAY', 'THINK', 'LONG', 'SLEEP', 'SLOW', 'HOLD', 'FAIL', 'STREAMFAIL', 'CUT', 'HANG', 'REFUSE', 'STOP'],
  ...['USAGE', 'LIMIT'],
] as const;

export interface Directive {
  readonly word: string;
  readonly rest: string;
  /** Ends a model message with a tool call; what follows is due when the result is back. */
  readonly isTool: boolean;
}

const linePattern = new RegExp(`^\\s*(${[...toolWords, ...plainWords].join('|')})\\b[ :]?(.*)$`);
const markedPattern = /#!script[^\n]*\n([\s\S]*?)(?:\n[^\n]*#!end|$)/;

/** One directive a line; other lines are prose. Between `#!script` and `#!end` lines, only those lines count. */
export function parseScript(text: string): Directive[] {
  const marked = markedPattern.exec(text)?.[1];
  const lines = marked === undefined ? text.split('\n') : marked.split('\n').map((l) => l.replace(/^[>|\s]+/, ''));
  return lines.flatMap((line) => {
    const [, word, rest] = linePattern.exec(line) ?? [];
    if (word === undefined) return [];
    return [{ word, rest: (rest ?? '').trim(), isTool: toolWords.some((tool) => tool === word) }];
  });
}

export interface Located {
  /** The prompt being answered, byte for byte. */
  readonly text: string;
  /** Directives of this model message and all later ones of the turn. */
  readonly due: readonly Directive[];
  /** Tool calls of this prompt that were answered before. */
  readonly rounds: number;
  /** Index of the message that holds the prompt. */
  readonly at: number;
}

/** The latest prompt that carries directives, else the latest prompt. */
export function locate(messages: readonly Message[]): Located {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message === undefined || message.role !== 'user') continue;
    const texts = textsOf(message);
    const rounds = messages.slice(at + 1).filter((m) => m.role === 'assistant' && hasToolUse(m)).length;
    const scripted = texts.findLast((text) => parseScript(text).length > 0);
    if (scripted !== undefined) return { text: scripted, due: dueAfter(parseScript(scripted), rounds), rounds, at };
    if (texts.length > 0 && !hasToolResult(message)) return { text: texts.join('\n'), due: [], rounds, at };
  }
  return { text: '', due: [], rounds: 0, at: -1 };
}

/** What is left of a script once `rounds` of its tool calls have been made. */
export function dueAfter(script: readonly Directive[], rounds: number): Directive[] {
  let done = 0;
  for (let left = rounds; left > 0 && done < script.length; done++) if (script[done]?.isTool) left--;
  return script.slice(done);
}
