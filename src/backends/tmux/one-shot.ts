// One `tmux` process for one list of commands.
import { defined } from '../../model/defined.ts';
import { pause } from '../../system/clock.ts';
import { type RunResult, run } from '../../system/exec.ts';
import { type Address, serverFlags } from './address.ts';
import { type AskOptions, type Command, listArguments, type Reply } from './command.ts';

export interface OneShotOptions extends AskOptions {
  /** Handed to the command on its standard input. */
  readonly input?: string;
  readonly timeoutMs?: number;
}

const deadlineMs = 10_000;

// A server that ends takes no more clients while it waits for those it has: some milliseconds, on a slow machine more.
const pausesMs = [5, 10, 20, 40, 80, 160, 320, 640];

/** Starts tmux and waits for its end; starts no server unless a command of the list does. */
export async function askOnce(
  address: Address,
  commands: readonly Command[],
  options: OneShotOptions = {},
): Promise<Reply> {
  const ask = () => askWith(address, commands, options);
  let reply = await ask();
  for (const pauseMs of options.repeatable ? pausesMs : []) {
    if (reply.is !== 'lost' || !saysServerWentAway(reply.words)) break;
    await pause(pauseMs);
    reply = await ask();
  }
  return reply;
}

async function askWith(address: Address, commands: readonly Command[], options: OneShotOptions): Promise<Reply> {
  const result = await run('tmux', [...serverFlags(address.socket), ...listArguments(commands)], {
    // An unattached client's PATH wins over what `-e` gives a pane.
    env: options.path === undefined ? address.env : { ...address.env, PATH: options.path },
    timeoutMs: options.timeoutMs ?? deadlineMs,
    ...defined({ input: options.input }),
  });
  return replyOf(result);
}

export function replyOf(result: RunResult): Reply {
  // A tmux that is asked to end does so with 0, whatever became of its command.
  if (result.timedOut) return { is: 'lost', words: 'no answer before the deadline' };
  if (result.exitCode === 0) return { is: 'done', output: result.stdout };
  const words = result.stderr.trim();
  if (result.startError !== undefined) return { is: 'refused', words: `tmux cannot be started (${result.startError})` };
  if (saysNoServer(words)) return { is: 'absent' };
  if (saysServerWentAway(words) || result.exitCode === undefined) return { is: 'lost', words };
  return { is: 'refused', words };
}

/** Whether tmux's own words say that no server runs at the socket. */
export const saysNoServer = (words: string): boolean =>
  /^no server running on /m.test(words) ||
  /^error connecting to .* \((No such file or directory|Connection refused)\)$/m.test(words);

const saysServerWentAway = (words: string): boolean => /^(lost server|server exited)/m.test(words);
