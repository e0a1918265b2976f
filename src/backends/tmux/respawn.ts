// A new process in a pane whose last one has ended.
import { CrewError } from '../../model/errors.ts';
import type { OpenRequest, PaneInfo, PaneRef } from '../terminal.ts';
import type { Channel } from './channel.ts';
import { doneAt, guarded } from './guard.ts';
import type { Looker } from './look.ts';
import { launchWords, marksOf, setMarks } from './opening.ts';
import { paneIsGone } from './refusal.ts';

type Request = Pick<OpenRequest, 'argv' | 'env' | 'cwd' | 'marks' | 'label'>;

/** Marks that are not given stay as they were. */
export async function respawn(
  { channel, looker }: { readonly channel: Channel; readonly looker: Looker },
  ref: PaneRef,
  request: Request,
): Promise<PaneInfo> {
  const before = await looker.one(ref);
  if (before === undefined) throw paneIsGone(ref);
  if (!before.dead)
    throw new CrewError('tmux_failed', `Pane ${ref.id} still runs ${before.command}`, 'Close the worker first.');
  const commands = [
    ...setMarks(ref.id, marksOf(request)),
    ['respawn-pane', ...launchWords(request, ['-t', ref.id])] as const,
  ];
  const reply = await channel.ask(
    [...looker.announce(request.marks), guarded(ref, commands)],
    request.env.PATH === undefined ? {} : { path: request.env.PATH },
  );
  doneAt(ref, reply, 'start a program in a pane');
  const after = await looker.one(ref);
  if (after === undefined) throw paneIsGone(ref);
  return after;
}
