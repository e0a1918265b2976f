// Answers a dialog on a worker's screen as a careful person would: look, move the cursor, look again, press Enter.
import type { Agent, ScreenReading } from '../../agents/agent.ts';
import type { PaneRef } from '../../backends/terminal.ts';
import { CrewError } from '../../model/errors.ts';
import type { Keystroke } from '../../model/keystroke.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { pause } from '../../system/clock.ts';
import { withLock } from '../../system/lock.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { Following } from '../workers/following.ts';
import type { CrewContext } from '../workers/roster.ts';
import { paneRef } from '../workers/roster.ts';
import { hasLabels, isSameDialog } from './choice.ts';
import { arrowTo, judgeMove, type Moved } from './cursor-move.ts';
import { chosenIn, type ScreenAnswer } from './screen-choice.ts';
import { lookOnce, readScreen, readScreenUntil } from './screen-look.ts';
import { personsReasonOf } from './screen-rules.ts';

export interface ScreenAnswered {
  /** False when Enter was pressed and the dialog still stands: whether it counted is unknown. */
  readonly answered: boolean;
  /** The label that was chosen, as it stands on the screen. */
  readonly option: string;
  readonly dialog: Dialog;
  /** The dialog that came in its place. */
  readonly next?: Dialog;
}

const lockTimeoutMs = 60_000;
const firstTries = 10;
const moveTries = 12;
const confirmTries = 8;
const overTries = 40;
const mostPresses = 3;
// An agent overlooks keys in a dialog's first moments, and an overlooked Enter cannot be told from a slow one.
const youngMs = 1_000;
const againMs = 60;
/** By then an agent has shown what the last key did that reached it. */
const lastKeyMs = 150;

interface Answering {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
  readonly attach: string;
}

/**
 * Chooses in the dialog that stands on the worker's screen, by its label. Never together with a message or another
 * answer, on any server. Throws a `CrewError` when nothing was chosen: Enter is pressed only where two looks in a row
 * have shown the cursor on the wanted label of the same dialog.
 */
export async function answerOnScreen(
  context: CrewContext,
  record: WorkerRecord,
  answer: ScreenAnswer,
): Promise<ScreenAnswered> {
  const following = context.roster.following(record.id);
  if (following === undefined || record.pane === undefined || record.phase !== 'live') {
    throw new CrewError(
      'worker_dead',
      `${record.name} is ${record.phase}.`,
      'restart_workers brings it back with the same conversation.',
    );
  }
  const agent = context.agentOf(record);
  const attach = context.roster.attach(record.pane);
  const answering: Answering = { context, record, following, agent, attach };
  const lock = context.home.lockPath(`send-${record.id}`);
  return withLock(lock, () => answerInTurn(answering, answer), { me: context.me, timeoutMs: lockTimeoutMs });
}

async function answerInTurn(answering: Answering, answer: ScreenAnswer): Promise<ScreenAnswered> {
  const { context, record, following } = answering;
  await following.drain();
  const dialog = await openDialog(answering);
  const { agent, attach } = answering;
  const asked = following.state.requests;
  const wanted = chosenIn(dialog, answer, {
    agent,
    attach,
    personsReason: await personsReasonOf(record, { dialog, asked, agent }),
  });
  await moveTo(answering, dialog, wanted);
  await pause(Math.max(0, Math.min(youngMs, following.state.since + youngMs - context.clock.now())));
  const ready = 'text' in answer ? await typeAt(answering, { dialog, entry: wanted, text: answer.text }) : dialog;
  const option = ready.options[wanted] ?? '';
  await confirmAt(answering, ready, wanted);
  let pressedAt = 0;
  await context.terminal.withKeyboard(paneOf(answering), async (keyboard) => {
    await pause(lastKeyMs);
    await confirmAt(answering, ready, wanted);
    pressedAt = context.clock.now();
    following.apply({ from: 'us', kind: 'answers', option, at: pressedAt });
    await keyboard.deliver([{ press: 'Enter' }]);
  });
  const left = await awaitAnswered(answering, ready, pressedAt);
  await lookOnce(context, context.roster.record(record.id), following);
  return { ...left, option, dialog };
}

const look = ({ context, record, agent }: Answering): Promise<ScreenReading | undefined> =>
  readScreen(context, context.roster.record(record.id), agent);

function paneOf({ record }: Answering): PaneRef {
  if (record.pane === undefined) throw new CrewError('worker_dead', `${record.name} has no pane.`, 'Restart it.');
  return paneRef(record.pane);
}

const perform = (answering: Answering, keystroke: Keystroke): Promise<void> =>
  answering.context.terminal.deliver(paneOf(answering), [keystroke]);

const press = (answering: Answering, key: string): Promise<void> => perform(answering, { press: key });

/** The dialog as two looks in a row show it, so that no half redraw is answered. */
async function openDialog(answering: Answering): Promise<Dialog> {
  let last: Dialog | undefined;
  const reading = await readScreenUntil(
    () => look(answering),
    ({ dialog }) => {
      const isSettled = dialog !== undefined && last !== undefined && isSameDialog(last, dialog);
      last = dialog;
      return isSettled;
    },
    firstTries,
  );
  const { name } = answering.record;
  if (reading?.dialog === undefined) {
    const { is, evidence } = answering.following.state;
    throw new CrewError(
      'already_answered',
      `No dialog stands on the screen of ${name}; it is ${is} (${evidence.detail}).`,
      `Nothing was pressed. Somebody may have answered in the pane; look with read_worker_screen.`,
    );
  }
  return reading.dialog;
}

const isHeld = (answering: Answering, what: string): CrewError =>
  new CrewError(
    'held',
    what,
    `Enter was not pressed. Look with read_worker_screen, or answer in the pane: ${answering.attach}`,
  );

async function moveTo(answering: Answering, dialog: Dialog, wanted: number): Promise<void> {
  let at = dialog.selected;
  if (at === undefined) throw isHeld(answering, `Where the cursor stands in "${dialog.title}" cannot be read.`);
  // A list that wraps around would go on for ever if the cursor were misread.
  for (let steps = dialog.options.length; at !== wanted; steps -= 1) {
    if (steps === 0) throw isHeld(answering, `The cursor in "${dialog.title}" does not come to the wanted choice.`);
    at = await step(answering, { dialog, from: at, to: wanted });
  }
}

/** Where the cursor stands after one key; a key that was overlooked is pressed again. */
async function step(
  answering: Answering,
  { dialog, from, to }: { readonly dialog: Dialog; readonly from: number; readonly to: number },
): Promise<number> {
  const key = arrowTo(from, to);
  for (let times = 1; times <= mostPresses; times += 1) {
    await press(answering, key);
    const judge = (seen: ScreenReading): Moved => judgeMove(dialog, { from, key, times }, seen);
    const seen = await readScreenUntil(
      () => look(answering),
      (one) => judge(one).is === 'at',
      moveTries,
    );
    const moved = judge(seen ?? {});
    if (moved.is === 'at') return moved.selected;
    if (moved.is !== 'still') throw isHeld(answering, strayed(dialog, moved));
  }
  throw isHeld(answering, `The cursor in "${dialog.title}" does not follow the keys.`);
}

/** The same dialog with the text in its entry, once it is seen there word for word. */
async function typeAt(
  answering: Answering,
  { dialog, entry, text }: { readonly dialog: Dialog; readonly entry: number; readonly text: string },
): Promise<Dialog> {
  await confirmAt(answering, dialog, entry);
  const labels = dialog.options.map((label, i) => (i === entry ? text : label));
  const isThere = ({ dialog: seen }: ScreenReading) =>
    seen?.selected === entry && hasLabels(seen, dialog.title, labels);
  await perform(answering, { paste: text.trim() });
  const seen = await readScreenUntil(() => look(answering), isThere, moveTries);
  if (seen?.dialog !== undefined && isThere(seen)) return seen.dialog;
  throw isHeld(answering, `The text was typed into "${dialog.title}" and does not stand there as it was given.`);
}

/** The last looks before Enter, two alike in a row: a person's key between them shows. */
async function confirmAt(answering: Answering, dialog: Dialog, wanted: number): Promise<void> {
  let still = 0;
  for (let left = confirmTries; still < 2; left -= 1) {
    const moved = judgeMove(dialog, { from: wanted, key: 'Down', times: 0 }, (await look(answering)) ?? {});
    // Half a redraw can look like another dialog, or like none; a cursor that is read elsewhere is there.
    if (moved.is !== 'still' && (moved.is === 'elsewhere' || left <= 1))
      throw isHeld(answering, strayed(dialog, moved));
    still = moved.is === 'still' ? still + 1 : 0;
    if (still < 2) await pause(againMs);
  }
}

function strayed(dialog: Dialog, moved: Moved): string {
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

/** The dialog is gone, or another one in its place, in two looks in a row; or the agent itself says that it goes on. */
async function awaitAnswered(
  answering: Answering,
  dialog: Dialog,
  pressedAt: number,
): Promise<Pick<ScreenAnswered, 'answered' | 'next'>> {
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
  const next = seen?.dialog;
  return answered && next !== undefined ? { answered, next } : { answered };
}

/** The agent says so itself, also where the next dialog looks like the last one. Pure. */
export function hasGoneOn({ is, since, facts }: TurnState, pressedAt: number): boolean {
  if (is !== 'waiting') return since >= pressedAt;
  return Math.max(facts.agent?.at ?? 0, facts.asked.at(-1)?.at ?? 0) > pressedAt;
}
