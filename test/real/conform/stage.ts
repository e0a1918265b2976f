// One worker on the stage: what the driver does to it, when that came true, and what the client is told meanwhile.
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../../src/model/errors.ts';
import { newNonce } from '../../../src/model/ids.ts';
import type { Fields } from '../../support/mcp.ts';
import { eventually } from '../../support/sandbox.ts';
import type { Cast } from '../cast.ts';
import type { RealCrew, Worker } from '../crew.ts';
import type { ModelRequest } from '../fake/server.ts';
import { pressUntil } from '../person.ts';
import { ceilingMs, exactly, now, runs, since } from './facts.ts';
import { untilGo } from './stage-home.ts';
import type { Subject } from './subjects.ts';
import { type Fact, type Told, type Truth, tellable } from './timeline.ts';

const exec = promisify(execFile);

export interface Played {
  readonly truths: readonly Truth[];
  readonly told: readonly Told[];
}

interface Change {
  readonly cause?: Fact;
  readonly ended?: string;
}

export interface On {
  readonly crew: RealCrew;
  readonly cast: Cast;
  readonly subject: Subject;
}

export class Stage {
  readonly crew: RealCrew;
  readonly subject: Subject;
  /** In every hold's name, so that stages side by side do not meet. */
  readonly mark: string;
  readonly #cast: Cast;
  readonly #truths: Truth[] = [];
  #worker: Worker | undefined;
  #isWorn = false;
  /** How much of what is kept of the worker was there before it entered. */
  #before = { requests: 0, samples: 0 };

  constructor(on: On) {
    this.crew = on.crew;
    this.#cast = on.cast;
    this.subject = on.subject;
    this.mark = newNonce();
  }

  get worker(): Worker {
    if (this.#worker === undefined) throw new Error('Nobody is on the stage yet.');
    return this.#worker;
  }

  async enter(config: Fields): Promise<Worker> {
    const requests = this.crew.home.model.requests.length;
    const entered = await this.#cast.enter({ agent_type: this.subject.agent, ...config });
    this.#before = { requests, samples: this.crew.samples(entered).length };
    this.#worker = entered;
    return entered;
  }

  /** Nobody can play another part with this worker. */
  wearsOut(): void {
    this.#isWorn = true;
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
    this.#cast.joins(listed, { agent_type: this.subject.agent, ...config });
    this.#truths.push({ state: 'starting', from: performance.now(), to: Number.POSITIVE_INFINITY });
    return { spawned };
  }

  /** What the spawn says of its failure; nobody enters then. */
  async triesToEnter(config: Fields): Promise<readonly unknown[]> {
    const made = await this.crew.spawn({ agent_type: this.subject.agent, ...config });
    this.#worker = made.sessions[0];
    if (this.#worker !== undefined) this.#cast.joins(this.#worker, { agent_type: this.subject.agent, ...config });
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
      (r) => r.seq > this.#before.requests && r.kind === 'turn' && this.#isMine(r) && says(r.prompt) && is(r),
      ceilingMs,
    );
  }

  #isMine({ cwd }: ModelRequest): boolean {
    return cwd === this.worker.project_path;
  }

  /** A person looking at the pane sees it, below the first prompt of the play. */
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
    if (keys.includes('Escape')) this.crew.ended(this.worker);
    return fact;
  }

  /** A key of a person at a dialog, who presses it again when nothing comes of it. */
  async answers(dialog: RegExp, key: string): Promise<Fact> {
    const cause = now();
    if (key === 'Escape') this.crew.ended(this.worker);
    await pressUntil(this.crew, this.worker, { key, seen: (screen) => !dialog.test(screen) });
    return cause;
  }

  release(hold: string): Fact {
    this.crew.home.model.release(`${hold}${this.mark}`);
    return now();
  }

  /** A command that makes the file `began`, goes on until `go`, and makes the file `went`. */
  get untilGo(): string {
    return untilGo(this.mark);
  }

  began(): Promise<Fact> {
    return this.finds(`began${this.mark}`);
  }

  went(): Promise<Fact> {
    return this.finds(`went${this.mark}`);
  }

  go(): Fact {
    const cause = now();
    writeFileSync(join(this.worker.project_path, `go${this.mark}`), '');
    return cause;
  }

  /** The worker takes a message, and its model is asked that and nothing with it. */
  async hears(text: string): Promise<void> {
    const said = `${text} ${this.mark}`;
    const cause = now();
    const sent = this.crew.message(this.worker, said);
    await this.passes('working: thinking', this.asked(said), { cause });
    await this.is('idle', this.answered(said), { ended: 'completed' });
    const { verdict } = await sent;
    const { prompt } = await this.request(said);
    if (verdict !== 'submitted' || prompt !== said) throw new Error(`${verdict}: ${JSON.stringify({ said, prompt })}`);
  }

  /** Resolves when a wait for the worker ends, with the time of that. */
  async waits(): Promise<number> {
    const told = await this.crew.wait([this.worker.session_id]);
    const at = performance.now();
    if (!told.all_idle || told.timed_out) throw new Error(`The wait has ended otherwise: ${JSON.stringify(told)}`);
    return at;
  }

  /** The error of the turn that has just ended is told in these words. */
  async hasFailed(words: RegExp): Promise<void> {
    const { last_error } = await this.crew.look(this.worker.session_id);
    if (!words.test(last_error ?? '')) throw new Error(`last_error is ${last_error}, not ${words}`);
  }

  hold(name: string): string {
    return `HOLD ${name}${this.mark}`;
  }

  /** The play is over, and the worker rests or leaves: what is true now was true until now. */
  async ends(): Promise<Played> {
    const last = this.#truths.pop();
    if (last !== undefined) this.#truths.push({ ...last, to: performance.now() });
    const played = { truths: this.#truths, told: this.#worker === undefined ? [] : this.#told() };
    if (this.#worker === undefined) return played;
    if ((last === undefined || last.state === 'idle') && !this.#isWorn) {
      this.#cast.rests(this.#worker);
      return played;
    }
    await this.crew.close(this.#worker, true);
    return played;
  }

  #told(): Told[] {
    const samples = this.crew.samples(this.worker).slice(this.#before.samples);
    return samples.map(({ from, to, status, waitingFor, endedBy }) => ({
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
      ceilingMs,
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
    const lines = (await exec('tmux', args, { env: sandbox.env })).stdout.split('\n');
    const first = lines.findIndex((line) => line.includes(this.mark));
    return lines.slice(Math.max(0, first)).join('\n');
  }
}
