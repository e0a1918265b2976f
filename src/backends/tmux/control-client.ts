// A tmux process kept in control mode: commands go in by line, answers come back in order.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Clock, Disposer } from '../../model/clock.ts';
import { newNonce } from '../../model/ids.ts';
import { type Address, serverFlags } from './address.ts';
import { type Command, listLine, type Reply } from './command.ts';
import { type ControlItem, controlReader } from './control-lines.ts';
import { saysNoServer } from './one-shot.ts';

export interface ControlClient {
  /** The process, for whoever must end it from outside. */
  readonly pid: number;
  /** Resolves when the client is gone, whoever ended it; what was asked and not answered is `lost`. */
  readonly closed: Promise<void>;
  /** Notices of a name this decoder does not know. */
  unknownNotices(): number;
  ask(commands: readonly Command[], options?: KeptAskOptions): Promise<Reply>;
  /** Ends the process and waits for its end. Safe to call twice. */
  close(): Promise<void>;
}

export interface KeptAskOptions {
  /** Undefined waits for as long as the client lives. */
  readonly deadlineMs?: number | undefined;
  /** Called when tmux starts to run the first command. */
  readonly whenBegun?: () => void;
}

export type Connection =
  | { readonly is: 'open'; readonly client: ControlClient }
  | { readonly is: 'absent' }
  | { readonly is: 'refused'; readonly words: string };

interface Asked {
  /** Printed by a command of its own after ours, so that an answer ends where we say it ends. */
  readonly token: string;
  readonly output: string[];
  refusal: string | undefined;
  whenBegun: (() => void) | undefined;
  readonly cancelDeadline: Disposer;
  readonly resolve: (reply: Reply) => void;
}

const connectDeadlineMs = 3000;
const killAfterMs = 500;

/** Attaches to `tmuxSession`, which must exist; never starts a server. */
export async function connectControl(address: Address, clock: Clock, tmuxSession: string): Promise<Connection> {
  const child = spawn(
    'tmux',
    [...serverFlags(address.socket), '-N', '-C', 'attach', '-f', 'no-output,ignore-size', '-t', `=${tmuxSession}`],
    // A process group of its own, so that Ctrl-C at our terminal does not end it before we are done.
    { cwd: '/', env: { ...address.env }, stdio: 'pipe', detached: true },
  );
  const words: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  const client = keepClient(child, clock);
  const first = await client.ask([['refresh-client']], { deadlineMs: connectDeadlineMs });
  if (first.is === 'done') return { is: 'open', client };
  await client.close();
  const said = words.join('').trim();
  if (saysNoServer(said)) return { is: 'absent' };
  return { is: 'refused', words: said || ('words' in first ? first.words : 'no answer') };
}

function keepClient(child: ChildProcessWithoutNullStreams, clock: Clock): ControlClient {
  const asked: Asked[] = [];
  let unknown = 0;
  let ended: string | undefined;
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const end = (why: string) => {
    ended ??= why;
    for (const one of asked.splice(0)) settle(one, { is: 'lost', words: ended });
    child.kill('SIGTERM');
  };
  const take = (item: ControlItem) => {
    if (item.kind === 'reply') takeReply(asked, item);
    else if (item.kind === 'begun') begin(asked[0]);
    else if (item.kind === 'exit') end(`tmux let the control client go${item.reason && `: ${item.reason}`}`);
    else if (item.kind === 'broken') end(`the control client lost its place at: ${item.line.slice(0, 200)}`);
    else if (!item.isKnown) unknown += 1;
  };
  const read = controlReader();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    for (const item of read(chunk)) take(item);
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  void closed.then(() => end('the control client ended'));

  return {
    pid: child.pid ?? 0,
    closed,
    unknownNotices: () => unknown,
    ask(commands, options = {}) {
      if (ended !== undefined) return Promise.resolve({ is: 'lost', words: ended });
      if (commands.some((command) => command.some((word) => word.includes('\0'))))
        return Promise.resolve({ is: 'refused', words: 'a NUL byte cannot be carried' });
      return new Promise((resolve) => {
        const token = `answered-${newNonce()}`;
        const { deadlineMs } = options;
        const cancelDeadline =
          deadlineMs === undefined
            ? () => undefined
            : clock.after(deadlineMs, () => end(`no answer within ${deadlineMs} ms`));
        const { whenBegun } = options;
        asked.push({ token, output: [], refusal: undefined, whenBegun, cancelDeadline, resolve });
        child.stdin.write(`${listLine(commands)}\ndisplay-message -p ${token}\n`);
      });
    },
    async close() {
      end('the control client was closed');
      const cancel = clock.after(killAfterMs, () => child.kill('SIGKILL'));
      await closed;
      cancel();
    },
  };
}

function takeReply(asked: Asked[], reply: { readonly ok: boolean; readonly lines: readonly string[] }): void {
  const front = asked[0];
  if (front === undefined) return;
  if (reply.lines.length === 1 && reply.lines[0] === front.token) {
    asked.shift();
    settle(
      front,
      front.refusal === undefined
        ? { is: 'done', output: front.output.join('') }
        : { is: 'refused', words: front.refusal },
    );
  } else if (reply.ok) {
    for (const line of reply.lines) front.output.push(line, '\n');
  } else {
    front.refusal ??= reply.lines.join('\n');
  }
}

function begin(front: Asked | undefined): void {
  front?.whenBegun?.();
  if (front !== undefined) front.whenBegun = undefined;
}

function settle(one: Asked, reply: Reply): void {
  one.cancelDeadline();
  one.resolve(reply);
}
