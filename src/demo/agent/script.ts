// The directives in a prompt: what the stand-in for a model is to do.

const toolWords = ['BASH', 'WRITE', 'READ', 'ASK', 'PLAN', 'AGENT', 'BGSHELL', 'TOOL'] as const;
const plainWords = [
  ...['SAY', 'THINK', 'LONG', 'SLEEP', 'SLOW', 'HOLD', 'FAIL', 'LIMIT', 'CUT', 'HANG', 'CRASH'],
] as const;

export interface Directive {
  readonly word: string;
  readonly rest: string;
  /** Ends a message with a tool call. */
  readonly isTool: boolean;
}

const linePattern = new RegExp(`^\\s*(${[...toolWords, ...plainWords].join('|')})\\b[ :]?(.*)$`);
const markedPattern = /#!script[^\n]*\n([\s\S]*?)(?:\n[^\n]*#!end|$)/;

/** One directive a line; other lines are prose. Where a `#!script` line stands, only what is below it counts, to `#!end`. */
export function parseScript(text: string): readonly Directive[] {
  const lines = (markedPattern.exec(text)?.[1] ?? text).split('\n');
  return lines.flatMap((line) => {
    const [, word, rest = ''] = linePattern.exec(line) ?? [];
    if (word === undefined) return [];
    return [{ word, rest: rest.trim(), isTool: toolWords.some((tool) => tool === word) }];
  });
}

/** `\n` in a directive stands for a line feed. */
export const unescaped = (text: string): string => text.replaceAll('\\n', '\n');

export const secondsIn = (rest: string): number => (Number.isFinite(Number(rest)) && rest !== '' ? Number(rest) : 1);

/** What a prompt without directives is answered with. */
export const echoOf = (text: string): string => `Echo: ${text.slice(0, 60).replace(/\s+/g, ' ')}`;
