// Samples in, one row of the table out.

export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly samples: readonly number[];
  /** Ceilings in the same unit; a row without one is for comparison. */
  readonly target?: { readonly p50?: number; readonly p99?: number };
  readonly note?: string;
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[rank] ?? Number.NaN;
}

export const isMet = ({ samples, target }: Row): boolean | undefined =>
  target === undefined
    ? undefined
    : percentile(samples, 0.5) <= (target.p50 ?? Number.POSITIVE_INFINITY) &&
      percentile(samples, 0.99) <= (target.p99 ?? Number.POSITIVE_INFINITY);

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));

export function asTable(rows: readonly Row[]): string {
  const head = ['what', 'n', 'p50', 'p99', 'target', 'met'];
  const body = rows.map((row) => [
    row.what,
    String(row.samples.length),
    `${shown(percentile(row.samples, 0.5))} ${row.unit}`,
    `${shown(percentile(row.samples, 0.99))} ${row.unit}`,
    targetOf(row),
    { true: 'yes', false: 'NO', undefined: '' }[`${isMet(row)}`],
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...body.map((cells) => cells[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  const notes = rows.flatMap((row) => (row.note === undefined ? [] : [`${row.what}: ${row.note}`]));
  return [line(head), line(widths.map((w) => '-'.repeat(w))), ...body.map(line), '', ...notes].join('\n');
}

function targetOf({ target, unit }: Row): string {
  if (target === undefined) return '';
  const parts = Object.entries(target).map(([name, ceiling]) => `${name} <= ${ceiling}`);
  return `${parts.join(', ')} ${unit}`;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
