// What a person does who sits at a pane: they look, and they press a key again when nothing came of it.
import { eventually } from '../support/sandbox.ts';
import type { RealCrew, Worker } from './crew.ts';

/** A person attaches to the worker's session and looks until `leave`. */
export async function attachPerson(crew: RealCrew, worker: Worker): Promise<{ leave(): void }> {
  const { sandbox } = crew.home;
  const name = `person-${worker.session_id}`;
  const session = worker.tmux?.session ?? '';
  const isThere = () => sandbox.tmux('list-sessions', '-F', '#{session_name}').split('\n').includes(name);
  await eventually('a person is attached', () => {
    const attach = `env -u TMUX tmux -L ${sandbox.socket} attach -t '=${session}'`;
    if (!isThere()) sandbox.tmux('new-session', '-d', '-s', name, '-x', '200', '-y', '50', attach);
    return sandbox.tmux('list-clients', '-t', `=${session}`, '-F', '#{client_control_mode}').split('\n').includes('0');
  });
  return {
    leave: () => {
      if (isThere()) sandbox.tmux('kill-session', '-t', `=${name}`);
    },
  };
}

export interface Keyboard {
  screen(): string;
  press(key: string): void;
}

interface Pressing {
  readonly key: string;
  readonly seen: (screen: string) => boolean;
}

/** Both agents drop keys that come just when they draw a dialog; a person who sees that nothing happened presses again. */
export async function pressAgain({ screen, press }: Keyboard, { key, seen }: Pressing): Promise<void> {
  let pressedAt = Number.NEGATIVE_INFINITY;
  await eventually(`${key} has worked`, () => {
    // Before the key, half a redraw would look like what comes of it.
    if (Number.isFinite(pressedAt) && seen(screen())) return true;
    if (performance.now() - pressedAt > 3_000) {
      pressedAt = performance.now();
      press(key);
    }
    return false;
  });
}

export const pressUntil = (crew: RealCrew, worker: Worker, pressing: Pressing): Promise<void> =>
  pressAgain({ screen: () => crew.screen(worker), press: (key) => crew.keys(worker, key) }, pressing);
