// Moves the cursor of a dialog on a worker's screen, key by key, and confirms each step by another look.
import type { Agent, ScreenReading } from '../../agents/agent.ts';
import type { PaneRef } from '../../backends/terminal.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { Keystroke } from '../../model/keystroke.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { pause } from '../../system/clock.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { hasLabels, isSameDialog } from './dialog-choice.ts';
import { readScreen, readScreenUntil } from './screen-look.ts';

const moveTries = 12;
const confirmTries = 8;
const overTries = 40;
const mostPresses = 3;
const againMs = 60;

/** One answer to the dialog on one worker's screen. */
export interface Answering {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
  readonly pane: PaneRef;
  /** The command with which a person looks at the pane. */
  readonly attach: string;
}

export interface Pressed {
  readonly from: number;
  readonly key: 'Up' | 'Down';
  /** How often the key was pressed since the cursor was last seen at `from`. */
  readonly times: number;
}

export type Moved =
  | { readonly is: 'at'; readonly selected: number }
  /** The key had no effect so far. */
  | { readonly is: 'still' }
  /** The screen shows half a redraw, or no cursor. */
  | { readonly is: 'unreadable' }
  | { readonly is: 'elsewhere'; readonly selected: number }
  | { readonly is: 'other-dialog'; readonly dialog: Dialog }
  | { readonly is: 'no-dialog' };

/** Each press explains at most one step in its direction; somebody else moved a cursor that is anywhere else. Pure. */
export function judgeMove(dialog: Dialog, { from, key, times }: Pressed, seen: ScreenReading): Moved {
  if (seen.dialog === undefined) return { is: 'no-dialog' };
  if (!isSameDialog(dialog, seen.dialog)) return { is: 'other-dialog', dialog: seen.dialog };
  const { selected } = seen.dialog;
  if (selected === undefined) return { is: 'unreadable' };
  const steps = key === 'Down' ? selected - from : from - selected;
  if (steps === 0) return { is: 'still' };
  return steps > 0 && steps <= times ? { is: 'at', selected } : { is: 'elsewhere', selected };
}

export const look = ({ context, record, agent }: Answering): Promise<ScreenReading | undefined> =>
  readScreen(context, context.roster.record(record.id), agent);

const type = ({ context, pane }: Answering, keystroke: Keystroke): Promise<void> =>
  context.terminal.deliver(pane, [keystroke]);

const held = (answering: Answering, what: string): CrewError =>
  new CrewError(
    'held',
    what,
    `Enter was not pressed. Look with read_worker_screen, or answer in the pane: ${answering.attach}`,
  );

/** Puts the cursor on the wanted choice, or throws `held`. */
export async function moveTo(answering: Answering, dialog: Dialog, wanted: number): Promise<void> {
  let at = dialog.selected;
  if (at === undefined) throw held(answering, `Where the cursor stands in "${dialog.title}" cannot be read.`);
  // A list that wraps around would go on for ever if the cursor were misread.
  for (let steps = dialog.options.length; at !== wanted; steps -= 1) {
    if (steps === 0) throw held(answering, `The cursor in "${dialog.title}" does not come to the wanted choice.`);
    at = await step(answering, { dialog, from: at, to: wanted });
  }
}

/** Resolves to the cursor's place after one key; presses a key again that the agent overlooked. */
async function step(
  answering: Answering,
  { dialog, from, to }: { readonly dialog: Dialog; readonly from: number; readonly to: number },
): Promise<number> {
  const key = to < from ? 'Up' : 'Down';
  for (let times = 1; times <= mostPresses; times += 1) {
    await type(answering, { press: key });
    const judge = (seen: ScreenReading): Moved => judgeMove(dialog, { from, key, times }, seen);
    const seen = await readScreenUntil(
      () => look(answering),
      (one) => judge(one).is === 'at',
      moveTries,
    );
    const moved = judge(seen ?? {});
    if (moved.is === 'at') return moved.selected;
    if (moved.is !== 'still') throw held(answering, whyNotThere(dialog, moved));
  }
  throw held(answering, `The cursor in "${dialog.title}" does not follow the keys.`);
}

/** Types the text and resolves to the dialog as soon as its entry shows that text word for word. */
export async function typeAt(
  answering: Answering,
  { dialog, entry, text }: { readonly dialog: Dialog; readonly entry: number; readonly text: string },
): Promise<Dialog> {
  await confirmAt(answering, dialog, entry);
  const labels = dialog.options.map((label, i) => (i === entry ? text : label));
  const isThere = ({ dialog: seen }: ScreenReading) =>
    seen?.selected === entry && hasLabels(seen, dialog.title, labels);
  await type(answering, { paste: text.trim() });
  const seen = await readScreenUntil(() => look(answering), isThere, moveTries);
  if (seen?.dialog !== undefined && isThere(seen)) return seen.dialog;
  throw held(answering, `The text was typed into "${dialog.title}" and does not stand there as it was given.`);
}

/** Resolves once two looks in a row show the cursor on the wanted choice; throws `held` where a person moved it. */
export async function confirmAt(answering: Answering, dialog: Dialog, wanted: number): Promise<void> {
  let still = 0;
  for (let left = confirmTries; still < 2; left -= 1) {
    const moved = judgeMove(dialog, { from: wanted, key: 'Down', times: 0 }, (await look(answering)) ?? {});
    // Half a redraw can look like another dialog, or like none; a cursor that is read elsewhere is there.
    const isLost = moved.is === 'elsewhere' || (moved.is !== 'still' && left <= 1);
    if (isLost) throw held(answering, whyNotThere(dialog, moved));
    still = moved.is === 'still' ? still + 1 : 0;
    if (still < 2) await pause(againMs);
  }
}

function whyNotThere(dialog: Dialog, moved: Moved): string {
  switch (moved.is) {
    case 'no-dialog':
      return `The dialog "${dialog.title}" went away before it was answered: somebody may have answered it in the pane.`;
    case 'other-dialog':
      return `In place of "${dialog.title}" there is another dialog by now: "${moved.dialog.title}".`;
    case 'elsewhere':
      return `The cursor in "${dialog.title}" jumped to "${dialog.options[moved.selected] ?? ''}": somebody else moves it.`;
    default:
      return `Where the cursor stands in "${dialog.title}" cannot be read any more.`;
  }
}

export interface AfterEnter {
  /** False while the same dialog is still on the screen: whether Enter counted is unknown. */
  readonly answered: boolean;
  /** The dialog that came in its place. */
  readonly next?: Dialog;
}

/** Answered: two looks in a row show no such dialog any more, or the agent itself reports that it goes on. */
export async function awaitAnswered(answering: Answering, dialog: Dialog, pressedAt: number): Promise<AfterEnter> {
  const { following } = answering;
  let gone = 0;
  const isOver = (seen: ScreenReading): boolean => {
    gone = seen.dialog !== undefined && isSameDialog(dialog, seen.dialog) ? 0 : gone + 1;
    return gone > 1 || hasGoneOn(following.state, pressedAt);
  };
  // A pane that cannot be looked at any more has ended with the answer.
  const ended = () => {
    gone += 1;
    return undefined;
  };
  const seen = await readScreenUntil(() => look(answering), isOver, overTries).catch(ended);
  const answered = gone > 0 || hasGoneOn(following.state, pressedAt);
  return { answered, ...defined({ next: answered ? seen?.dialog : undefined }) };
}

/** The agent itself reports that it goes on, even where the next dialog looks like the last one. Pure. */
function hasGoneOn({ is, since, facts }: TurnState, pressedAt: number): boolean {
  if (is !== 'waiting') return since >= pressedAt;
  return Math.max(facts.agent?.at ?? 0, facts.asked.at(-1)?.at ?? 0) > pressedAt;
}
