// What `tmux capture-pane -e` shows, as runs of text of one style.

export interface Style {
  readonly ink?: string;
  readonly ground?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly reverse?: boolean;
}

export interface Run {
  /** The column of its first character. */
  readonly at: number;
  readonly text: string;
  readonly style: Style;
}

/** The rows of a screen. A style holds on into the next row. Throws on a style that no picture can show yet. */
export function rowsOf(screen: string): readonly (readonly Run[])[] {
  let style: Style = {};
  return screen.split('\n').map((row) => {
    const runs: Run[] = [];
    let at = 0;
    // Every second part is the inside of an escape sequence.
    for (const [index, part] of row.split(/\u001b\[([\d;]*)m/).entries()) {
      if (index % 2 === 1) style = styled(style, part);
      else if (part !== '') {
        runs.push({ at, text: part, style });
        at += [...part].length;
      }
    }
    return runs;
  });
}

/** The text of a screen without its styles. */
export const bareText = (screen: string): string => screen.replaceAll(/\u001b\[[\d;]*m/g, '');

function styled(before: Style, sequence: string): Style {
  const codes = sequence.split(';').map(Number);
  let style = before;
  for (let code = codes.shift(); code !== undefined; code = codes.shift()) {
    const colour = colourOf(code, codes);
    const { ink, ground, ...rest } = style;
    if (code === 0) style = {};
    else if (code === 1) style = { ...style, bold: true };
    else if (code === 2) style = { ...style, dim: true };
    else if (code === 7) style = { ...style, reverse: true };
    else if (code === 39) style = { ...rest, ...(ground === undefined ? {} : { ground }) };
    else if (code === 49) style = { ...rest, ...(ink === undefined ? {} : { ink }) };
    else if (colour === undefined) throw new Error(`No picture shows the style ${sequence} yet: teach it to cells.ts.`);
    else style = isGround(code) ? { ...style, ground: colour } : { ...style, ink: colour };
  }
  return style;
}

const isGround = (code: number): boolean => (code >= 40 && code <= 48) || code >= 100;

/** Takes the further numbers of a colour off `more`. */
function colourOf(code: number, more: number[]): string | undefined {
  if (code === 38 || code === 48) {
    const [kind, number] = more.splice(0, 2);
    return kind === 5 && number !== undefined ? ofPalette(number) : undefined;
  }
  const base = code % 10 < 8 ? code - (code % 10) : -1;
  if (base === 30 || base === 40) return ofPalette(code - base);
  return base === 90 || base === 100 ? ofPalette(code - base + 8) : undefined;
}

const sixteen =
  '#0d1117 #f0625a #6cc789 #d9a63d #6cb0ff #bc8cff #4fc1cf #c9d1d9 #6e7681 #ffa198 #7ee29a #f0c75e #9ccbff #d2b0ff #7fdbe6 #ffffff'.split(
    ' ',
  );

/** The colours of a terminal with 256: sixteen of the theme, a cube, and greys. */
function ofPalette(number: number): string {
  const hex = (parts: readonly number[]) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  if (number >= 232) return hex([8, 8, 8].map((least) => least + (number - 232) * 10));
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const inCube = number - 16;
  return sixteen[number] ?? hex([Math.floor(inCube / 36), Math.floor(inCube / 6) % 6, inCube % 6].map(level));
}
