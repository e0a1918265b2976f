// `crewmux board` on a screen of any size, and in lines for a reader. Pure.

import { type BoardNeed, type CrewRow, counts, needLines } from '../draw/board-text.ts';
import {
  alarm,
  bare,
  bold,
  cell,
  clipped,
  columnsIn,
  dim,
  good,
  type Part,
  reverse,
  styled,
} from '../draw/terminal-text.ts';
import { oneLine } from '../model/plain-text.ts';
import type { BoardItem, BoardNews, PlanRow } from './board-items.ts';
import { type BoardState, itemAtCursor, needsSomebody, shownItems } from './board-keys.ts';
import { age } from './paint.ts';
import { plainLine } from './plain-lines.ts';

export interface BoardSize {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
}

/** Lines of at most the columns, and no more of them than the rows; the cursor's is among them. */
export function boardScreen(state: BoardState, size: BoardSize): string {
  const { columns, rows } = size;
  if (state.mode.is === 'help') return helpLines(columns).slice(0, rows).join('\n');
  const panel = panelLines(state, size);
  const room = Math.max(rows - 2 - panel.length, 0);
  const body = bodyLines(state, size);
  const from = firstShown(body, state.cursor, room);
  const shown = body.slice(from, from + room).map(({ text }) => text);
  const hidden = body.length > room;
  const gap = Array.from({ length: Math.max(room - shown.length, 0) }, () => '');
  const all = [headLine(state, columns), ...shown, ...panel, ...gap, footLine(state, columns, hidden)];
  return all.slice(0, Math.max(rows, 0)).join('\n');
}

interface BodyLine {
  readonly text: string;
  /** Of the item that it belongs to. */
  readonly key?: string;
}

/** From the first line on where that shows the cursor, else with it in the middle. */
function firstShown(body: readonly BodyLine[], cursor: string | undefined, room: number): number {
  const first = body.findIndex(({ key }) => key === cursor);
  const last = body.findLastIndex(({ key }) => key === cursor);
  if (cursor === undefined || last < room) return 0;
  return Math.max(0, Math.min(first - Math.floor(room / 2), body.length - room));
}

const workersOf = (items: readonly BoardItem[]): readonly CrewRow[] =>
  items.flatMap((item) => (item.is === 'worker' ? [item.worker] : []));

function headLine({ news, filter }: BoardState, columns: number): string {
  const kept = filter === '' ? '' : ` · only "${oneLine(filter)}"`;
  const says = ` · ${oneLine(news.crew)} · ${counts(workersOf(news.items))}${kept}`;
  return styled(columns, [' ', bare], ['crewmux', bold], [says, bare]);
}

function bodyLines(state: BoardState, size: BoardSize): readonly BodyLine[] {
  const { columns } = size;
  const items = shownItems(state);
  const at = (item: BoardItem, lines: readonly string[]) => lines.map((text) => ({ text, key: item.key }));
  const plans = items.flatMap((item) =>
    item.is === 'plan' ? at(item, planLines(item.plan, { columns, isAt: item.key === state.cursor })) : [],
  );
  const lines = state.filter === '' ? state.news.lines : [];
  const workers = items.flatMap((item) =>
    item.is === 'worker' ? at(item, [workerLine(item.worker, { ...size, isAt: item.key === state.cursor })]) : [],
  );
  const none = items.length > 0 ? [] : [state.filter === '' ? '   No workers here.' : '   Nothing has these words.'];
  return [
    ...plans,
    ...lines.map((text) => ({ text: styled(columns, [`   ${oneLine(text)}`, bare]) })),
    ...(workers.length === 0 ? [] : [{ text: headingLine(columns) }]),
    ...workers,
    ...none.map((text) => ({ text: styled(columns, [text, dim]) })),
  ];
}

interface Drawn {
  readonly columns: number;
  /** The cursor is there. */
  readonly isAt: boolean;
}

/** Reversed as a whole where the cursor is; the sign says it without colours. */
function markedLine({ columns, isAt }: Drawn, isPressing: boolean, parts: readonly Part[]): string {
  const mark = `${isAt ? '>' : ' '}${isPressing ? '!' : ' '} `;
  if (!isAt) return styled(columns, [mark, alarm], ...parts);
  return styled(columns, [cell(mark + parts.map(([text]) => text).join(''), columns), reverse]);
}

function planLines({ name, says, question, answers }: PlanRow, drawn: Drawn): readonly string[] {
  const head = markedLine(drawn, question !== undefined, [
    [`plan ${oneLine(name)}`, bold],
    [`: ${says}`, bare],
  ]);
  if (question === undefined) return [head];
  const keys = answers.map((line, at) => `${at + 1} ${line.join(' ')}`).join(' · ');
  const asked = styled(drawn.columns, [`     ${question}`, alarm]);
  return [head, asked, ...(keys === '' ? [] : [styled(drawn.columns, [`     ${keys}`, drawn.isAt ? bold : dim])])];
}

interface Column {
  readonly title: string;
  readonly width: number;
  /** The least columns of a terminal that shows it. */
  readonly from: number;
  readonly text: (worker: CrewRow, now: number) => string;
}

const branchText = ({ branch = '', conflictsWith }: CrewRow, width: number): string => {
  const marks = conflictsWith.length === 0 ? '' : ` !${oneLine(conflictsWith.join(','))}`;
  // Whom it conflicts with stays where a long name is cut.
  return `${clipped(oneLine(branch), Math.max(width - columnsIn(marks), 8))}${marks}`;
};

const branchWidth = 24;
const further: readonly Column[] = [
  { title: 'BRANCH', width: branchWidth, from: 120, text: (worker) => branchText(worker, branchWidth) },
  {
    title: 'TURN',
    width: 6,
    from: 120,
    text: ({ turnAt }, now) => (turnAt === undefined ? '' : age(now - turnAt)),
  },
  { title: 'TOKENS', width: 7, from: 160, text: ({ tokens = '' }) => tokens },
  { title: 'LEFT', width: 4, from: 160, text: ({ contextLeft = '' }) => contextLeft },
  { title: 'MODEL', width: 16, from: 160, text: ({ model = '' }) => oneLine(model) },
];

const furtherAt = (columns: number): readonly Column[] => further.filter(({ from }) => columns >= from);
const nameWidth = (columns: number): number => (columns < 60 ? 12 : 16);
/** With six for the age. */
const stateWidth = (columns: number): number => (columns < 60 ? 19 : 26);
const ageWidth = 6;

function headingLine(columns: number): string {
  const heads = furtherAt(columns).map(({ title, width }) => cell(title, width));
  const fixed = [cell('WORKER', nameWidth(columns)), cell('STATE', stateWidth(columns)), ...heads, 'WHAT'];
  return styled(columns, [`   ${fixed.join(' ')}`, dim]);
}

function workerLine(worker: CrewRow, { now, ...drawn }: Drawn & { readonly now: number }): string {
  const { name, status, state, at, needsSomebody: needed } = worker;
  const { columns } = drawn;
  const pressing = needed || status === 'waiting' || status === 'dead';
  const cells = furtherAt(columns).map((one) => `${cell(one.text(worker, now), one.width)} `);
  const since = age(now - at).padStart(ageWidth);
  return markedLine(drawn, pressing, [
    [cell(oneLine(name), nameWidth(columns)), bold],
    [
      ` ${cell(oneLine(state), stateWidth(columns) - ageWidth - 1)} ${since} `,
      pressing ? alarm : status === 'idle' ? dim : status === 'working' ? good : bare,
    ],
    [`${cells.join('')}${whatParts(worker, columns).join(' · ')}`, bare],
  ]);
}

/** What it needs comes first, and what it said last where there is room for words. */
const whatParts = (worker: CrewRow, columns: number): readonly string[] =>
  [...needTitles(worker), worker.label ?? '', worker.doing ?? '', columns < 120 ? '' : worker.words]
    .map(oneLine)
    .filter((part) => part !== '');

/** The row has its name already. */
const needTitles = ({ name, needs }: CrewRow): readonly string[] =>
  needs.map(({ title }) => (title.startsWith(`${name} `) ? title.slice(name.length + 1) : title));

const leastRowsOfPanel = 12;

/** What the worker at the cursor needs, in full lines. */
function panelLines(state: BoardState, { columns, rows }: BoardSize): readonly string[] {
  const item = itemAtCursor(state);
  const need: BoardNeed | undefined = item?.is === 'worker' ? item.worker.needs[0] : undefined;
  if (need === undefined || rows < leastRowsOfPanel) return [];
  return ['', ...needLines(need, { columns, most: Math.min(Math.floor(rows / 6), 8) })];
}

const keysOf: Readonly<Record<BoardItem['is'], readonly string[]>> = {
  worker: ['Enter attach', 'a answer', 'm message', 'l log', 'd diff', '/ filter', 'g land', 'x close', 'q quit'],
  plan: ['Enter show it', 'a answer', '/ filter', 'q quit'],
};

const keysOfNone = ['a answer', '/ filter', 'q quit'];

function footLine(state: BoardState, columns: number, hidden: boolean): string {
  const { mode } = state;
  if (mode.is === 'sure') return styled(columns, [` y/n: ${oneLine(mode.question)}`, alarm]);
  if (mode.is === 'filter')
    return styled(columns, [` /${state.filter}`, bold], ['_   Enter keeps it · Esc shows all', bare]);
  const items = shownItems(state);
  const place = items.findIndex(({ key }) => key === state.cursor);
  const many = hidden && place >= 0 ? [`${place + 1} of ${items.length}`] : [];
  const item = items[place];
  const answers = item?.is === 'plan' ? item.plan.answers.length : 0;
  const numbers = answers === 0 ? [] : [answers === 1 ? '1 decide' : `1-${answers} decide`];
  const all = state.filter === '' ? [] : ['Esc shows all'];
  const keys = [...many, '? help', ...all, ...numbers, ...(item === undefined ? keysOfNone : keysOf[item.is])];
  return styled(columns, [` ${keys.join(' · ')}`, bare]);
}

const helpLines = (columns: number): readonly string[] =>
  [
    ' Keys of the board; any key leads back',
    '',
    ...[
      ['Up Down j k', 'the cursor; also PageUp, PageDown, Home, End'],
      ['Enter', 'attach to the worker, C-b d leads back; of a plan: show it'],
      ['a', 'answer what waits for you'],
      ['m', 'send a message'],
      ['l', 'its log'],
      ['d', 'its diff'],
      ['g', 'land its work; asks first'],
      ['x', 'close it; asks first'],
      ['1-9', 'what a plan offers where it waits; asks first'],
      ['/', 'show only what has these words; Esc shows all'],
      ['q', 'leave; the crew goes on'],
    ].map(([key = '', says = '']) => `  ${key.padEnd(12)} ${says}`),
  ].map((text) => styled(columns, [text, bare]));

/** Once, in lines for a screen reader or a program. */
export function plainBoard(news: BoardNews, now: number): string {
  const lines = news.items.map((item) => {
    const needed = needsSomebody(item);
    if (item.is === 'plan') {
      const { name, says, question = '' } = item.plan;
      return plainLine({ name: `plan ${name}`, needsSomebody: needed, facts: [says, question] });
    }
    const { name, state, at, branch = '' } = item.worker;
    const parts = whatParts(item.worker, Number.POSITIVE_INFINITY);
    return plainLine({ name, needsSomebody: needed, facts: [`${state} for ${age(now - at)}`, ...parts, branch] });
  });
  return `${[counts(workersOf(news.items)), ...lines, ...news.lines].join('\n')}\n`;
}
