// Splits a command line into words as a shell would, expanding nothing.

/** Honours single and double quotes and backslashes. Undefined when a quote or a backslash is left open. */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let rest = line.trimStart();
  while (rest !== '') {
    const word = takeWord(rest);
    if (word === undefined) return undefined;
    words.push(word.text);
    rest = rest.slice(word.length).trimStart();
  }
  return words;
}

const pieces = [
  { pattern: /^'([^']*)'/, plain: (text: string) => text },
  { pattern: /^"((?:[^"\\]|\\[\s\S])*)"/, plain: (text: string) => text.replace(/\\([$`"\\])/g, '$1') },
  { pattern: /^\\([\s\S])/, plain: (text: string) => text },
  { pattern: /^([^\s'"\\]+)/, plain: (text: string) => text },
];

function takeWord(line: string): { readonly text: string; readonly length: number } | undefined {
  let text = '';
  let at = 0;
  while (at < line.length && !/\s/.test(line.charAt(at))) {
    const piece = takePiece(line.slice(at));
    if (piece === undefined) return undefined;
    text += piece.text;
    at += piece.length;
  }
  return { text, length: at };
}

function takePiece(line: string): { readonly text: string; readonly length: number } | undefined {
  for (const { pattern, plain } of pieces) {
    const found = pattern.exec(line);
    if (found !== null) return { text: plain(found[1] ?? ''), length: found[0].length };
  }
  return undefined;
}
