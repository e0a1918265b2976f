// One key at a pane while no other key reaches it: what a person presses meanwhile is dropped, not mixed in.
import type { Clock } from '../../model/clock.ts';
import { CrewError } from '../../model/errors.ts';
import type { PaneRef } from '../terminal.ts';
import type { Channel } from './channel.ts';
import type { Command } from './command.ts';
import { deliver } from './deliver.ts';
import { canType, guarded, notThatPane } from './guard.ts';
import type { Looker } from './look.ts';

/** tmux gives the keyboard back by itself after this, should we end in between. */
const longestS = 3;
/** Later than this, it may have been given back already. */
const latestMs = 2_000;

export interface Alone {
  readonly channel: Channel;
  readonly looker: Looker;
  readonly clock: Clock;
  /** False for a tmux that could not give the keyboard back by itself: then a key is pressed among others. */
  readonly holdsKeys: boolean;
}

/**
 * Presses `key` once `check` has resolved, and nothing else reaches the pane from before the check until the key.
 * Rejects with what `check` rejects with, or with `held`; then nothing was pressed.
 */
export async function pressAlone(
  at: Alone,
  ref: PaneRef,
  { key, check }: { readonly key: string; readonly check: () => Promise<void> },
): Promise<void> {
  const amongOthers = async () => {
    await check();
    await deliver(at, ref, [{ press: key }]);
  };
  if (!at.holdsKeys) return amongOthers();
  const release: Command = ['select-pane', '-e', '-t', ref.id];
  const hold: readonly Command[] = [
    ['select-pane', '-d', '-t', ref.id],
    // A command of tmux's own would be dropped together with the client that asked for it.
    // What it printed, or that it failed, would be shown in somebody's pane.
    ['run-shell', '-b', '-d', String(longestS), `tmux select-pane -e -t '${ref.id}' >/dev/null 2>&1 || :`],
  ];
  const heldAt = at.clock.now();
  const reply = await at.channel.ask([guarded(ref, hold, canType)]);
  // Whether it is gone, scrolled in or switched off by a person is told as for any other key.
  if (reply.is !== 'done' || reply.output.trim() === notThatPane) return amongOthers();
  try {
    await check();
    if (at.clock.now() - heldAt > latestMs) throw tooSlow(ref);
    await deliver(at, ref, [{ press: key }], { first: release });
  } catch (error) {
    await at.channel.ask([guarded(ref, [release])]);
    throw error;
  }
}

const tooSlow = (ref: PaneRef): CrewError =>
  new CrewError(
    'held',
    `This machine is too busy to keep a person's keys out of pane ${ref.id} for so long`,
    'Nothing was pressed. Try again.',
    { delivery: 'not-sent' },
  );
