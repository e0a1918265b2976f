// The picture of recorded screens: a window each, one below the other.
import { type Run, rowsOf } from './cells.ts';

export interface Recorded {
  readonly columns: number;
  readonly windows: readonly {
    readonly title: string;
    /** What `tmux capture-pane -e` printed, a string for each row. */
    readonly rows: readonly string[];
  }[];
}

const cell = { width: 8.4, height: 18, baseline: 13 };
const bar = 30;
const padding = 12;
const gap = 14;
const colour = { ground: '#0d1117', bar: '#21262d', edge: '#30363d', ink: '#d5dbe3', title: '#9aa4af' };
const fonts = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';
const lights = ['#ff5f57', '#febc2e', '#28c840'];

/** The whole SVG; the same recording gives the same text. `label` says what a person who cannot see it should know. */
export function pictureOf({ columns, windows }: Recorded, label: string): string {
  const width = columns * cell.width + 2 * padding;
  let top = 0;
  const drawn = windows.map(({ title, rows }) => {
    const height = bar + rows.length * cell.height + 2 * padding;
    const lines = [
      `<g transform="translate(0 ${top})">`,
      ...frame({ title, width, height }),
      `<g transform="translate(${padding} ${bar + padding})">`,
      ...rowsOf(rows.join('\n')).flatMap((runs, row) => runs.flatMap((run) => marksOf(run, row * cell.height))),
      '</g>',
      '</g>',
    ];
    top += height + gap;
    return lines.join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 ${short(width + 2)} ${short(top - gap + 2)}" width="${short(width + 2)}" role="img" aria-label="${escaped(label)}">`,
    `<style>text{font-family:${fonts};font-size:14px}rect{shape-rendering:crispEdges}</style>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function frame({ title, width, height }: { readonly title: string; readonly width: number; readonly height: number }) {
  const middle = short(width / 2);
  return [
    `<rect width="${short(width)}" height="${height}" rx="8" fill="${colour.ground}" stroke="${colour.edge}"/>`,
    `<path d="M0 ${bar}V8a8 8 0 0 1 8-8H${short(width - 8)}a8 8 0 0 1 8 8V${bar}z" fill="${colour.bar}"/>`,
    ...lights.map((fill, at) => `<circle cx="${18 + at * 19}" cy="15" r="5.5" fill="${fill}"/>`),
    `<text x="${middle}" y="20" text-anchor="middle" fill="${colour.title}">${escaped(title)}</text>`,
  ];
}

function marksOf({ at, text, style }: Run, top: number): readonly string[] {
  const { bold, dim, reverse } = style;
  const [ink, ground] = reverse
    ? [style.ground ?? colour.ground, style.ink ?? colour.ink]
    : [style.ink ?? colour.ink, style.ground];
  const look = `fill="${ink}"${bold ? ' font-weight="bold"' : ''}${dim ? ' opacity=".65"' : ''}`;
  const length = [...text].length;
  const behind =
    ground === undefined
      ? []
      : [`<rect x="${columnX(at)}" y="${top}" width="${columnX(length)}" height="${cell.height}" fill="${ground}"/>`];
  return [...behind, ...piecesOf(text).map((piece) => markOf(piece, { at, top, ink, look }))];
}

interface Piece {
  readonly from: number;
  readonly text: string;
}

/** Words, rules and signs: each has a place of its own, so that a sign from a wider font moves nothing after it. */
const piecesOf = (text: string): readonly Piece[] =>
  [...text.matchAll(/─+|╌+|[!-~](?: ?[!-~])*|[^ \u00a0]/gu)].map(({ index, 0: found }) => ({
    from: [...text.slice(0, index)].length,
    text: found,
  }));

function markOf(
  { from, text }: Piece,
  { at, top, ink, look }: { readonly at: number; readonly top: number; readonly ink: string; readonly look: string },
): string {
  const x = columnX(at + from);
  const width = columnX([...text].length);
  const line = (path: string, more = '') => `<path d="M${x} ${top + cell.height / 2}${path}" stroke="${ink}"${more}/>`;
  if (text.startsWith('─')) return line(`h${width}`);
  if (text.startsWith('╌')) return line(`h${width}`, ' stroke-dasharray="3 1.2"');
  if (text === '⎿') return line('m4-7v9h4.4', ' fill="none"');
  if (text === '⏵') return line('m1.5-4l6 4l-6 4z', ` fill="${ink}"`);
  const fitted = /^[!-~]{2}|^[!-~] /.test(text) ? ` textLength="${width}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<text x="${x}" y="${top + cell.baseline}"${fitted} ${look}>${escaped(text)}</text>`;
}

const columnX = (columns: number): string => short(columns * cell.width);
const short = (length: number): string => String(Math.round(length * 10) / 10);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
