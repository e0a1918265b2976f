// `crewmux board` as a person steers it: what is typed makes a new state, and an act now and then. Pure.

import { oneLine } from '../model/plain-text.ts';
import { type BoardItem, type BoardNews, noNews } from './board-items.ts';

export type BoardAct =
  | { readonly is: 'end' }
  /** A line of this program in the person's terminal. */
  | { readonly is: 'run'; readonly line: readonly string[] }
  /** The same through a pager, which begins at the top or at the end. */
  | { readonly is: 'read'; readonly line: readonly string[]; readonly from: 'top' | 'end' }
  /** The person is asked for the text first. */
  | { readonly is: 'message'; readonly worker: string; readonly name: string };

export type BoardMode =
  | { readonly is: 'list' | 'filter' | 'help' }
  /** The second key of what cannot be undone. */
  | { readonly is: 'sure'; readonly question: string; readonly line: readonly string[] };

export interface BoardState {
  readonly news: BoardNews;
  /** The key of an item; undefined before there was any. */
  readonly cursor: string | undefined;
  readonly filter: string;
  readonly mode: BoardMode;
}

export const firstState: BoardState = { news: noNews, cursor: undefined, filter: '', mode: { is: 'list' } };

export const shownItems = ({ news, filter }: Pick<BoardState, 'news' | 'filter'>): readonly BoardItem[] => {
  const words = filter.toLowerCase().split(' ');
  return news.items.filter((item) => words.every((word) => searched(item).includes(word)));
};

function searched(item: BoardItem): string {
  if (item.is === 'plan') return `plan ${item.plan.name} ${item.plan.says} ${item.plan.question ?? ''}`.toLowerCase();
  const { name, state, needs, label = '', branch = '' } = item.worker;
  return [name, state, label, branch, ...needs.map(({ title }) => title)].join(' ').toLowerCase();
}

export const itemAtCursor = (state: BoardState): BoardItem | undefined =>
  shownItems(state).find(({ key }) => key === state.cursor);

/** The cursor stays where its item goes; where that is gone, it takes the one at its place. */
export function withNews(before: BoardState, news: BoardNews): BoardState {
  const place = shownItems(before).findIndex(({ key }) => key === before.cursor);
  return atSomething({ ...before, news }, place);
}

function atSomething(state: BoardState, place: number): BoardState {
  const items = shownItems(state);
  if (items.some(({ key }) => key === state.cursor)) return state;
  const item = place < 0 ? (items.find(needsSomebody) ?? items[0]) : items[Math.min(place, items.length - 1)];
  return { ...state, cursor: item?.key ?? state.cursor };
}

export const needsSomebody = (item: BoardItem): boolean =>
  item.is === 'plan' ? item.plan.question !== undefined : item.worker.needsSomebody;

interface Pressed {
  readonly state: BoardState;
  readonly act?: BoardAct;
}

/** All that came at once. An act or a question ends it: what follows was typed before the person saw that. */
export function typed(state: BoardState, text: string): Pressed {
  let now = state;
  for (const key of keysIn(text)) {
    const { state: next, act } = press(now, key);
    now = next;
    if (act !== undefined) return { state: now, act };
    if (now.mode.is === 'sure') break;
  }
  return { state: now };
}

const named: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001b[1~': 'home',
  '\u001b[F': 'end',
  '\u001b[4~': 'end',
  '\u001b': 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'leave',
  '\u0004': 'leave',
};

/** A sequence that no key here has is left out whole. */
const keysIn = (text: string): readonly string[] =>
  (text.match(/\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|[\s\S]/gu) ?? []).map((one) => named[one] ?? one);

function press(state: BoardState, key: string): Pressed {
  // The input has ended, or the process is to.
  if (key === 'leave') return { state, act: { is: 'end' } };
  switch (state.mode.is) {
    case 'help':
      return { state: inList(state) };
    case 'sure':
      return { state: inList(state), ...(key === 'y' ? { act: { is: 'run', line: state.mode.line } } : {}) };
    case 'filter':
      return { state: atSomething(filtered(state, key), -1) };
    case 'list':
      return pressInList(state, key);
  }
}

const inList = (state: BoardState): BoardState => ({ ...state, mode: { is: 'list' } });

function filtered(state: BoardState, key: string): BoardState {
  if (key === 'enter') return inList(state);
  if (key === 'escape') return { ...inList(state), filter: '' };
  if (key === 'backspace') return { ...state, filter: [...state.filter].slice(0, -1).join('') };
  return /^[^\p{Cc}\p{Cf}]$/u.test(key) ? { ...state, filter: state.filter + key } : state;
}

const page = 10;
const steps: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  down: 1,
  j: 1,
  'page-up': -page,
  'page-down': page,
  home: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
};

function pressInList(state: BoardState, key: string): Pressed {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step !== undefined) return { state: moved(state, step) };
  switch (key) {
    case 'q':
      return { state, act: { is: 'end' } };
    case '?':
      return { state: { ...state, mode: { is: 'help' } } };
    case '/':
      return { state: { ...state, mode: { is: 'filter' } } };
    case 'escape':
      return { state: atSomething({ ...state, filter: '' }, -1) };
    case 'a':
      return { state, act: { is: 'run', line: ['answer'] } };
  }
  const item = itemAtCursor(state);
  if (item === undefined) return { state };
  return item.is === 'plan' ? pressAtPlan(state, item.plan, key) : pressAtWorker(state, item.worker, key);
}

function moved(state: BoardState, step: number): BoardState {
  const items = shownItems(state);
  const place = items.findIndex(({ key }) => key === state.cursor);
  const item = items[Math.max(0, Math.min(place + step, items.length - 1))];
  return { ...state, cursor: item?.key ?? state.cursor };
}

const sure = (state: BoardState, question: string, line: readonly string[]): Pressed => ({
  state: { ...state, mode: { is: 'sure', question, line } },
});

function pressAtPlan(
  state: BoardState,
  { id, answers }: Extract<BoardItem, { is: 'plan' }>['plan'],
  key: string,
): Pressed {
  if (key === 'enter') return { state, act: { is: 'read', line: ['plan', id], from: 'top' } };
  const line = /^[1-9]$/.test(key) ? answers[Number(key) - 1] : undefined;
  return line === undefined ? { state } : sure(state, `crewmux ${line.join(' ')}?`, line);
}

function pressAtWorker(
  state: BoardState,
  { id, name }: Extract<BoardItem, { is: 'worker' }>['worker'],
  key: string,
): Pressed {
  switch (key) {
    case 'enter':
      return { state, act: { is: 'run', line: ['attach', id] } };
    case 'm':
      return { state, act: { is: 'message', worker: id, name } };
    case 'l':
      return { state, act: { is: 'read', line: ['logs', id], from: 'end' } };
    case 'd':
      return { state, act: { is: 'read', line: ['diff', id], from: 'top' } };
    case 'g':
      return sure(state, `Land the work of ${oneLine(name)} on the branch it was begun from?`, ['merge', id]);
    case 'x':
      return sure(state, `Close ${oneLine(name)} for good? Its branch is kept.`, ['close', id]);
    default:
      return { state };
  }
}
