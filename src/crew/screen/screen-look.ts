// Reads a worker's screen, and reports what one look shows to the worker's state.
import type { Agent, ScreenReading } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { pause } from '../../system/clock.ts';
import { tryUntil } from '../../system/pace.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { hasLabels } from './dialog-choice.ts';

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

/** Looks again until the reading is of use or `tries` looks are done: a redraw may be under way. */
export const readScreenUntil = (
  look: () => Promise<ScreenReading | undefined>,
  isOfUse: (reading: ScreenReading) => boolean,
  tries: number,
): Promise<ScreenReading | undefined> =>
  tryUntil(look, (reading) => reading === undefined || isOfUse(reading), { tries, pauseMs: 100 });

/** Compares all choices: a pane that has just become smaller does not show some of them yet. */
const isSame = (a: Dialog | undefined, b: Dialog | undefined): boolean =>
  a === undefined || b === undefined ? a === b : hasLabels(a, b.title, b.options);

/** Undefined where two looks in a row differ: one of them saw half a redraw. */
async function readTwice(look: () => Promise<ScreenReading | undefined>): Promise<ScreenReading | undefined> {
  const first = await look();
  if (first?.dialog === undefined && first?.ready !== true) return first;
  await pause(redrawMs);
  const second = await look();
  return second?.ready === first.ready && isSame(second?.dialog, first.dialog) ? second : undefined;
}

/** Applies what the screen shows to the worker's state. Never rejects. */
export async function lookOnce(context: CrewContext, record: WorkerRecord, following: Following): Promise<void> {
  try {
    const agent = context.agents.of(record);
    const { tells } = agent.onScreen;
    // `watchScreenTurns` looks at these without a break.
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
  const shown = { queued: queued.length, background, ...defined({ trouble }) };
  following.apply({ from: 'screen', kind: 'prompt', ...shown, at });
}
