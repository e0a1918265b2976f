// How commands reach the server: the kept client where there is one, else a process for each.
import type { Clock } from '../../model/clock.ts';
import type { Alone } from '../terminal.ts';
import { type Address, tmuxEnvironment } from './address.ts';
import type { Ask, Command, Reply } from './command.ts';
import { type Connection, type ControlClient, connectControl } from './control-client.ts';
import { keeper, openKept } from './kept.ts';
import { askOnce } from './one-shot.ts';

export interface Channel {
  readonly address: Address;
  readonly clock: Clock;
  /** A client of ours stays attached to the keeper. */
  readonly keepsClient: boolean;
  readonly ask: Ask;
  /** For an act that does not go through `ask`. */
  readonly alone: Alone;
  /** Puts `text` of any length into the paste buffer `name`. */
  load(name: string, text: string): Promise<Reply>;
  /** A control client of the caller's own; undefined where there is none to be had. */
  connect(): Promise<ControlClient | undefined>;
  /** Tries the kept client again at the next call: the server has become one of ours. */
  forgive(): void;
  dispose(): Promise<void>;
}

const deadlineMs = 5000;
const chunkLength = 250_000;

export function openChannel(options: {
  readonly address: Address;
  readonly clock: Clock;
  readonly keepsClient: boolean;
  readonly alone: Alone;
}): Channel {
  const { clock, keepsClient, alone } = options;
  const address = { ...options.address, env: tmuxEnvironment(options.address.env) };
  const connect = () => connectAlone(alone, address, clock);
  const kept = openKept(connect, clock);
  const reach = async () => (keepsClient ? kept.reach() : undefined);

  return {
    address,
    clock,
    keepsClient,
    alone,
    async ask(commands, asked = {}) {
      const client = await reach();
      if (client === 'absent') return { is: 'absent' };
      const once = () => askOnce(address, commands, asked);
      const act = async () => {
        if (client === undefined) return once();
        const reply = await client.ask(commands, { deadlineMs });
        if (reply.is !== 'lost') return reply;
        kept.drop(client);
        return asked.repeatable ? once() : reply;
      };
      return asked.alone ? alone(act) : act();
    },
    async load(name, text) {
      const client = await reach();
      if (client === 'absent') return { is: 'absent' };
      if (client === undefined) return askOnce(address, [['load-buffer', '-b', name, '-']], { input: text });
      const replies = await Promise.all(setBuffer(name, text).map((command) => client.ask([command], { deadlineMs })));
      return replies.find((reply) => reply.is !== 'done') ?? { is: 'done', output: '' };
    },
    async connect() {
      if (!keepsClient) return undefined;
      const connection = await connect();
      return connection.is === 'open' ? connection.client : undefined;
    },
    forgive: kept.forgive,
    dispose: kept.dispose,
  };
}

async function connectAlone(alone: Alone, address: Address, clock: Clock): Promise<Connection> {
  const connection = await alone(() => connectControl(address, clock, keeper));
  if (connection.is !== 'open') return connection;
  const { client } = connection;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= alone(client.close);
    return closing;
  };
  return { is: 'open', client: { ...client, close } };
}

/** The buffer in pieces; no piece splits a character. */
function setBuffer(name: string, text: string): readonly Command[] {
  const pieces = text.match(new RegExp(`[^]{1,${chunkLength}}`, 'gu')) ?? [''];
  return pieces.map((piece, at) => ['set-buffer', ...(at === 0 ? [] : ['-a']), '-b', name, '--', piece]);
}
