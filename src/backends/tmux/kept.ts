// The one control client that commands go through: connected when needed, and again when it has died.
import type { Clock } from '../../model/clock.ts';
import type { Connection, ControlClient } from './control-client.ts';

/** Our own tmux session, which the control clients attach to so that no crew's end ends them. */
export const keeper = '_crewmux';

export interface Kept {
  /** Undefined where no client is to be had at the moment, `absent` when no server runs. */
  reach(): Promise<ControlClient | 'absent' | undefined>;
  /** Gives up a client that did not answer. */
  drop(client: ControlClient): void;
  /** Tries again at once after a refusal. */
  forgive(): void;
  dispose(): Promise<void>;
}

const tryAgainMs = 5000;

export function openKept(attach: () => Promise<Connection>, clock: Clock): Kept {
  let connecting: Promise<ControlClient | 'absent' | undefined> | undefined;
  let kept: ControlClient | undefined;
  let refusedUntil = 0;
  let disposed = false;

  const drop = (client: ControlClient) => {
    if (kept === client) kept = undefined;
    void client.close();
  };
  const connect = async () => {
    const connection = await attach();
    if (connection.is === 'absent') return 'absent';
    if (connection.is === 'refused') {
      refusedUntil = clock.now() + tryAgainMs;
      return undefined;
    }
    const { client } = connection;
    kept = client;
    void client.closed.then(() => drop(client));
    return client;
  };
  return {
    async reach() {
      if (kept !== undefined) return kept;
      if (disposed || clock.now() < refusedUntil) return undefined;
      connecting ??= connect().finally(() => {
        connecting = undefined;
      });
      return connecting;
    },
    drop,
    forgive() {
      refusedUntil = 0;
    },
    async dispose() {
      disposed = true;
      await connecting;
      await kept?.close();
    },
  };
}
