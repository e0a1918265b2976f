// Exclusive input to a pane: tmux drops the keys of others meanwhile.
import type { Clock, Disposer } from '../../model/clock.ts';
import { newNonce } from '../../model/ids.ts';
import type { PaneKeyboard, PaneRef } from '../terminal.ts';
import type { Channel } from './channel.ts';
import type { Command } from './command.ts';
import { deliver, type Hold } from './deliver.ts';
import { canType, guarded, notThatPane } from './guard.ts';
import type { Looker } from './look.ts';

/** tmux gives the keyboard back by itself after this, should we end in between. */
const longestS = 4;
const renewMs = 1_000;
/** On the pane: which hold it is, so that what is left of an earlier one does not end it. */
const mark = '@crewmux_keyboard';

export interface Keys {
  readonly channel: Channel;
  readonly looker: Looker;
  readonly clock: Clock;
  /** False for a tmux that could not give the keyboard back by itself: then keys are pressed among others. */
  readonly holdsKeys: boolean;
  /** The terminal is disposed: it renews no hold. */
  isLetGo(): boolean;
}

/** Rejects with what `work` rejects with; the keyboard is given back in any case. */
export async function takeKeyboard<T>(
  at: Keys,
  ref: PaneRef,
  work: (keyboard: PaneKeyboard) => Promise<T>,
): Promise<T> {
  const nonce = newNonce();
  const taken = at.holdsKeys && (await isDone(at, ref, { commands: holdOf(ref, `${nonce}-0`), also: canType }));
  // `deliver` reports whether the pane is gone, in copy mode or switched off by a person.
  if (!taken) return work({ deliver: (keystrokes) => deliver(at, ref, keystrokes), isAlone: () => false });
  const own = `#{m:${nonce}-*,#{${mark}}}`;
  const hold: Hold = { open: opened(ref), shut: shut(ref), isOurs: own };
  const renewal = renew(at, ref, { nonce, own });
  try {
    return await work({
      deliver: (keystrokes) => deliver(at, ref, keystrokes, { hold }),
      isAlone: () => !renewal.isLost(),
    });
  } finally {
    renewal.stop();
    const release: readonly Command[] = [opened(ref), ['set-option', '-pu', '-t', ref.id, mark]];
    await at.channel.ask([guarded(ref, release, [own])]);
  }
}

const opened = (ref: PaneRef): Command => ['select-pane', '-e', '-t', ref.id];
const shut = (ref: PaneRef): Command => ['select-pane', '-d', '-t', ref.id];

function holdOf(ref: PaneRef, name: string): readonly Command[] {
  // tmux reads formats of the command when it is given, and those with two signs when it is run.
  const isStill = `##{==:##{${mark}},${name}}`;
  const release = `tmux if-shell -F -t '${ref.id}' '${isStill}' "select-pane -e -t '${ref.id}'"`;
  return [
    shut(ref),
    ['set-option', '-p', '-t', ref.id, mark, name],
    // A command of tmux's own would be dropped together with the client that asked for it.
    // tmux would show its output, or its failure, in a person's pane.
    ['run-shell', '-b', '-d', String(longestS), `${release} >/dev/null 2>&1 || :`],
  ];
}

/** Holds on for as long as the work takes, and knows when that came too late. */
function renew(at: Keys, ref: PaneRef, { nonce, own }: { readonly nonce: string; readonly own: string }) {
  let heldAt = at.clock.now();
  let count = 0;
  let isLost = false;
  let cancel: Disposer = () => undefined;
  let isStopped = false;
  const hold = async () => {
    const askedAt = at.clock.now();
    count += 1;
    const isHeld =
      !at.isLetGo() &&
      (await isDone(at, ref, { commands: holdOf(ref, `${nonce}-${count}`), also: [own] }).catch(() => false));
    if (!isHeld) isLost = true;
    else if (!isStopped) {
      heldAt = askedAt;
      next();
    }
  };
  const next = () => {
    cancel = at.clock.after(renewMs, () => void hold());
  };
  next();
  return {
    // A little before the time, since the answer takes some of it.
    isLost: () => isLost || at.clock.now() - heldAt > longestS * 1_000 - renewMs,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

async function isDone(
  { channel }: Keys,
  ref: PaneRef,
  { commands, also }: { readonly commands: readonly Command[]; readonly also: readonly string[] },
): Promise<boolean> {
  const reply = await channel.ask([guarded(ref, commands, also)]);
  return reply.is === 'done' && reply.output.trim() !== notThatPane;
}
