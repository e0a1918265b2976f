// Refusals of tmux as errors that a caller can act on.
import { defined } from '../../model/defined.ts';
import { CrewError, type Delivered } from '../../model/errors.ts';
import type { PaneRef } from '../terminal.ts';
import type { Reply } from './command.ts';

/** The error for a reply that is not `done`. */
export function refusal(
  doing: string,
  reply: Exclude<Reply, { is: 'done' }>,
  options: { readonly delivery?: Delivered } = {},
): CrewError {
  return new CrewError('tmux_failed', `tmux failed to ${doing}: ${reasonOf(reply)}`, hintFor(reply), options);
}

function reasonOf(reply: Exclude<Reply, { is: 'done' }>): string {
  if (reply.is === 'absent') return 'no tmux server is running at our socket';
  return lastLines(reply.words) || 'it gave no reason';
}

function hintFor(reply: Exclude<Reply, { is: 'done' }>): string {
  if (reply.is === 'lost') return 'It may have happened all the same: list the workers before you try again.';
  if (reply.is === 'refused' && /command too long|E2BIG|failed to send command/.test(reply.words))
    return 'The command line is too long for tmux: put long texts in a file and pass its path.';
  return 'Try again; when it stays, `crewmux doctor` looks at tmux.';
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-5).join('\n');

export const paneIsGone = (ref: PaneRef, delivery?: Delivered): CrewError =>
  new CrewError(
    'worker_dead',
    `Pane ${ref.id} is gone from the tmux server at socket ${ref.socket}`,
    'Restart the worker, or close it.',
    defined({ delivery }),
  );

/** Whether tmux refused because what was named is not there. */
export const isMissingTarget = (words: string): boolean => /can't find (pane|window|session)/.test(words);
