// Text for a person's terminal, cut to its columns.

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const zero = /\p{M}|\p{Cf}/u;

const columnsOf = (char: string): number => (zero.test(char) ? 0 : wide.test(char) ? 2 : 1);

/** Rows of at most `width` columns, broken at blanks where there are any. */
export function wrapped(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrappedLine(line, Math.max(width, 1)));
}

function wrappedLine(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const char of line) {
    const columns = columnsOf(char);
    if (used + columns > width) {
      const blank = row.lastIndexOf(' ');
      const cut = blank > 0 && char !== ' ' ? blank + 1 : row.length;
      rows.push(row.slice(0, cut));
      row = row.slice(cut);
      used = columnsIn(row);
    }
    row += char;
    used += columns;
  }
  return [...rows, row];
}

/** At most `width` columns of one line, with a sign where it is cut. */
export function clipped(line: string, width: number): string {
  if (columnsIn(line) <= width) return line;
  let kept = '';
  let used = 0;
  for (const char of line) {
    used += columnsOf(char);
    if (used > width - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

/** The line cut or filled with blanks to exactly `width` columns. */
export function cell(line: string, width: number): string {
  const text = clipped(line, width);
  return text + ' '.repeat(width - columnsIn(text));
}

/** The columns that one line takes. */
export const columnsIn = (text: string): number => [...text].reduce((sum, char) => sum + columnsOf(char), 0);

type Style = (text: string) => string;

export const bold: Style = (text) => `\u001b[1m${text}\u001b[0m`;
export const dim: Style = (text) => `\u001b[2m${text}\u001b[0m`;
export const alarm: Style = (text) => `\u001b[1;31m${text}\u001b[0m`;
export const good: Style = (text) => `\u001b[32m${text}\u001b[0m`;
export const reverse: Style = (text) => `\u001b[7m${text}\u001b[0m`;
export const bare: Style = (text) => text;

export type Part = readonly [text: string, style: Style];

/** One line of styled parts, cut to its columns, with a sign wherever the cut falls. */
export function styled(columns: number, ...parts: readonly Part[]): string {
  let kept = clipped(parts.map(([text]) => text).join(''), Math.max(columns, 0));
  return parts
    .map(([text, style]) => {
      const part = kept.slice(0, text.length);
      kept = kept.slice(text.length);
      return part === '' ? '' : style(part);
    })
    .join('');
}
