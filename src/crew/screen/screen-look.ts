// Looks at a worker's screen: once before typing, and while nothing else can speak for it.
import type { Agent, ScreenReading } from '../../agents/agent.ts';
import type { Disposer } from '../../model/clock.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { pause } from '../../system/clock.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { Following } from '../workers/following.ts';
import { type CrewContext, paneRef } from '../workers/roster.ts';
import { hasLabels } from './choice.ts';

// The agent shows itself after about half a second; a start-up dialog never does anything but stand there.
const startLooksMs = [600, 500, 500, 700, 1_000, 1_500];
const lateLookMs = 3_000;
/** By then a ready agent has drawn its prompt, and beside it that nobody is logged in. */
const readyLookMs = 600;
// A dialog is drawn a moment after its state is written; on a busy machine, a long one.
const dialogLooksMs = [150, 400, 1_000, 2_500];
const redrawMs = 150;

export async function readScreen(
  context: CrewContext,
  record: WorkerRecord,
  agent: Agent,
): Promise<ScreenReading | undefined> {
  if (record.pane === undefined) return undefined;
  const { screen, title } = await context.terminal.look(paneRef(record.pane));
  return agent.readScreen(screen, title);
}

/** Looks again until the reading is of use or `tries` are spent: a redraw may be under way. */
export async function readScreenUntil(
  look: () => Promise<ScreenReading | undefined>,
  isOfUse: (reading: ScreenReading) => boolean,
  tries: number,
): Promise<ScreenReading | undefined> {
  for (let left = tries; ; left -= 1) {
    const reading = await look();
    if (reading === undefined || isOfUse(reading) || left <= 1) return reading;
    await pause(100);
  }
}

/** While a worker starts, its screen is the only one to tell of a dialog: no hook runs and no file is written yet. */
export function watchStart(context: CrewContext, record: WorkerRecord, following: Following): Disposer {
  let stopped = false;
  let cancel: Disposer = () => undefined;
  const next = (turn: number) => {
    cancel = context.clock.after(startLooksMs[turn] ?? lateLookMs, () => {
      if (stopped || following.state.is === 'gone') return;
      const isReady = following.state.facts.readyAt !== undefined;
      if (isReady) cancel = context.clock.after(readyLookMs, () => void lookOnce(context, record, following));
      else void lookOnce(context, record, following).finally(() => next(turn + 1));
    });
  };
  next(0);
  return () => {
    stopped = true;
    cancel();
  };
}

/** Watches a worker that somebody else has started. */
export async function watchAdopted(context: CrewContext, record: WorkerRecord, following: Following): Promise<void> {
  if (context.agentOf(record).onScreen.tells === 'dialogs') await lookOnce(context, record, following);
  if (following.state.is === 'starting') watchStart(context, record, following);
}

/** Whether a change calls for a look: a wait has begun, or what a hook held stands on the screen alone. Pure. */
export function opensDialog(before: TurnState, after: TurnState): boolean {
  if (after.is !== 'waiting' || after.evidence.source === 'screen') return false;
  if (before.is !== 'waiting' || before.since !== after.since) return true;
  const onScreenAlone = ({ requests }: TurnState) => requests.filter(({ held }) => held === undefined).length;
  return onScreenAlone(after) > onScreenAlone(before);
}

/** A dialog is read from the screen when it appears: what stands there is what can be answered there. */
export function watchDialogs(context: CrewContext): Disposer {
  return context.roster.onChange(({ workerId, before, after }) => {
    if (!opensDialog(before, after)) return;
    const following = context.roster.following(workerId);
    const record = context.log.records().get(workerId);
    if (following !== undefined && record !== undefined) lookForDialog(context, { record, following }, dialogLooksMs);
  });
}

interface Watched {
  readonly record: WorkerRecord;
  readonly following: Following;
}

function lookForDialog(context: CrewContext, watched: Watched, [delayMs, ...later]: readonly number[]): void {
  if (delayMs === undefined) return;
  const { record, following } = watched;
  context.clock.after(delayMs, () => {
    void lookOnce(context, record, following).finally(() => {
      const { is, dialog } = following.state;
      if (is === 'waiting' && dialog === undefined) lookForDialog(context, watched, later);
    });
  });
}

/** With all its choices: in a pane that has just become smaller some are not drawn yet. */
const isSame = (a: Dialog | undefined, b: Dialog | undefined): boolean =>
  a === undefined || b === undefined ? a === b : hasLabels(a, b.title, b.options);

/** Undefined when what stood there at one look did not at the next: that was half a redraw. */
async function readTwice(look: () => Promise<ScreenReading | undefined>): Promise<ScreenReading | undefined> {
  const first = await look();
  if (first?.dialog === undefined && first?.ready !== true) return first;
  await pause(redrawMs);
  const second = await look();
  return second?.ready === first.ready && isSame(second?.dialog, first.dialog) ? second : undefined;
}

/** Tells the worker's state what its screen shows. */
export async function lookOnce(context: CrewContext, record: WorkerRecord, following: Following): Promise<void> {
  try {
    const agent = context.agentOf(record);
    const { tells } = agent.onScreen;
    // The screen that alone tells of turns is watched without a break.
    if (tells === 'turns') return;
    const look = () => readScreen(context, context.roster.record(record.id), agent);
    const reading = await readTwice(look);
    if (reading === undefined) return;
    const at = context.clock.now();
    if (reading.dialog !== undefined) following.apply({ from: 'screen', kind: 'dialog', dialog: reading.dialog, at });
    // An idle worker's prompt is no news, and may be older than what has begun since.
    else if (following.state.is === 'idle') return;
    else if (tells === 'dialogs') notePrompt(following, reading, at);
    else if (following.state.facts.dialog !== undefined) following.apply({ from: 'screen', kind: 'no-dialog', at });
  } catch (error) {
    // A pane may be closed between the moment the look was due and the look.
    const { phase } = context.roster.record(record.id);
    if (phase === 'live' && !context.roster.closing.has(record.id)) {
      context.logger.write('warn', `the screen of ${record.name} could not be read`, error);
    }
  }
}

function notePrompt(following: Following, reading: ScreenReading, at: number): void {
  const { ready, queued = [], background = 0, trouble } = reading;
  if (ready !== true) return;
  const shown = { queued: queued.length, background, ...(trouble === undefined ? {} : { trouble }) };
  following.apply({ from: 'screen', kind: 'prompt', ...shown, at });
}
