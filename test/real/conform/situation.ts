// What a situation is, and how many of them begin.
import type { Fields } from '../../support/mcp.ts';
import type { Stage } from './stage.ts';

/**
 * One way a worker can be, played on the real program. What is true comes from the fake model's log, from the pane, from
 * files that the worker's own commands make, and from what is done to it here; never from crewmux.
 */
export interface Situation {
  /** Goes on from "a worker that". */
  readonly name: string;
  play(stage: Stage): Promise<void>;
}

/** A worker whose model has been asked and has said nothing yet; `rest` is what it will answer after that. */
export async function thinking(stage: Stage, rest: string, config: Fields = {}): Promise<void> {
  await stage.enter({ prompt: `${stage.hold('think')}\n${rest}`, skip_permissions: true, ...config });
  await stage.is('working: thinking', stage.asked(stage.mark));
}

/** It has said some words, and says no more until `stream` is released. */
export async function streaming(stage: Stage): Promise<void> {
  await thinking(stage, `SAY some words\n${stage.hold('stream')}\nSAY and the rest`);
  await stage.is('working: streaming', stage.release('think'));
}

export async function idle(stage: Stage, config: Fields = {}): Promise<void> {
  await stage.enter({ prompt: `SAY hello ${stage.mark}`, ...config });
  await stage.is('idle', stage.answered(`hello ${stage.mark}`), { ended: 'completed' });
}
