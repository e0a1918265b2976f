// What `crewmux answer` shows of a need. Pure.
import type { WholeRequest } from '../crew/api.ts';
import { wrapped } from '../draw/terminal-text.ts';
import { oneLine, plain } from '../model/plain-text.ts';
import { type AttentionView, isYesOrNo, needDetail } from '../wire/attention.ts';
import { type Choice, mostOptions } from './answer-keys.ts';
import { paintLine } from './diff.ts';
import { age, fewRows, type Paints } from './paint.ts';

export interface NeedDrawing {
  readonly now: number;
  readonly width: number;
  readonly paints: Paints;
  /** For a screen reader: no signs, and nothing beside another. */
  readonly isPlain?: true;
  /** Rows that there is room for of a change or a plan. */
  readonly most: number;
}

const mostRows = 12;
const mostRowsOfOption = 3;

const columnsIn = ({ width }: NeedDrawing): number => Math.max(width - 4, 20);

export const titleLine = ({ title, since }: AttentionView, { now, paints, isPlain }: NeedDrawing): string =>
  `${paints.alarm(`${isPlain ? '' : '! '}${oneLine(title)}`)} ${paints.dim(`(${age(now - Date.parse(since))})`)}`;

/** All rows of a change or a plan; none where the request is about neither. */
export function wholeRows({ change, plan }: Partial<WholeRequest> = {}, drawing: NeedDrawing): readonly string[] {
  const rowsOf = (text: string) => wrapped(text, columnsIn(drawing));
  if (plan !== undefined) return rowsOf(plain(plan).trim());
  return change === undefined
    ? []
    : plain(change)
        .split('\n')
        .flatMap((line) => rowsOf(line).map((row) => paintLine(row, drawing.paints, line)));
}

/** `whole` stands in the place of the detail, which has it cut. */
export function needText(need: AttentionView, drawing: NeedDrawing, whole: readonly string[] = []): string {
  const { detail, options } = isYesOrNo(need) ? { detail: needDetail(need), options: [] } : withMeanings(need);
  const columns = columnsIn(drawing);
  const rows =
    whole.length === 0
      ? fewRows(plain(detail).trim(), { width: columns, most: mostRows })
      : [...fitting(whole, drawing.most), ...(need.rule === undefined ? [] : wrapped(oneLine(need.rule), columns))];
  return [
    titleLine(need, drawing),
    ...rows.map((row) => `    ${row}`),
    ...options
      .slice(0, mostOptions)
      .flatMap((option, at) =>
        fewRows(oneLine(option), { width: columns - 3, most: mostRowsOfOption }).map(
          (row, line) => `    ${line === 0 ? at + 1 : ' '}  ${row}`,
        ),
      ),
  ].join('\n');
}

const fitting = (rows: readonly string[], most: number): readonly string[] =>
  rows.length <= most ? rows : [...rows.slice(0, most - 1), `… ${rows.length - most + 1} more rows`];

/** What the detail says of an option stands with the option alone. */
function withMeanings(need: AttentionView): { readonly detail: string; readonly options: readonly string[] } {
  const lines = needDetail(need).split('\n');
  const found = (need.options ?? []).map((option) => ({
    option,
    line: lines.find((line) => line === `- ${option}` || line.startsWith(`- ${option}: `)),
  }));
  return {
    detail: lines.filter((line) => !found.some((one) => one.line === line)).join('\n'),
    options: found.map(({ option, line }) => line?.slice('- '.length) ?? option),
  };
}

/** Who waits besides, each once. */
export function othersLine(others: readonly Pick<AttentionView, 'name'>[]): string {
  const names = [...new Set(others.map(({ name }) => oneLine(name)))];
  return `${others.length} more ${others.length === 1 ? 'waits' : 'wait'}: ${names.join(', ')}`;
}

/** The keys, those with a long label in rows of their own. */
export function keyRows(choices: readonly Choice[], drawing: NeedDrawing): string {
  const { dim } = drawing.paints;
  // An option has its number above.
  const rest = choices.filter(({ key }) => !/^\d$/.test(key));
  if (drawing.isPlain === true)
    return `${rest.map(({ key, label }) => `${key}: ${oneLine(label)}\n`).join('')}Which key? `;
  const long = choices
    .filter(({ isLong }) => isLong)
    .flatMap(({ key, label }) => fewRows(`[${key}] ${oneLine(label)}`, { width: columnsIn(drawing), most: mostRows }));
  const keys = rest.filter(({ isLong }) => !isLong);
  return [
    ...long.map((row) => `  ${dim(row)}\n`),
    `  ${dim(keys.map(({ key, label }) => `[${key}] ${oneLine(label)}`).join('  '))} `,
  ].join('');
}
