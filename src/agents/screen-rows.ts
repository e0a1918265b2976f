// A screen captured with colours, as rows of marked characters.

export interface Cell {
  readonly char: string;
  readonly dim: boolean;
  readonly inverse: boolean;
}

export interface Row {
  readonly text: string;
  readonly cells: readonly Cell[];
}

const token =
  /\u001b\[([0-9;:]*)m|\u001b\[[0-9;:?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|([^\u001b])|\u001b/gu;

/** Attributes last from row to row, as tmux writes them. */
export function rowsOf(screen: string): readonly Row[] {
  let style = { dim: false, inverse: false };
  return screen.split('\n').map((line) => {
    const cells: Cell[] = [];
    for (const [, sgr, char] of line.matchAll(token)) {
      if (sgr !== undefined) style = restyled(style, sgr);
      else if (char !== undefined && char !== '\r') cells.push({ char, ...style });
    }
    return {
      text: cells
        .map((cell) => cell.char)
        .join('')
        .trimEnd(),
      cells,
    };
  });
}

interface Style {
  readonly dim: boolean;
  readonly inverse: boolean;
}

function restyled(style: Style, sgr: string): Style {
  const codes = sgr.split(';');
  let { dim, inverse } = style;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? '';
    // A colour's own numbers are no attributes.
    if (code === '38' || code === '48' || code === '58') i += codes[i + 1] === '5' ? 2 : 4;
    else if (code === '' || code === '0') [dim, inverse] = [false, false];
    else if (code === '2') dim = true;
    else if (code === '22') dim = false;
    else if (code === '7') inverse = true;
    else if (code === '27') inverse = false;
  }
  return { dim, inverse };
}

/** A line across the screen; it may carry a name near its end. */
export const isRule = (row: Row): boolean => /^─{8,}( [^─]{1,60} ─+)?$/.test(row.text);
