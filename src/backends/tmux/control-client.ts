// A tmux process kept in control mode: commands go in by line, answers come back in order.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../model/clock.ts';
import { closePipes, killGroup } from '../../system/exec.ts';
import { type Address, serverFlags } from './address.ts';
import { type Command, listLine, type Reply } from './command.ts';
import { type ControlItem, controlReader } from './control-lines.ts';
import { saysNoServer } from './one-shot.ts';
import { openQuestions, type QuestionOptions } from './questions.ts';

export interface ControlClient {
  /** Resolves when the client is gone, whoever ended it; a question without an answer is `lost`. */
  readonly closed: Promise<void>;
  ask(commands: readonly Command[], options?: QuestionOptions): Promise<Reply>;
  /** Ends the process and waits for its end. Safe to call twice. */
  close(): Promise<void>;
}

export type Connection =
  | { readonly is: 'open'; readonly client: ControlClient }
  | { readonly is: 'absent' }
  | { readonly is: 'refused'; readonly words: string };

const connectDeadlineMs = 3000;
const killAfterMs = 500;

// When its manager is killed, a control client may hang for ever over what it can no longer print, and no
// `kill-server` would end the server then. So a shell waits beside it for its pipe to us to break, and kills it.
const besideShell = 'exec 4<&0; tmux "$@" <&4 3<&- 4<&- & exec <&- 4<&- >&- 2>&-; read -r x <&3; kill -s KILL $!';

/** Attaches to `tmuxSession`, which must exist; never starts a server. */
export async function connectControl(address: Address, clock: Clock, tmuxSession: string): Promise<Connection> {
  const words = [...serverFlags(address.socket), '-N', '-C', 'attach', '-f', 'no-output,ignore-size'];
  const child = spawn('/bin/sh', ['-c', besideShell, 'sh', ...words, '-t', `=${tmuxSession}`], {
    cwd: '/',
    env: { ...address.env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // A process group of its own, so that Ctrl-C at our terminal does not end it before we are done.
    detached: true,
  });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) return { is: 'refused', words: 'no pipes to be had' };
  const complaints: string[] = [];
  stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const { client, attached } = keepClient({ child, stdin, stdout, clock });
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  // tmux reads our lines before it attaches, and would run them without a reader.
  const cancel = clock.after(connectDeadlineMs, () => void client.close());
  const isAttached = await Promise.race([attached, client.closed.then(() => false)]);
  cancel();
  if (isAttached) return { is: 'open', client };
  const complaint = complaints.join('').trim() || 'the control client ended';
  return saysNoServer(complaint) ? { is: 'absent' } : { is: 'refused', words: complaint };
}

interface Parts {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly clock: Clock;
}

interface Kept {
  readonly client: ControlClient;
  /** Resolves when tmux has attached the client; stays open when it never does. */
  readonly attached: Promise<true>;
}

function keepClient({ child, stdin, stdout, clock }: Parts): Kept {
  const asked = openQuestions(clock);
  let tellAttached: (value: true) => void = () => undefined;
  const attached = new Promise<true>((resolve) => {
    tellAttached = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const end = (why: string) => {
    asked.lose(why);
    stdin.destroy();
    child.stdio[3]?.destroy();
  };
  const take = (item: ControlItem) => {
    if (item.kind === 'reply') asked.answer(item);
    else if (item.kind === 'begun') asked.begin();
    else if (item.kind === 'exit') end(`tmux let the control client go${item.reason && `: ${item.reason}`}`);
    else if (item.kind === 'broken') end(`the control client lost its place at: ${item.line.slice(0, 200)}`);
    else if (item.name === 'session-changed') tellAttached(true);
  };
  const read = controlReader();
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    for (const item of read(chunk)) take(item);
  });
  stdout.once('close', () => end('the control client ended'));

  const client: ControlClient = {
    closed,
    ask(commands, options = {}) {
      if (commands.some((command) => command.some((word) => word.includes('\0'))))
        return Promise.resolve({ is: 'refused', words: 'a NUL byte cannot be carried' });
      const { token, reply } = asked.put(options, end);
      stdin.write(`${listLine(commands)}\ndisplay-message -p ${token}\n`);
      return reply;
    },
    async close() {
      end('the control client was closed');
      const cancel = clock.after(killAfterMs, () => {
        if (child.pid !== undefined) killGroup(child.pid);
        // tmux hands its own ends of the pipes to the server, and one that hangs keeps them open.
        closePipes(child);
      });
      await closed;
      cancel();
    },
  };
  return { client, attached };
}
