// How commands reach the server: the kept client where there is one, else a process for each.
import type { Clock } from '../../model/clock.ts';
import { type Address, tmuxEnvironment } from './address.ts';
import type { Ask, Command, Reply } from './command.ts';
import { type ControlClient, connectControl } from './control-client.ts';
import { askOnce } from './one-shot.ts';

export interface Channel {
  readonly address: Address;
  readonly clock: Clock;
  /** Undefined while commands go out one process each. */
  readonly keptPid: () => number | undefined;
  readonly ask: Ask;
  /** Puts `text` of any length into the paste buffer `name`. */
  load(name: string, text: string): Promise<Reply>;
  /** A kept client of the caller's own; undefined where there is none to be had. */
  connect(): Promise<ControlClient | undefined>;
  /** Try the kept client again at the next call, as the server may be another one now. */
  forget(): void;
  dispose(): Promise<void>;
}

/** Our own tmux session, which the kept clients attach to so that no crew's end ends them. */
export const keeper = '_crewmux';

const deadlineMs = 5000;
const tryAgainMs = 5000;
const chunkLength = 250_000;

export function openChannel(options: {
  readonly address: Address;
  readonly clock: Clock;
  readonly keepsClient: boolean;
}): Channel {
  const { clock } = options;
  const address = { ...options.address, env: tmuxEnvironment(options.address.env) };
  let connecting: Promise<ControlClient | 'absent' | undefined> | undefined;
  let refusedUntil = 0;
  let kept: ControlClient | undefined;
  let disposed = false;

  const reach = async (): Promise<ControlClient | 'absent' | undefined> => {
    if (kept !== undefined) return kept;
    if (!options.keepsClient || disposed || clock.now() < refusedUntil) return undefined;
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    return connecting;
  };
  const connect = async () => {
    const connection = await connectControl(address, clock, keeper);
    if (connection.is === 'absent') return 'absent';
    if (connection.is === 'refused') {
      refusedUntil = clock.now() + tryAgainMs;
      return undefined;
    }
    const { client } = connection;
    if (disposed) {
      await client.close();
      return undefined;
    }
    kept = client;
    void client.closed.then(() => {
      if (kept === client) kept = undefined;
    });
    return client;
  };
  const ask: Ask = async (commands, asked = {}) => {
    const client = await reach();
    if (client === undefined) return askOnce(address, commands, asked);
    if (client === 'absent') return { is: 'absent' };
    const reply = await client.ask(commands, { deadlineMs });
    if (reply.is !== 'lost') return reply;
    if (kept === client) kept = undefined;
    void client.close();
    return asked.repeatable ? askOnce(address, commands, asked) : reply;
  };
  return {
    address,
    clock,
    keptPid: () => kept?.pid,
    ask,
    async load(name, text) {
      const client = await reach();
      if (client === 'absent') return { is: 'absent' };
      if (client === undefined)
        return askOnce(address, [['load-buffer', '-b', name, '-']], { input: text, repeatable: true });
      const replies = await Promise.all(setBuffer(name, text).map((command) => client.ask([command], { deadlineMs })));
      return replies.find((reply) => reply.is !== 'done') ?? { is: 'done', output: '' };
    },
    async connect() {
      if (!options.keepsClient || disposed) return undefined;
      const connection = await connectControl(address, clock, keeper);
      return connection.is === 'open' ? connection.client : undefined;
    },
    forget() {
      refusedUntil = 0;
    },
    async dispose() {
      disposed = true;
      await connecting;
      await kept?.close();
    },
  };
}

/** The buffer in pieces; no piece splits a character. */
export function setBuffer(name: string, text: string): readonly Command[] {
  const pieces = text.match(new RegExp(`[^]{1,${chunkLength}}`, 'gu')) ?? [''];
  return pieces.map((piece, at) => ['set-buffer', ...(at === 0 ? [] : ['-a']), '-b', name, '--', piece]);
}
