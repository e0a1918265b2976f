// One of ours at a time on a tmux server, across processes.
import { createHash } from 'node:crypto';
import type { Alone } from '../backends/terminal.ts';
import type { Home } from '../store/home.ts';
import { withLock } from '../system/lock.ts';
import type { ProcessRef } from '../system/process.ts';

const aloneMs = 5_000;

/** Among all of ours that act on the tmux server of this socket. Who cannot have it acts all the same. */
export function aloneAt(socket: string, home: Home, me: ProcessRef): Alone {
  const name = createHash('sha256').update(socket).digest('hex').slice(0, 16);
  return async (work) => {
    let done: ReturnType<typeof work> | undefined;
    const act = () => {
      done = work();
      return done;
    };
    return withLock(home.lockPath(`tmux-${name}`), act, { me, timeoutMs: aloneMs }).catch(() => done ?? work());
  };
}
