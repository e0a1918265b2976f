// A process in a pane, a new one or one whose process has ended; a failure leaves nothing behind.
import { stat } from 'node:fs/promises';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { PaneInfo, PaneRef, PaneRequest } from '../terminal.ts';
import { type CrewKeys, ensureServer } from './birth.ts';
import type { Channel } from './channel.ts';
import type { Reply } from './command.ts';
import { doneAt, guarded } from './guard.ts';
import type { Looker } from './look.ts';
import { launchWords, marksOf, openCommands, type PaneLaunch, setMarks } from './opening.ts';
import { place, tmuxSessionName } from './placement.ts';
import { paneIsGone, refusal } from './refusal.ts';

// The kernel takes no longer single argument or variable.
const longestWordBytes = 128 * 1024 - 1;
const attempts = 8;

/** Rejects before anything is made: what cannot start, and names no option can have. */
export async function checkLaunch(launch: PaneLaunch & Pick<PaneRequest, 'marks'>): Promise<void> {
  const isFolder = await stat(launch.cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw cannotOpen(`${launch.cwd} is not a folder`, 'Give a folder that exists.');
  if (launch.argv.length === 0) throw cannotOpen('the command is empty', 'Give a program to run.');
  const words = [...launch.argv, ...Object.entries(launch.env).map(([name, value]) => `${name}=${value}`)];
  const tooLong = words.find((word) => Buffer.byteLength(word) > longestWordBytes);
  if (tooLong !== undefined)
    throw cannotOpen(
      `an argument of ${Buffer.byteLength(tooLong)} bytes is longer than a program can be given`,
      'Put long texts in a file and pass its path.',
    );
  const badKey = Object.keys(launch.marks).find((key) => !/^[A-Za-z0-9_-]+$/.test(key));
  if (badKey !== undefined) throw cannotOpen(`${JSON.stringify(badKey)} cannot name a mark`, 'Use letters and digits.');
}

const cannotOpen = (why: string, hint: string): CrewError =>
  new CrewError('tmux_failed', `No pane was opened: ${why}`, hint);

/** Callers take turns: two decisions about the same windows must not cross. */
export async function openPane(
  { channel, looker, keys }: { readonly channel: Channel; readonly looker: Looker; readonly keys: CrewKeys },
  asked: PaneRequest,
): Promise<PaneInfo> {
  const request = { ...asked, session: tmuxSessionName(asked.session) };
  const server = await ensureServer(channel, keys);
  if (server.is !== 'done') throw refusal('start its server', server);
  const crowded = new Set<string>();
  let reply: Reply = server;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const where = place((await looker.all()).panes, request, crowded);
    const birth = newNonce();
    const announcing = looker.announce(request.marks);
    const format = looker.format();
    reply = await channel.ask([...announcing, ...openCommands(request, { place: where, birth, format: format.text })], {
      alone: true,
      ...defined({ path: request.env.PATH }),
    });
    if (reply.is === 'done') return format.read(reply.output);
    const found = (await looker.all()).panes.filter((pane) => pane.marks.birth === birth);
    const whole = found.find((pane) => pane.marks.name === request.label.name);
    if (reply.is === 'lost' && found.length === 1 && whole !== undefined) return whole;
    for (const pane of found) await channel.ask([['kill-pane', '-t', pane.ref.id]], { alone: true });
    if (reply.is !== 'refused' || !isPassing(reply.words)) break;
    if (where.is === 'split') crowded.add(where.windowId);
  }
  throw reply.is === 'done' ? cannotOpen('tmux gave no answer', 'Try again.') : refusal('open a pane', reply);
}

/** Whether another manager or a person changed the windows between the look and the act. */
const isPassing = (words: string): boolean => /duplicate session|can't find|no space for new pane/.test(words);

type Request = Pick<PaneRequest, 'argv' | 'env' | 'cwd' | 'marks' | 'label'>;

/** Starts a new process in a pane whose last one has ended. Marks that are not given stay as they were. */
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
    defined({ path: request.env.PATH }),
  );
  doneAt(ref, reply, 'start a program in a pane');
  const after = await looker.one(ref);
  if (after === undefined) throw paneIsGone(ref);
  return after;
}
