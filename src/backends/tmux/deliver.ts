// Keystrokes at a pane, in order, each one only while the pane can take it.

import { CrewError, type Delivered } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { isKeyName, type Keystroke } from '../../model/keystroke.ts';
import { pause } from '../../system/clock.ts';
import type { PaneRef } from '../terminal.ts';
import type { Channel } from './channel.ts';
import type { Command, Reply } from './command.ts';
import { canType, guarded, isAlive, isNotThere, notThatPane, takesKeys } from './guard.ts';
import type { Looker } from './look.ts';
import { paneIsGone, refusal } from './refusal.ts';

/** The command of one keystroke, for pane `id`; a paste stands in `buffer` already. */
export function keystrokeCommand(
  keystroke: Exclude<Keystroke, { pauseMs: number }>,
  id: string,
  buffer: string,
): Command {
  if ('paste' in keystroke) return ['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', id];
  if ('type' in keystroke) return ['send-keys', '-l', '-t', id, '--', keystroke.type];
  const times = keystroke.times === undefined ? [] : ['-N', String(keystroke.times)];
  return ['send-keys', ...times, '-t', id, '--', keystroke.press];
}

/** A keyboard that only its holder uses: opened for each keystroke and shut behind it, in one go. */
export interface Hold {
  readonly open: Command;
  readonly shut: Command;
  /** The condition that it has not been lost. */
  readonly isOurs: string;
}

export async function deliver(
  at: { channel: Channel; looker: Looker },
  ref: PaneRef,
  keystrokes: readonly Keystroke[],
  { hold }: { readonly hold?: Hold } = {},
): Promise<void> {
  for (const keystroke of keystrokes) refuseUnknownKey(keystroke);
  let typed = false;
  for (const keystroke of keystrokes) {
    if ('pauseMs' in keystroke) {
      await pause(keystroke.pauseMs);
      continue;
    }
    if (('paste' in keystroke && keystroke.paste === '') || ('type' in keystroke && keystroke.type === '')) continue;
    const reply = await perform(at.channel, { ref, hold }, keystroke);
    if (reply.is !== 'done' || reply.output.trim() === notThatPane)
      throw await notDelivered(at.looker, { ref, reply, typed, isHeld: hold !== undefined });
    typed = true;
  }
}

function refuseUnknownKey(keystroke: Keystroke): void {
  if (!('press' in keystroke) || isKeyName(keystroke.press)) return;
  throw new CrewError(
    'internal',
    `A bug in crewmux: ${JSON.stringify(keystroke.press)} is no tmux key`,
    'Nothing was typed; please report it.',
    { delivery: 'not-sent' },
  );
}

async function perform(
  channel: Channel,
  { ref, hold }: { readonly ref: PaneRef; readonly hold: Hold | undefined },
  keystroke: Exclude<Keystroke, { pauseMs: number }>,
): Promise<Reply> {
  const buffer = `crewmux-${newNonce()}`;
  if ('paste' in keystroke) {
    const loaded = await channel.load(buffer, keystroke.paste);
    // What is only in a buffer has not been typed.
    if (loaded.is === 'lost') return { is: 'refused', words: loaded.words };
    if (loaded.is !== 'done') return loaded;
  }
  const command = keystrokeCommand(keystroke, ref.id, buffer);
  const reply = await channel.ask([
    hold === undefined
      ? guarded(ref, [command], canType)
      : guarded(ref, [hold.open, command, hold.shut], [isAlive, takesKeys, hold.isOurs]),
  ]);
  const isLeftOver = 'paste' in keystroke && (reply.is !== 'done' || reply.output !== '');
  if (isLeftOver) await channel.ask([['delete-buffer', '-b', buffer]]);
  return reply;
}

interface Failure {
  readonly ref: PaneRef;
  readonly reply: Reply;
  readonly typed: boolean;
  readonly isHeld: boolean;
}

async function notDelivered(looker: Looker, { ref, reply, typed, isHeld }: Failure): Promise<CrewError> {
  const delivery: Delivered = typed || reply.is === 'lost' ? 'unknown' : 'not-sent';
  if (reply.is === 'lost') return refusal(`type into pane ${ref.id}`, reply, { delivery });
  if (isNotThere(reply)) return paneIsGone(ref, delivery);
  if (reply.is !== 'done') return refusal(`type into pane ${ref.id}`, reply, { delivery });
  const pane = await looker.one(ref);
  if (pane === undefined) return paneIsGone(ref, delivery);
  if (pane.dead)
    return new CrewError('worker_dead', `The program in pane ${ref.id} has ended`, 'Restart the worker.', { delivery });
  if (!pane.inMode && isHeld)
    return new CrewError(
      'held',
      `This machine is too busy to keep a person's keys out of pane ${ref.id} for so long`,
      'Try again.',
      { delivery },
    );
  if (!pane.inMode)
    return new CrewError(
      'held',
      `The input of pane ${ref.id} is switched off (tmux select-pane -d); tmux would drop the keys`,
      `Switch it on with tmux select-pane -e -t '${ref.id}', then send again.`,
      { delivery },
    );
  return new CrewError(
    'held',
    `A person is scrolling or selecting in pane ${ref.id} (tmux copy mode); keys would go there`,
    'Wait until they leave it (q at the pane), then send again.',
    { delivery },
  );
}
