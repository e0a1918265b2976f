// From a pane that was opened to an agent that can be spoken of.

import { CrewError } from '../../model/errors.ts';
import type { PaneRecord, WorkerRecord } from '../../model/worker.ts';
import { pause } from '../../system/clock.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { watchStart } from '../screen/dialog-watch.ts';
import { awaitFact } from '../workers/await-state.ts';
import type { Following } from '../workers/following.ts';
import { lookForDeath } from '../workers/pane-events.ts';
import type { CrewContext } from '../workers/roster.ts';
import { paneRef } from '../workers/roster.ts';

const startCeilingMs = 10_000;
const goodbyeCeilingMs = 3_000;
const lastLooks = 5;

/** Ready, with its first prompt taken up; blocked by something that can be named; or gone. Pure. */
export function hasStarted(state: TurnState): boolean {
  if (state.is === 'waiting' || state.is === 'gone') return true;
  return state.is !== 'starting' && state.facts.sends.length === 0;
}

/** Resolves when the worker has started, is blocked or gone, or after ten seconds as it is then. */
export async function startedOrDead(context: CrewContext, record: WorkerRecord): Promise<Following> {
  const following = context.roster.follow(record);
  watchStart(context, record, following);
  await lookForDeath(context, record, following);
  const { clock } = context;
  for (;;) {
    await awaitFact(following, { clock, ceilingMs: startCeilingMs }, () =>
      hasStarted(following.state) ? true : undefined,
    );
    if (!hasSaidGoodbye(following.state)) return following;
    // Why it goes stands on its screen when its process has ended; or it begins another session and goes on.
    const isSettled = await awaitFact(following, { clock, ceilingMs: goodbyeCeilingMs }, () =>
      hasSaidGoodbye(following.state) ? undefined : true,
    );
    if (isSettled === undefined) return following;
  }
}

/** By its own word, and its process has not ended yet. */
const hasSaidGoodbye = ({ is, evidence }: TurnState): boolean => is === 'gone' && evidence.source === 'hook';

/** What a dead pane shows; the death may be told before the last words are drawn. */
async function lastScreen(context: CrewContext, pane: PaneRecord): Promise<string> {
  for (let looks = 1; ; looks += 1) {
    const screen = await context.terminal.capture(paneRef(pane)).catch(() => '');
    if (screen.trim() !== '' || looks === lastLooks) return screen;
    await pause(50);
  }
}

/** An agent that is gone before it could do anything, in words that quote its screen. */
export async function startTrouble(
  context: CrewContext,
  record: WorkerRecord,
  following: Following,
): Promise<CrewError | undefined> {
  const { state } = following;
  if (state.is !== 'gone' || record.pane === undefined) return undefined;
  const words = (await lastScreen(context, record.pane))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith('Pane is dead'))
    .slice(-5)
    .join('\n');
  return new CrewError(
    'start_failed',
    `The agent was gone at once (${state.evidence.detail}).${words === '' ? '' : ` Its last words:\n${words}`}`,
    'Run the same command in a terminal of your own to see why; a wrong flag, model or login is the usual reason.',
  );
}

/**
 * A program that falls over while its window is resized starts the next time, and so does one whose own server of ours
 * ended while it began; one that refuses does not.
 */
export const hasCrashed = (trouble: CrewError | undefined): boolean =>
  trouble !== undefined &&
  /^The application panicked|^thread '.*' panicked at|required MCP servers failed to initialize: crew\b/m.test(
    trouble.message,
  );
