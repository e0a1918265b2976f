// One worker on the stage: what the driver does to it, when that came true, and what the client is told meanwhile.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { messageOf } from '../../../src/model/errors.ts';
import type { Fields } from '../../support/mcp.ts';
import { eventually } from '../../support/sandbox.ts';
import type { RealCrew, Worker } from '../crew.ts';
import type { ModelRequest } from '../fake/server.ts';
import type { Subject } from './subjects.ts';
import { type Fact, type Told, type Truth, tellable } from './timeline.ts';

const exec = promisify(execFile);
export const exactly = (at: number): Fact => ({ notYet: at, at });
export const now = (): Fact => exactly(performance.now());

export interface Played {
  readonly truths: readonly Truth[];
  readonly told: readonly Told[];
}

interface Change {
  readonly cause?: Fact;
  readonly ended?: string;
}

export class Stage {
  readonly crew: RealCrew;
  readonly subject: Subject;
  /** In every hold's name, so that stages side by side do not meet. */
  readonly mark: string;
  readonly #truths: Truth[] = [];
  #worker: Worker | undefined;

  constructor(on: { readonly crew: RealCrew; readonly subject: Subject; readonly mark: string }) {
    this.crew = on.crew;
    this.subject = on.subject;
    this.mark = on.mark;
  }

  get worker(): Worker {
    if (this.#worker === undefined) throw new Error('Nobody is on the stage yet.');
    return this.#worker;
  }

  async enter(config: Fields): Promise<Worker> {
    this.#worker = await this.crew.one({ agent_type: this.subject.agent, ...config });
    return this.#worker;
  }

  /**
   * Enters where something may stand in the way: the worker is known as soon as its pane is there, and starting is what
   * is true from then on. Awaiting the answer is left to the caller.
   */
  async opens(config: Fields): Promise<{ spawned: Promise<Worker> }> {
    const name = `on stage ${this.mark}`;
    const spawned = this.crew.one({ agent_type: this.subject.agent, name, ...config });
    spawned.catch(() => undefined);
    const listed = await eventually(`${name} has a pane`, async () => {
      const found = await this.crew.named(name);
      return found?.terminal_id === null ? undefined : found;
    });
    this.#worker = listed;
    this.#truths.push({ state: 'starting', from: performance.now(), to: Number.POSITIVE_INFINITY });
    return { spawned };
  }

  /** What the spawn says of its failure; nobody enters then. */
  async triesToEnter(config: Fields): Promise<readonly unknown[]> {
    const made = await this.crew.spawn({ agent_type: this.subject.agent, ...config });
    this.#worker = made.sessions[0];
    return made.failed;
  }

  /**
   * From `fact` on this is true. What was true before ended with the fact, or with its `cause` where that came earlier:
   * from the moment of the cause until the fact either is right.
   */
  async is(state: string, fact: Fact | Promise<Fact>, more: Change = {}): Promise<void> {
    await this.passes(state, fact, more);
    await this.#isTold();
  }

  /** Like `is`, and the next may be true before anyone was told of this. */
  async passes(state: string, fact: Fact | Promise<Fact>, more: Change = {}): Promise<void> {
    const { notYet, at } = await fact;
    const before = this.#truths.pop();
    if (before !== undefined) this.#truths.push({ ...before, to: Math.min(notYet, more.cause?.at ?? notYet) });
    const ended = more.ended === undefined ? {} : { ended: more.ended };
    this.#truths.push({ state, from: at, to: Number.POSITIVE_INFINITY, ...ended });
  }

  /** The model is asked with these words in the prompt, for the first time or the `nth`. */
  async asked(words: string | RegExp, nth = 1): Promise<Fact> {
    let found = 0;
    const seen = new Set<number>();
    const counts = ({ seq }: ModelRequest) => {
      if (!seen.has(seq)) found += 1;
      seen.add(seq);
      return found === nth;
    };
    return exactly((await this.request(words, counts)).at);
  }

  /** The last byte of an answer to these words has left, and it ended so. */
  async answered(words: string | RegExp, how = 'end_turn'): Promise<Fact> {
    const request = await this.request(words, (r) => r.end?.how === how);
    return exactly(request.end?.at ?? Number.NaN);
  }

  /** The first request that has these words in the prompt it answers. */
  request(words: string | RegExp, is: (request: ModelRequest) => boolean = () => true): Promise<ModelRequest> {
    const says = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text));
    return this.crew.home.model.waitFor(
      String(words),
      (r) => r.kind === 'turn' && r.cwd === this.worker.project_path && says(r.prompt) && is(r),
      30_000,
    );
  }

  /** A person looking at the pane sees it. */
  sees(words: RegExp): Promise<Fact> {
    return since(`${words} on the screen`, async () => words.test(await this.#screen()));
  }

  seesNot(words: RegExp): Promise<Fact> {
    return since(`${words} not on the screen`, async () => !words.test(await this.#screen()));
  }

  gone(pid: number): Promise<Fact> {
    return since(`process ${pid} is gone`, async () => !runs(pid));
  }

  /** A file in the worker's folder that its command made. */
  finds(name: string): Promise<Fact> {
    return since(`${name} is there`, async () => existsSync(join(this.worker.project_path, name)));
  }

  press(...keys: string[]): Fact {
    const fact = now();
    this.crew.keys(this.worker, ...keys);
    return fact;
  }

  release(hold: string): Fact {
    this.crew.home.model.release(`${hold}${this.mark}`);
    return now();
  }

  hold(name: string): string {
    return `HOLD ${name}${this.mark}`;
  }

  /** The play is over, and the worker leaves: what is true now was true until now. */
  async ends(): Promise<Played> {
    const last = this.#truths.pop();
    if (last !== undefined) this.#truths.push({ ...last, to: performance.now() });
    const played = { truths: this.#truths, told: this.#worker === undefined ? [] : this.#told() };
    if (this.#worker === undefined) return played;
    const session_ids = [this.#worker.session_id];
    await this.crew.call('close_workers', z.looseObject({}), { session_ids, force: true });
    return played;
  }

  #told(): Told[] {
    return this.crew.samples(this.worker).map(({ from, to, status, waitingFor, endedBy }) => ({
      from,
      to,
      state: waitingFor === undefined ? status : `${status}: ${waitingFor}`,
      ended: endedBy,
    }));
  }

  /** Whatever is true stays so until the client was told several times. */
  #isTold(): Promise<unknown> {
    const { state, from, ended } = this.#truths.at(-1) ?? { state: '', from: 0 };
    return eventually(
      `${this.worker.name} is called ${state}${ended === undefined ? '' : ` (${ended})`}`,
      () => {
        const last = this.#told().filter((one) => one.from >= from);
        const right = (one: Told) => one.state === tellable(state) && (ended === undefined || one.ended === ended);
        return last.length >= 5 && last.slice(-5).every(right);
      },
      15_000,
    ).catch((error: unknown) => {
      const seen = this.#told().filter((one) => one.from >= from);
      const last = seen.slice(-3).map((one) => `${one.state} ${one.ended}`);
      throw new Error(`${messageOf(error)}; of ${seen.length} answers the last were ${last.join(', ')}`);
    });
  }

  async #screen(): Promise<string> {
    const { sandbox } = this.crew.home;
    const pane = (this.worker.terminal_id ?? '').replace(/^tmux:/, '');
    const args = ['-L', sandbox.socket, 'capture-pane', '-p', '-t', pane];
    return (await exec('tmux', args, { env: sandbox.env })).stdout;
  }
}

/** A process that is dead and not yet buried is gone. */
function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Looks again and again; the fact lies between the last look in vain and the first that shows it. */
async function since(what: string, look: () => Promise<boolean>): Promise<Fact> {
  let notYet = performance.now();
  return eventually(
    what,
    async () => {
      const before = performance.now();
      if (await look()) return { notYet, at: performance.now() };
      notYet = before;
      return undefined;
    },
    30_000,
  );
}
