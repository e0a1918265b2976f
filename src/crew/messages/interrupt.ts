// Ends the running turn, and says whether it ended.

import type { Agent, ScreenReading } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { asCrewError } from '../../model/errors.ts';
import { counted } from '../../model/plural.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { hasTurnToEnd, isCounted, isTakingPrompt } from '../../turn/running.ts';
import type { InterruptOutcome } from '../../wire/messages.ts';
import { readScreen, readScreenUntil } from '../screen/screen-look.ts';
import { type CrewContext, paneRef } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';
import { awaitFact } from '../workers/timing.ts';

const interruptCeilingMs = 5_000;
// Well before, the queued text is back in the prompt box or the next turn has begun; a busy machine is slow.
const queueCeilingMs = 20_000;
const takingCeilingMs = 10_000;
/** Looks at the screen; an agent whose screen hides its turn gets the key after them. */
const turnTries = 20;

const keyOf = ({ interrupt }: Agent): string =>
  interrupt.flatMap((keystroke) => ('press' in keystroke ? [keystroke.press] : [])).join(' ');

export async function interruptTurn(
  context: CrewContext,
  record: WorkerRecord,
  following: Following,
): Promise<InterruptOutcome> {
  await following.drain();
  const { clock, terminal } = context;
  await awaitFact(following, { clock, ceilingMs: takingCeilingMs }, () =>
    isTakingPrompt(following.state) ? undefined : true,
  );
  const agent = context.agents.of(record);
  if (hasTurnToEnd(following.state)) await untilKeyIsTaken(context, record, following);
  if (!hasTurnToEnd(following.state) || record.pane === undefined) {
    const { is, evidence } = following.state;
    if (is === 'unknown') return { success: false, outcome: 'failed', detail: evidence.detail };
    return { success: true, outcome: 'nothing_running', detail: `${record.name} is ${is}` };
  }
  const before = isCounted(following.state) ? following.state.turn?.number : undefined;
  let interrupted = false;
  const stop = following.onSignal((signal) => {
    if (signal.from === 'transcript' && signal.kind === 'ended' && signal.how === 'interrupted') interrupted = true;
  });
  try {
    await terminal.deliver(paneRef(record.pane), agent.interrupt);
    const isOver = () => {
      const { is, turn } = following.state;
      // With prompts queued the agent goes straight on to them: a new turn is the end of the old one.
      const isNext = before !== undefined && turn?.number !== before;
      return interrupted || is === 'idle' || is === 'gone' || isNext ? true : undefined;
    };
    const isSeen = await awaitFact(following, { clock, ceilingMs: interruptCeilingMs }, isOver);
    // On a slow machine the end may be written, and not read yet.
    if (!isSeen) await following.drain();
    if (isSeen || isOver())
      return { success: true, outcome: 'interrupted', ...(await queuedAfter(context, agent, following)) };
    const detail = `${keyOf(agent)} was pressed; ${record.name} still shows ${following.state.is} after ${interruptCeilingMs / 1000} s`;
    return { success: false, outcome: 'unconfirmed', detail };
  } catch (error) {
    return { success: false, outcome: 'failed', detail: asCrewError(error).message };
  } finally {
    stop();
  }
}

/**
 * At the latest after `turnTries`: a screen that never shows the turn does not keep the key back for ever. Where it
 * cannot be read, the key fails as well, and that is told.
 */
async function untilKeyIsTaken(context: CrewContext, record: WorkerRecord, following: Following): Promise<void> {
  const agent = context.agents.of(record);
  const { takesInterrupt } = agent;
  if (takesInterrupt === undefined) return;
  const isOver = (reading: ScreenReading) => !hasTurnToEnd(following.state) || takesInterrupt(reading);
  await readScreenUntil(() => readScreen(context, record, agent), isOver, turnTries).catch(() => undefined);
}

/** Says which queued messages the agent put back into its prompt box, and how many of them may still run. */
async function queuedAfter(
  { clock }: CrewContext,
  { onScreen }: Agent,
  following: Following,
): Promise<Pick<InterruptOutcome, 'detail' | 'returned'>> {
  const isEmpty = () => (following.state.facts.queued.length === 0 ? true : undefined);
  const isClear =
    onScreen.tells !== 'dialogs' ||
    (await awaitFact(following, { clock, ceilingMs: queueCeilingMs }, isEmpty)) === true;
  const { evidence, facts } = following.state;
  const unclear = isClear
    ? ''
    : `; whether ${counted(facts.queued.length, 'queued message')} still ${facts.queued.length === 1 ? 'runs' : 'run'} is not seen yet`;
  const returned = facts.returned.length === 0 ? undefined : shortened(facts.returned);
  return { detail: `${evidence.detail}${unclear}`, ...defined({ returned }) };
}

const mostReturned = 10;
const previewLength = 200;

/** As much of each message as tells it from the others. */
export const shortened = (texts: readonly string[]): readonly string[] =>
  texts
    .slice(0, mostReturned)
    .map((text) =>
      text.length > previewLength ? `${text.slice(0, previewLength)}… (${text.length} characters)` : text,
    );
