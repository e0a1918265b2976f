// Reads a worker's screen, and reports what one look shows to the worker's state.
import type { Agent, ScreenReading } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import type { Dialog } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { pause } from '../../system/clock.ts';
import { tryUntil } from '../../system/pace.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { hasLabels } from './dialog-choice.ts';

const redrawMs = 150;
/** A permission stands on the screen while a hook of ours, which may allow it, is still starting. */
const hookDecidesMs = 2_000;
const betweenLooksMs = 400;

/** How long a dialog must stand unchanged to be believed. Pure. */
export function standsForMs(
  { waitingFor }: Pick<Dialog, 'waitingFor'>,
  { is }: Pick<TurnState, 'is'>,
  { hasHooks }: { readonly hasHooks: boolean },
): number {
  return hasHooks && waitingFor === 'permission' && is !== 'waiting' ? hookDecidesMs : redrawMs;
}

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

/** An adopted agent runs no hook of crewmux. */
export const hooksOf = ({ launch }: WorkerRecord) => ({ hasHooks: launch.process === undefined });

/** Compares all choices: a pane that has just become smaller does not show some of them yet. */
const isSame = (a: Dialog | undefined, b: Dialog | undefined): boolean =>
  a === undefined || b === undefined ? a === b : hasLabels(a, b.title, b.options);

/** Undefined where a later look differs: the first saw half a redraw, or what stood there for a moment. */
async function readStanding(
  look: () => Promise<ScreenReading | undefined>,
  standsMs: (dialog: Dialog) => number,
): Promise<ScreenReading | undefined> {
  const first = await look();
  if (first?.dialog === undefined && first?.ready !== true) return first;
  const forMs = first.dialog === undefined ? redrawMs : standsMs(first.dialog);
  let reading = first;
  for (let left = forMs; left > 0; left -= betweenLooksMs) {
    await pause(Math.min(left, betweenLooksMs));
    const next = await look();
    if (next === undefined || next.ready !== first.ready || !isSame(next.dialog, first.dialog)) return undefined;
    reading = next;
  }
  return reading;
}

/** Applies what the screen shows to the worker's state. Never rejects. */
export async function lookOnce(context: CrewContext, record: WorkerRecord, following: Following): Promise<void> {
  try {
    const agent = context.agents.of(record);
    const { tells } = agent.onScreen;
    // `watchScreenTurns` looks at these without a break.
    if (tells === 'turns') return;
    const look = () => readScreen(context, context.roster.record(record.id), agent);
    const standsMs = (dialog: Dialog) => standsForMs(dialog, following.state, hooksOf(record));
    const reading = await readStanding(look, standsMs);
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
