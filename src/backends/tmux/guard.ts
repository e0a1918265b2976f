// Acting on exactly the pane that is meant: the check and the act are one command of the server.
import { newNonce } from '../../model/ids.ts';
import type { PaneRef } from '../terminal.ts';
import { type Command, onlyIf, type Reply } from './command.ts';
import { isMissingTarget, paneIsGone, refusal } from './refusal.ts';

/** Printed in place of the act when the pane is not the one meant. */
export const notThatPane = `not-that-pane-${newNonce()}`;

const conditions = (ref: PaneRef): readonly string[] => [
  // Where the id is gone, tmux checks the condition on some other pane.
  `#{==:#{pane_id},${ref.id}}`,
  `#{==:#{pid},${ref.serverPid}}`,
  `#{==:#{start_time},${ref.serverStartedAt}}`,
];

const both = (a: string, b: string): string => `#{&&:${a},${b}}`;

/** Runs `commands` if the pane is the one meant and `also` holds for it; else prints `notThatPane`. */
export const guarded = (ref: PaneRef, commands: readonly Command[], also: readonly string[] = []): Command =>
  onlyIf({
    paneId: ref.id,
    condition: [...conditions(ref), ...also].reduce(both),
    commands,
    otherwise: ['display-message', '-p', notThatPane],
  });

export const isAlive = '#{?pane_dead,0,1}';
/** No copy mode or menu of tmux would take the keys. */
export const takesKeys = '#{?pane_in_mode,0,1}';
/** Nobody has switched the pane's input off; tmux drops the keys of one that is, and says nothing. */
const isOn = '#{?pane_input_off,0,1}';
export const canType: readonly string[] = [isAlive, takesKeys, isOn];

export const isNotThere = (reply: Reply): boolean =>
  reply.is === 'absent' || (reply.is === 'refused' && isMissingTarget(reply.words));

/** The reply of a guarded act that was done; throws for any other. */
export function doneAt(ref: PaneRef, reply: Reply, doing: string): Extract<Reply, { is: 'done' }> {
  if (isNotThere(reply)) throw paneIsGone(ref);
  if (reply.is !== 'done') throw refusal(doing, reply);
  if (reply.output.trim() === notThatPane) throw paneIsGone(ref);
  return reply;
}
